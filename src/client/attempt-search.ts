import { promiseLifetimeMs, startWindowMs } from '../contract/attempt-lifetime.ts';
import type { Export } from '../contract/export.ts';
import { fittingExports, type AttemptTrace } from '../flow/attempt-exports.ts';
import type { NoExport } from '../flow/attempt-outcome.ts';
import { isOfClip } from '../flow/clip-match.ts';
import { attributedExports, type Attempt } from './attempt-store.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, SchemaError } from './errors.ts';
import type { ExportIntent } from './export-intent.ts';
import type { HostAnswer, HostClient } from './host-client.ts';

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

/** Several exports that the attempt can have started, and nothing that tells which. */
interface Candidates {
  readonly candidates: readonly Export[];
}

export type AttemptResult = HostAnswer<Export> | Candidates | NoExport;

/** How far the service's clock may be off if the host's is known, and if it is not. */
const knownClockToleranceMs = 60_000;
const unknownClockToleranceMs = 3_600_000;

/** What an export of the attempt must fit, with the clock of an answer. */
function traceOf(
  { at, sentAt, revision }: Attempt,
  { dated, skew }: HostAnswer<unknown>,
  watermarked: boolean,
): AttemptTrace {
  const toleranceMs = dated ? knownClockToleranceMs : unknownClockToleranceMs;
  return {
    fromMs: at + skew - toleranceMs,
    untilMs: sentAt + skew + startWindowMs + toleranceMs,
    watermarked,
    revision,
  };
}

/**
 * What became of an attempt. Asks for the attempt first: a host that names its key is believed. Of
 * others it looks through the clip's exports. Rejects with a `CallError`, `export-mismatch`, or the
 * signal's reason.
 */
export async function searchAttempt(
  client: HostClient,
  intent: ExportIntent,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const answer = await usable(client.exportsByAttempt(attempt.key, signal));
  if (answer?.inFlight) return 'in-flight';
  if (answer?.keepsKeys) {
    const [found] = answer.value;
    if (found) {
      if (answer.value.length > 1 || !isOfClip(found, intent)) throw exportMismatch();
      return { ...answer, value: found };
    }
    // An older key may be forgotten, with the export that it has started.
    if (Date.now() - attempt.sentAt < promiseLifetimeMs) return 'not-started';
  }
  // A host that does not name the key may have answered another question.
  const attributed = attributedExports(attempt.key);
  const fitting = (read: HostAnswer<Export[]>): Export[] => {
    const own = read.value.filter((item) => isOfClip(item, intent));
    return fittingExports(own, traceOf(attempt, read, !!intent.options.watermark), attributed);
  };
  const byAttempt = answer ? fitting(answer) : [];
  if (answer && byAttempt.length === 1) return { ...answer, value: byAttempt[0]! };
  const listed = await usable(client.exportsOfClip(intent, signal));
  const candidates = listed ? fitting(listed) : byAttempt;
  // Plain exports are all the same. Of others, a person must tell.
  const { watermark, preset_id } = intent.options;
  const alike =
    !watermark && !preset_id && candidates.every(({ watermarked }) => watermarked === false);
  if (candidates.length > 1 && !alike) return { candidates };
  if (listed && candidates.length) return { ...listed, value: candidates[0]! };
  return 'unknown';
}
