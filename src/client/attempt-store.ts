import { attemptLifetime } from '../contract/attempt-lifetime.ts';

/** What is remembered of a start. Times are milliseconds since 1970. */
export interface Attempt {
  /** The attempt key, made before the first byte of the start is sent. */
  readonly key: string;
  /** When the key was made. */
  readonly at: number;
  /** When the start was last sent under the key. */
  readonly sentAt: number;
  /** The export that came of it; null while that is not known. */
  readonly id: string | null;
  /** When the export was seen to be over, ready or failed; null before. */
  readonly settledAt: number | null;
  /** Whether an automatic download of it has begun in any tab. */
  readonly downloaded?: boolean;
}

/** Earlier exports of one intent that are remembered, newest last. */
const mostFormer = 20;

const prefix = 'clip-kit:attempt:';

/** Where storage is blocked, attempts are remembered only for the life of the page. */
const memory = new Map<string, string>();

const storage = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

interface Kept {
  readonly attempt: Attempt | null;
  /** Exports of earlier attempts of the intent: no later attempt can have made one of them. */
  readonly former: readonly string[];
}

const numberOr = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' ? value : other;

const parse = (text: string | null | undefined): Kept => {
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
};

// Memory first: a write that storage refused (full, blocked) is newer than what storage holds.
const keptUnder = (name: string): Kept => parse(memory.get(name) ?? storage()?.getItem(name));

const keep = (intent: string, { attempt, former }: Kept): void => {
  const name = prefix + intent;
  const text = JSON.stringify({ ...attempt, ...(former.length && { former }) });
  try {
    localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
};

/** The former exports of an intent once it has another attempt, or none. */
const formerAfter = ({ attempt, former }: Kept, key: string | null): readonly string[] =>
  attempt?.id && attempt.key !== key ? [...former, attempt.id].slice(-mostFormer) : former;

/**
 * The attempt of an intent, or null. A settled one is forgotten after a day, so that a new export
 * can be started. One that is not settled is never forgotten.
 */
export const readAttempt = (intent: string): Attempt | null => {
  const { attempt } = keptUnder(prefix + intent);
  const over = attempt?.settledAt != null && Date.now() - attempt.settledAt >= attemptLifetime;
  return over ? null : attempt;
};

export const writeAttempt = (intent: string, attempt: Attempt): void =>
  keep(intent, { attempt, former: formerAfter(keptUnder(prefix + intent), attempt.key) });

/** Forgets the attempt of an intent. Its export stays known as one that no later attempt has made. */
export const dropAttempt = (intent: string): void => {
  const former = formerAfter(keptUnder(prefix + intent), null);
  if (former.length) {
    keep(intent, { attempt: null, former });
    return;
  }
  memory.delete(prefix + intent);
  try {
    storage()?.removeItem(prefix + intent);
  } catch {
    // Nothing is remembered there then.
  }
};

/** Every export that this browser knows to have come of another attempt than the one with this key. */
export const attributedExports = (key: string): ReadonlySet<string> => {
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
};

/** Calls `listener` when another tab has changed the attempt of the intent. */
export const onAttempt = (intent: string, listener: () => void, signal: AbortSignal): void =>
  addEventListener(
    'storage',
    (event) => {
      if (event.key === prefix + intent) listener();
    },
    { signal },
  );
