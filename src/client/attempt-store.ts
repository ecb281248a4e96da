import { attemptLifetime } from '../contract/attempt-lifetime.ts';

/** What is remembered of a start. Times are in milliseconds since 1970. */
export interface Attempt {
  /** The attempt key, made before the start is sent. */
  readonly key: string;
  /** When the key was made. */
  readonly at: number;
  /** When the start was last sent with this key. */
  readonly sentAt: number;
  /** The export that it started; null if not known. */
  readonly id: string | null;
  /** When the export was first seen ready or failed; null before. */
  readonly settledAt: number | null;
  /** Whether a tab has started an automatic download of it. */
  readonly downloaded?: boolean;
  /** The newest known revision of the clip when the key was made: its export is no older. */
  readonly revision?: number;
}

/** How many earlier exports of one intent are remembered. */
const maxFormer = 20;

const prefix = 'clip-kit:attempt:';

/** If storage is blocked, attempts are remembered only while the page lives. */
const memory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

interface Kept {
  readonly attempt: Attempt | null;
  /**
   * Exports of earlier attempts, oldest first: no later attempt can have started one of them. Or
   * the key of an attempt whose export no longer exists.
   */
  readonly former: readonly string[];
  /** When it was last written. */
  readonly writtenAt: number;
}

const numberOr = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' ? value : other;

function parse(text: string | null | undefined): Kept {
  try {
    const read = JSON.parse(text ?? '') as Record<string, unknown>;
    const { key, at, id, downloaded, former } = read;
    return {
      attempt:
        typeof key === 'string' && typeof at === 'number'
          ? {
              key,
              at,
              sentAt: numberOr(read['sentAt'], at),
              id: typeof id === 'string' ? id : null,
              settledAt: numberOr(read['settledAt'], null),
              downloaded: downloaded === true,
              revision: numberOr(read['revision'], 0),
            }
          : null,
      former: Array.isArray(former) ? former.filter((id) => typeof id === 'string') : [],
      writtenAt: numberOr(read['writtenAt'], 0),
    };
  } catch {
    return { attempt: null, former: [], writtenAt: 0 };
  }
}

// Memory first: what storage refused to take (full, blocked) is newer than what it holds.
const keptUnder = (name: string): Kept => parse(memory.get(name) ?? storage()?.getItem(name));

/** All names under which something is kept. */
function* keptNames(): Generator<string> {
  yield* memory.keys();
  const stored = storage();
  for (let at = (stored?.length ?? 0) - 1; at >= 0; at--) {
    const name = stored!.key(at);
    if (name?.startsWith(prefix)) yield name;
  }
}

/** Whether an attempt of an intent is stored, of whatever account. */
export const hasAttempt = (intent: string): boolean =>
  [...keptNames()].some((name) => name === prefix + intent || name.endsWith(` ${intent}`));

function forget(name: string): void {
  memory.delete(name);
  try {
    storage()?.removeItem(name);
  } catch {
    // Storage is blocked, so it holds nothing.
  }
}

const isOver = (at: number | null | undefined): boolean =>
  at != null && Date.now() - at >= attemptLifetime;

/** Removes what nobody needs any more, so that storage does not grow. */
function sweep(): void {
  for (const name of [...keptNames()]) {
    const { attempt, writtenAt } = keptUnder(name);
    if (attempt ? isOver(attempt.settledAt) : isOver(writtenAt)) forget(name);
  }
}

function keep(slot: string, attempt: Attempt | null, former: readonly string[]): void {
  sweep();
  const name = prefix + slot;
  const text = JSON.stringify({
    ...attempt,
    ...(former.length && { former }),
    writtenAt: Date.now(),
  });
  try {
    localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
}

/** The former exports of an intent after its attempt is replaced (by `key`) or dropped (null). */
const formerAfter = ({ attempt, former }: Kept, key: string | null): readonly string[] =>
  attempt?.id && attempt.key !== key ? [...former, attempt.id].slice(-maxFormer) : former;

/**
 * The attempt in a slot, or null. A settled one is forgotten after a day, so that a new export can
 * be started. One that is not settled is never forgotten.
 */
export function readAttempt(slot: string): Attempt | null {
  const { attempt } = keptUnder(prefix + slot);
  return isOver(attempt?.settledAt) ? null : attempt;
}

export const writeAttempt = (slot: string, attempt: Attempt): void =>
  keep(slot, attempt, formerAfter(keptUnder(prefix + slot), attempt.key));

/** Forgets the attempt in a slot, but not that its export came from an earlier attempt. */
export function dropAttempt(slot: string): void {
  const former = formerAfter(keptUnder(prefix + slot), null);
  if (former.length) keep(slot, null, former);
  else forget(prefix + slot);
}

/** Notes exports that belong to no attempt of the slot from now on. */
export function ruleOut(slot: string, ids: readonly string[]): void {
  const { attempt, former } = keptUnder(prefix + slot);
  keep(slot, attempt, [...former, ...ids].slice(-maxFormer));
}

/** Moves everything in a slot to another one. */
export function moveSlot(from: string, to: string): void {
  const { attempt, former } = keptUnder(prefix + from);
  if (!attempt && !former.length) return;
  keep(to, attempt, former);
  forget(prefix + from);
}

/** What the next attempt in a slot comes after: the last export, or ''. */
export function lastExport(slot: string): string {
  const { attempt, former } = keptUnder(prefix + slot);
  return attempt?.id ?? former.at(-1) ?? '';
}

/** All exports that this browser knows to come from attempts other than the one with this key. */
export function attributedExports(key: string): ReadonlySet<string> {
  const known = new Set<string>();
  for (const name of keptNames()) {
    const { attempt, former } = keptUnder(name);
    for (const id of former) known.add(id);
    if (attempt?.id && attempt.key !== key) known.add(attempt.id);
  }
  return known;
}

/** The listeners of the page, each with its slot. */
const listeners = new Map<() => void, () => string>();

function notify({ key }: StorageEvent): void {
  if (!key?.startsWith(prefix)) return;
  for (const [listener, slot] of [...listeners]) if (key === prefix + slot()) listener();
}

/** Calls `listener` when another tab has changed the attempt in a slot. */
export function onAttempt(slot: () => string, listener: () => void, signal: AbortSignal): void {
  // One for all: a browser compares each new listener of a window with all that it has.
  if (!listeners.size) addEventListener('storage', notify);
  listeners.set(listener, slot);
  signal.addEventListener('abort', () => {
    listeners.delete(listener);
    if (!listeners.size) removeEventListener('storage', notify);
  });
}
