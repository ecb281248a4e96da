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
  /** Exports of earlier attempts, oldest first: no later attempt can have started one of them. */
  readonly former: readonly string[];
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
            }
          : null,
      former: Array.isArray(former) ? former.filter((one) => typeof one === 'string') : [],
    };
  } catch {
    return { attempt: null, former: [] };
  }
}

// Memory first: what storage refused to take (full, blocked) is newer than what it holds.
const keptUnder = (name: string): Kept => parse(memory.get(name) ?? storage()?.getItem(name));

function keep(intent: string, { attempt, former }: Kept): void {
  const name = prefix + intent;
  const text = JSON.stringify({ ...attempt, ...(former.length && { former }) });
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
 * The attempt of an intent, or null. A settled one is forgotten after a day, so that a new export
 * can be started. One that is not settled is never forgotten.
 */
export function readAttempt(intent: string): Attempt | null {
  const { attempt } = keptUnder(prefix + intent);
  const over = attempt?.settledAt != null && Date.now() - attempt.settledAt >= attemptLifetime;
  return over ? null : attempt;
}

export const writeAttempt = (intent: string, attempt: Attempt): void =>
  keep(intent, { attempt, former: formerAfter(keptUnder(prefix + intent), attempt.key) });

/** Forgets the attempt of an intent, but not that its export came from an earlier attempt. */
export function dropAttempt(intent: string): void {
  const former = formerAfter(keptUnder(prefix + intent), null);
  if (former.length) {
    keep(intent, { attempt: null, former });
    return;
  }
  memory.delete(prefix + intent);
  try {
    storage()?.removeItem(prefix + intent);
  } catch {
    // Storage is blocked, so it holds nothing.
  }
}

/** All exports that this browser knows to come from attempts other than the one with this key. */
export function attributedExports(key: string): ReadonlySet<string> {
  const names = new Set(memory.keys());
  const stored = storage();
  for (let at = 0; stored && at < stored.length; at++) {
    const name = stored.key(at);
    if (name?.startsWith(prefix)) names.add(name);
  }
  const known = new Set<string>();
  for (const name of names) {
    const { attempt, former } = keptUnder(name);
    for (const id of former) known.add(id);
    if (attempt?.id && attempt.key !== key) known.add(attempt.id);
  }
  return known;
}

/** Calls `listener` when another tab has changed the attempt of the intent. */
export const onAttempt = (intent: string, listener: () => void, signal: AbortSignal): void =>
  addEventListener(
    'storage',
    (event) => {
      if (event.key === prefix + intent) listener();
    },
    { signal },
  );
