import { attemptLifetime } from '../contract/for-pages.ts';
import { readText, removeText, listStoredNames, writeText } from './across-tabs.ts';

/** A start as it is stored. Times are in milliseconds since 1970. */
export interface PaidStart {
  /** The key, made before the start is sent. */
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

interface Slot {
  readonly start: PaidStart | null;
  /** The export or key from which the start's key, or the next one, is derived; '' for none. */
  readonly after: string;
  /** When it was last written. */
  readonly writtenAt: number;
}

const prefix = 'clip-kit:attempt:';

const readNumber = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' ? value : other;

const readId = <T>(value: unknown, other: T): string | T =>
  typeof value === 'string' ? value : other;

function readSlot(name: string): Slot {
  let read: Record<string, unknown> | null = null;
  try {
    read = JSON.parse(readText(name) ?? '');
  } catch {
    // Nothing is stored, or another program has written it.
  }
  const { key, id, settledAt, downloaded, after, sentAt, writtenAt } = read ?? {};
  const start = typeof key === 'string' && {
    key,
    sentAt: readNumber(sentAt, 0),
    id: readId(id, null),
    settledAt: readNumber(settledAt, null),
    downloaded: downloaded === true,
  };
  return { start: start || null, after: readId(after, ''), writtenAt: readNumber(writtenAt, 0) };
}

/** Whether a start of an intent is stored, of whatever account. */
export const hasPaidStart = (intent: string): boolean =>
  listStoredNames(prefix).some((name) => name === prefix + intent || name.endsWith(` ${intent}`));

/** Whether an export was started in this browser, or is shown there, with whatever options. */
export const isStoredExport = (id: string): boolean =>
  listStoredNames(prefix).some((name) => {
    const { start, after } = readSlot(name);
    return start?.id === id || after === id;
  });

/**
 * Whether the host may have forgotten the key of a start that was sent then, and what it has
 * started. If the clock was set back since, the age is not known: a large difference counts as old.
 */
export const isForgotten = (sentAt: number): boolean =>
  Math.abs(Date.now() - sentAt) >= attemptLifetime;

/** A running export has no end. */
const isOver = ({ id, sentAt, settledAt }: PaidStart): boolean =>
  id === null ? isForgotten(sentAt) : settledAt !== null && isForgotten(settledAt);

/** Removes old starts, so that storage does not grow. */
function collect(): void {
  for (const name of listStoredNames(prefix)) {
    const { start, writtenAt } = readSlot(name);
    if (start ? isOver(start) : isForgotten(writtenAt)) removeText(name);
  }
}

function writeSlot(slot: string, start: PaidStart | null, after: string): void {
  collect();
  const text = JSON.stringify({ ...start, ...(after && { after }), writtenAt: Date.now() });
  writeText(prefix + slot, text);
}

/**
 * The paid start in a slot, or null. A day after its export was settled it is forgotten, so that a
 * new one can be started; without an export a day after it was sent, as hosts forget its key then.
 */
export function readPaidStart(slot: string): PaidStart | null {
  const { start } = readSlot(prefix + slot);
  return start && isOver(start) ? null : start;
}

export function writePaidStart(slot: string, start: PaidStart): void {
  const before = readSlot(prefix + slot);
  const isSame = before.start?.key === start.key;
  writeSlot(slot, start, isSame ? before.after : getKeyBase(slot));
}

/** Forgets the start in a slot. The next key comes after its export, or after `after`. */
export function dropPaidStart(slot: string, after = getKeyBase(slot)): void {
  if (after) writeSlot(slot, null, after);
  else removeText(prefix + slot);
}

/**
 * Assigns the stored starts of an endpoint to the account that its host has named, also those of
 * other elements and tabs. The name of a slot is that of its intent, which begins with the
 * endpoint, after the account.
 */
export function assignSlots(endpoint: string, account: string): void {
  for (const name of listStoredNames(`${prefix}["${endpoint}"`)) {
    writeText(`${prefix}${account} ${name.slice(prefix.length)}`, readText(name)!);
    removeText(name);
  }
}

/** Returns the export or key from which a slot's next key is derived; '' for none. */
export function getKeyBase(slot: string): string {
  const { start, after } = readSlot(prefix + slot);
  return start?.id ?? after;
}

/** The listeners of the page, each with its slot. */
const listeners = new Map<() => void, () => string>();

function notify({ key }: StorageEvent): void {
  if (!key?.startsWith(prefix)) return;
  for (const [listener, slot] of [...listeners]) if (key === prefix + slot()) listener();
}

/** Calls `listener` when another tab changes a slot's start. Returns the unsubscribe function. */
export function onPaidStart(slot: () => string, listener: () => void): () => void {
  // One for all: a browser compares each new listener of a window with all that it has.
  if (!listeners.size) addEventListener('storage', notify);
  listeners.set(listener, slot);
  return () => {
    listeners.delete(listener);
    if (!listeners.size) removeEventListener('storage', notify);
  };
}
