import { languageCode, matchingCode, RemoteError } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { ApiError } from './problem.ts';

/** How long a request waits for the list of languages. */
const listWaitMs = 5000;

const refused = (message: string): ApiError =>
  new ApiError('unprocessable', message, {
    errors: [{ path: 'translate_to', message }],
    reason: 'unsupported',
  });

/** Refuses a `translate_to` if there is no translation server. */
export function refuseWithoutTranslator(
  { translator }: Pick<ServiceContext, 'translator'>,
  wanted: string | undefined,
): void {
  if (wanted === undefined || translator) return;
  throw refused(
    'this service has no translation server: its operator sets TRANSLATE_URL to one that is compatible with ' +
      'LibreTranslate. Leave the field out to keep the source’s own language',
  );
}

/**
 * Refuses a `translate_to` that is no language, or that the translation server does not know. If
 * the server does not answer in time, the request goes on: the task tries again, and may fail.
 */
export async function refuseUnknownTarget(
  service: Pick<ServiceContext, 'translator' | 'log'>,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (wanted === undefined || !service.translator) return;
  if (languageCode(wanted) === null) {
    throw refused('translate_to is no language code: give one such as de or pt-BR.');
  }
  let known: string[];
  try {
    const wait = AbortSignal.any([signal, AbortSignal.timeout(listWaitMs)]);
    known = await service.translator.targets(wait);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof RemoteError ? error.message : 'no answer in time';
    service.log({ event: 'translation-languages-failed', reason });
    return;
  }
  if (matchingCode(wanted, known)) return;
  throw refused(
    `The translation server of this service does not translate to ${languageCode(wanted)}. It knows: ${known.toSorted().join(', ')}.`,
  );
}
