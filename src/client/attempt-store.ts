import { attemptLifetime } from './attempt-key.ts';

/** What is remembered of a start. */
export interface Attempt {
  /** The attempt key, made before the first byte of the start is sent. */
  readonly key: string;
  /** When it was made: milliseconds since 1970. */
  readonly at: number;
  /** The export that came of it; null while that is not known. */
  readonly id: string | null;
  /** Whether an automatic download of it has begun in any tab. */
  readonly downloaded?: boolean;
}

const prefix = 'clip-kit:attempt:';

/** Where storage is blocked, attempts are remembered for the life of the page alone. */
const memory = new Map<string, string>();

const storage = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

const parse = (text: string | null | undefined): Attempt | null => {
  try {
    const { key, at, id, downloaded } = JSON.parse(text ?? '') as Record<string, unknown>;
    return typeof key === 'string' && typeof at === 'number'
      ? { key, at, id: typeof id === 'string' ? id : null, downloaded: downloaded === true }
      : null;
  } catch {
    return null;
  }
};

/** The attempt of an intent, or null. Forgotten after a day: the host may have forgotten its key too, and a new export can be asked for. */
export const readAttempt = (intent: string): Attempt | null => {
  const name = prefix + intent;
  // Memory first: a write that storage refused (full, blocked) is newer than what storage holds.
  const attempt = parse(memory.get(name) ?? storage()?.getItem(name));
  return attempt && Date.now() - attempt.at < attemptLifetime ? attempt : null;
};

export const writeAttempt = (intent: string, attempt: Attempt): void => {
  const name = prefix + intent;
  const text = JSON.stringify(attempt);
  try {
    localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
};

export const dropAttempt = (intent: string): void => {
  memory.delete(prefix + intent);
  try {
    storage()?.removeItem(prefix + intent);
  } catch {
    // Nothing is remembered there then.
  }
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
