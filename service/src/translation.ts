import type { ServiceContext } from './context.ts';
import {
  languageCode,
  matchingCode,
  RemoteError,
  translatedAnalysis,
  type Analysis,
  type Span,
} from 'clip-engine';
import { ApiError } from './http/problem.ts';
import { WorkFailure } from './jobs/run-job.ts';
import { keptJson } from './kept-json.ts';

/** Longest time in milliseconds that a request waits for the list of languages. */
const listWait = 5000;

const refused = (message: string): ApiError =>
  new ApiError('unprocessable', message, {
    errors: [{ path: 'translate_to', message }],
    reason: 'unsupported',
  });

/**
 * Refuses a `translate_to` that is no language, or none that the translation server knows. Where that does not answer in
 * time the request goes on: the task tries again, and says so where it fails.
 */
export const refuseUnknownTarget = async (
  service: Pick<ServiceContext, 'translator' | 'log'>,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  if (wanted === undefined || !service.translator) return;
  if (languageCode(wanted) === null) {
    throw refused('translate_to is no language code: give one such as de or pt-BR.');
  }
  let known: string[];
  try {
    const wait = AbortSignal.any([signal, AbortSignal.timeout(listWait)]);
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
};

/**
 * The analysis in another language, see `translatedAnalysis`. What was translated once for a task is kept for its next
 * attempt. Throws WorkFailure if the server cannot do it, or the signal's reason.
 */
export const translated = (
  service: Pick<ServiceContext, 'translator' | 'storage' | 'workDirectory'>,
  analysis: Analysis,
  wanted: { taskId: string; to: string; spans: readonly Span[]; signal: AbortSignal },
): Promise<Analysis> =>
  translatedAnalysis(analysis, {
    to: wanted.to,
    spans: wanted.spans,
    translate: async (texts, { from, to }) => {
      const { translator } = service;
      if (!translator) {
        throw new WorkFailure(
          'translation-failed',
          'The captions could not be translated: the service has no translation server any more. Its operator sets TRANSLATE_URL.',
        );
      }
      const kept = await keptJson(service, `sources/${wanted.taskId}/translation-${to}.json`, {
        fits: (value: { texts: string[] }) => JSON.stringify(value.texts) === JSON.stringify(texts),
        make: async () => {
          try {
            const { signal } = wanted;
            return { texts, translations: await translator.translate(texts, { from, to, signal }) };
          } catch (error) {
            wanted.signal.throwIfAborted();
            if (!(error instanceof RemoteError)) throw error;
            const message = `The captions could not be translated to ${to}. ${error.message} Then create the task again, or leave translate_to out.`;
            throw new WorkFailure('translation-failed', message);
          }
        },
      });
      return kept.translations;
    },
  });
