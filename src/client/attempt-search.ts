import type { Export } from '../contract/export.ts';
import { exportOfAttempt, type NoExport } from '../flow/attempt-outcome.ts';
import { isOfClip } from '../flow/clip-match.ts';
import { attributedExports, type Attempt } from './attempt-store.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, SchemaError } from './errors.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';

/** The host answered with an export of another clip: it must not be shown, nor paid for again. */
export const exportMismatch = (): ClipError =>
  new ClipError(
    'export-mismatch',
    'This site answered with the export of another clip. It is not shown.',
  );

/** The host answered, but does not know the call, or its answer cannot be read. */
const isUnusable = (cause: unknown): boolean =>
  cause instanceof SchemaError ||
  (cause instanceof HttpError &&
    cause.status < 500 &&
    ![401, 403, 408, 429].includes(cause.status));

/** The answer, or null if it is unusable. */
async function usable<T>(ask: Promise<T>): Promise<T | null> {
  try {
    return await ask;
  } catch (cause) {
    if (isUnusable(cause)) return null;
    throw cause;
  }
}

/**
 * What became of an attempt: its export, or what is known without one. Asks for the attempt first,
 * then looks through the clip's exports. Rejects with a `CallError`, `export-mismatch`, or the
 * signal's reason.
 */
export async function searchAttempt(
  client: HostClient,
  clip: ClipAddress,
  watermark: boolean,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<HostAnswer<Export> | NoExport> {
  const answer = await usable(client.exportsByAttempt(attempt.key, signal));
  const attributed = attributedExports(attempt.key);
  const [one] = answer?.value ?? [];
  if (answer && one) {
    const fits = answer.value.length === 1 && isOfClip(one, clip) && !attributed.has(one.id);
    if (!fits) throw exportMismatch();
    return { ...answer, value: one };
  }
  if (answer?.inFlight) return 'in-flight';
  const listed = await usable(client.exportsOfClip(clip, signal));
  if (listed) {
    const { at } = attempt;
    const skewMs = listed.dated ? listed.skew : null;
    const own = listed.value.filter((each) => isOfClip(each, clip));
    const found = exportOfAttempt(own, { at, skewMs, attributed, watermark });
    if (found) return { ...listed, value: found };
  }
  if (answer?.keepsKeys) return 'none';
  return listed ? 'unseen' : 'untold';
}
