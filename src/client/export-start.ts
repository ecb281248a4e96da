import type { Export } from '../contract/export.ts';
import { sendStart } from './paid-start.ts';
import { ClipError } from './clip-error.ts';
import { HttpError, toClipError } from './errors.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';
import type { Pause } from './pause.ts';
import { dropAttempt, getKeyBase, readAttempt, writeAttempt } from './attempt-store.ts';
import type { StartOptionsInput } from '../contract/host.ts';
import { hashText } from '../contract/for-pages.ts';

/** The clip and options that an export button exports. */
export interface ExportIntent extends ClipAddress {
  readonly options: StartOptionsInput;
  /** An existing export to watch instead of starting one. */
  readonly exportId: string | null;
}

/** The result of a start: its export, or why it has no export. */
export type StartOutcome =
  | { readonly id: string; readonly answer: HostAnswer<Export> | null }
  | {
      readonly failure: ClipError;
      /** The time of the start of which a person must say whether it is sent again; or null. */
      readonly unresolved: string | null;
    };

interface Start {
  /** The intent's slot in storage, of the present account. */
  readonly slot: () => string;
  /** An export that counts as none, because it has failed or is of an older revision. */
  readonly replaced: string | null;
  /** The `unresolved` start that the person wants to be sent again. */
  readonly confirmed: string | null;
  /** Ends early when a person does not want to wait. */
  readonly pause: Pause;
  readonly signal: AbortSignal;
  /** Called while the answer to a start is not known. */
  onLost(failure: ClipError): void;
}

/**
 * Starts an export, unless the last attempt has one, and stores the attempt before it is sent. One
 * whose answer is not known is sent again, with the same key. Rejects with the signal's reason.
 */
export async function startExport(
  client: HostClient,
  intent: ExportIntent,
  { slot, replaced, confirmed, pause, signal, onLost }: Start,
): Promise<StartOutcome> {
  const name = slot();
  const stored = readAttempt(name);
  if (stored?.id && stored.id !== replaced) return { id: stored.id, answer: null };
  const isRepeated = stored?.id === null;
  // A page without memory, or with full storage, makes the same key again.
  const key = isRepeated ? stored.key : makeAttemptKey(intent, getKeyBase(name));
  const sentAt = isRepeated && !confirmed ? stored.sentAt : Date.now();
  writeAttempt(name, { key, sentAt, id: null, settledAt: null });
  const { project, folder, options } = intent;
  const body = {
    project_id: project,
    ...(folder && { folder_id: folder }),
    ...options,
    ...(confirmed && { confirmed_start: confirmed }),
  };
  const result = await sendStart(() => client.startExport(body, key, signal), {
    isRepeated,
    pause,
    signal,
    onLost: (cause) => onLost(makeLostError(cause)),
  });
  if ('answer' in result) {
    const { answer } = result;
    const { id } = answer.value;
    writeAttempt(slot(), { ...(readAttempt(slot()) ?? { sentAt }), key, id, settledAt: null });
    return { id, answer };
  }
  // Another tab has sent the same start, and was answered.
  const other = readAttempt(name);
  if (other?.key === key && other.id) return { id: other.id, answer: null };
  const { cause, isRefused, unresolved } = result;
  if (unresolved !== null) return { failure: makeUnresolvedError(cause), unresolved };
  const failure = toClipError(cause);
  // This key is used up: its export is deleted, or another request had it.
  const isUsed = /^(export-not-found|attempt-mismatch)$/.test(failure.code);
  // That another try is refused says nothing of the one before.
  if (isRefused && !confirmed) dropAttempt(name, isUsed ? key : undefined);
  return { failure, unresolved };
}

const makeLostError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unknown',
    'It is not known yet whether the export has started. This is being checked; nothing is started twice.',
    { retryable: true, cause, status: cause instanceof HttpError ? cause.status : null },
  );

const makeUnresolvedError = (cause: unknown): ClipError =>
  new ClipError(
    'export-outcome-unresolved',
    'This site cannot say whether the export has started. Trying again may use up another one.',
    { retryable: true, cause },
  );

/**
 * The attempt key of an intent after the export or key that came before it (`''` at first). It is
 * always the same, so a page that has lost its memory, and another tab, ask for the same attempt.
 */
export const makeAttemptKey = ({ project, folder, options }: ExportIntent, after: string): string =>
  `clip-${hashText(JSON.stringify([project, folder || null, options, after]))}`;
