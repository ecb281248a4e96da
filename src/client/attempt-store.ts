import { attemptLifetime } from '../contract/for-pages.ts';
import { readText, removeText, listStoredNames, writeText } from './across-tabs.ts';

/** A start as it is stored. Times are in milliseconds since 1970. */
export interface Attempt {
  /** The attempt key, made before the start is sent. */
  readonly key: string;
  /** When the start was first sent with this key, or sent again because a person wanted it. */
  readonly sentAt: number;
  /** The export that it started; null if not known. */
  readonly id: string | null;
  /** When the export was first seen ready or failed; null before. */
  readonly settledAt: number | null;
  /** Whether a tab has started an automatic download of it. */
  readonly downloaded?: boolean;
}

interface Stored {
  readonly attempt: Attempt | null;
  /** The export or key from which the attempt's key, or the next one, is derived; '' for none. */
  readonly after: string;
  /** When it was last written. */
  readonly writtenAt: number;
}

const prefix = 'clip-kit:attempt:';

const readNumber = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' ? value : other;

function readStored(name: string): Stored {
  let read: Record<string, unknown> | null = null;
  try {
    read = JSON.parse(readText(name) ?? '');
  } catch {
    // Nothing is stored, or another program has written it.
  }
  const { key, id, settledAt, downloaded, after, sentAt, writtenAt } = read ?? {};
  return {
    attempt:
      typeof key === 'string'
        ? {
            key,
            sentAt: readNumber(sentAt, 0),
            id: typeof id === 'string' ? id : null,
            settledAt: readNumber(settledAt, null),
            downloaded: downloaded === true,
          }
        : null,
    after: typeof after === 'string' ? after : '',
    writtenAt: readNumber(writtenAt, 0),
  };
}

/** Whether an attempt of an intent is stored, of whatever account. */
export const hasAttempt = (intent: string): boolean =>
  listStoredNames(prefix).some((name) => name === prefix + intent || name.endsWith(` ${intent}`));

/** Whether an export was started in this browser, or is shown there, with whatever options. */
export const isAttempted = (id: string): boolean =>
  listStoredNames(prefix).some((name) => {
    const { attempt, after } = readStored(name);
    return attempt?.id === id || after === id;
  });

/**
 * Whether the host may have forgotten the key of a start that was sent then, and what it has
 * started. If the clock was set back since, the age is not known: a large difference counts as old.
 */
export const isForgotten = (sentAt: number): boolean =>
  Math.abs(Date.now() - sentAt) >= attemptLifetime;

/** A running export has no end. */
const isOver = ({ id, sentAt, settledAt }: Attempt): boolean =>
  id === null ? isForgotten(sentAt) : settledAt !== null && isForgotten(settledAt);

/** Removes old attempts, so that storage does not grow. */
function collect(): void {
  for (const name of listStoredNames(prefix)) {
    const { attempt, writtenAt } = readStored(name);
    if (attempt ? isOver(attempt) : isForgotten(writtenAt)) removeText(name);
  }
}

function store(slot: string, attempt: Attempt | null, after: string): void {
  collect();
  const text = JSON.stringify({ ...attempt, ...(after && { after }), writtenAt: Date.now() });
  writeText(prefix + slot, text);
}

/**
 * The attempt in a slot, or null. A day after its export was settled it is forgotten, so that a new
 * one can be started; without an export a day after it was sent, as hosts forget its key then.
 */
export function readAttempt(slot: string): Attempt | null {
  const { attempt } = readStored(prefix + slot);
  return attempt && isOver(attempt) ? null : attempt;
}

export function writeAttempt(slot: string, attempt: Attempt): void {
  const before = readStored(prefix + slot);
  const isSame = before.attempt?.key === attempt.key;
  store(slot, attempt, isSame ? before.after : getKeyBase(slot));
}

/** Forgets the attempt in a slot. The next key comes after its export, or after `after`. */
export function dropAttempt(slot: string, after = getKeyBase(slot)): void {
  if (after) store(slot, null, after);
  else removeText(prefix + slot);
}

/**
 * Assigns the stored attempts of an endpoint to the account that its host has named, also those of
 * other elements and tabs. The name of a slot is that of its intent, which begins with the
 * endpoint, after the account.
 */
export function assignSlots(endpoint: string, account: string): void {
  for (const name of listStoredNames(`${prefix}["${endpoint}"`)) {
    writeText(`${prefix}${account} ${name.slice(prefix.length)}`, readText(name)!);
    removeText(name);
  }
}

/** Returns the export or key from which a slot's next attempt key is derived; '' for none. */
export function getKeyBase(slot: string): string {
  const { attempt, after } = readStored(prefix + slot);
  return attempt?.id ?? after;
}

/** The listeners of the page, each with its slot. */
const listeners = new Map<() => void, () => string>();

function notify({ key }: StorageEvent): void {
  if (!key?.startsWith(prefix)) return;
  for (const [listener, slot] of [...listeners]) if (key === prefix + slot()) listener();
}

/** Calls `listener` when another tab changes a slot's attempt. Returns the unsubscribe function. */
export function onAttempt(slot: () => string, listener: () => void): () => void {
  // One for all: a browser compares each new listener of a window with all that it has.
  if (!listeners.size) addEventListener('storage', notify);
  listeners.set(listener, slot);
  return () => {
    listeners.delete(listener);
    if (!listeners.size) removeEventListener('storage', notify);
  };
}
