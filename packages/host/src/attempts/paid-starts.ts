import type { ServiceCallOptions } from 'clip-kit/client';
import { promiseLifetimeMs, startWindowMs } from 'clip-kit/contract';
import { HostProblem, type Subject, makeUpstreamProblem } from '../http/host-problem.ts';
import type { ManagedUsers } from '../users/managed-users.ts';
import type { Attempt, HostStore } from '../stores/store.ts';

/** The service's answer about an attempt whose outcome is not known. */
export interface AttemptSearch<T> {
  readonly found: T | null;
  /** The service keeps attempt keys: it knows for certain, and starts nothing twice for a key. */
  readonly keepsKeys: boolean;
  /** Without a find: whether the service has shown everything that the attempt can have started. */
  readonly isCertain: boolean;
}

/** A call to the service that costs money: the start of an export, or of a task. */
export interface PaidCall<T> {
  /** The object that is missing if the service answers with a 404. */
  readonly subject: Subject;
  /** The request as one canonical string. It is stored with the attempt. */
  readonly request: string;
  /** Whether a stored request is this one. */
  isSameRequest(stored: string): boolean;
  /** Sends the start. `complete` makes the answer for the page, and never fails. */
  send(options: ServiceCallOptions): Promise<{ readonly id: string; complete(): Promise<T> }>;
  read(id: string, options: ServiceCallOptions): Promise<T>;
  /** `key`: what to ask a service that keeps keys; null if it may have forgotten it. */
  search(
    attempt: Attempt,
    key: string | null,
    options: ServiceCallOptions,
  ): Promise<AttemptSearch<T>>;
}

export interface StartAnswer<T> {
  readonly value: T;
  /** True if an earlier request with the same key had started it. */
  readonly replayed: boolean;
}

/** The known facts of an attempt. */
export interface AttemptAnswer<T> {
  readonly value: T | null;
  /** Whether the start may still be carried out. */
  readonly inFlight: boolean;
  /**
   * Whether the answer is certain. Without a value, a later start with the key is carried out at
   * most once, if the key was not sent more than {@link promiseLifetimeMs} ago: older ones are not
   * stored.
   */
  readonly promised: boolean;
}

/**
 * Starts what costs money, once for each attempt key. A start with an unknown outcome is never
 * repeated before the service has been asked for it. `docs/decisions/0020` has the table of states.
 */
export class PaidStarts {
  readonly #users: ManagedUsers;
  readonly #store: HostStore;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(users: ManagedUsers, store: HostStore, now: () => number) {
    this.#users = users;
    this.#store = store;
    this.#now = now;
  }

  /** `pay`: called before something new is started; if it throws, nothing is started. */
  async start<T extends Identified>(
    hostUser: string,
    key: string,
    call: PaidCall<T>,
    pay: () => Promise<void>,
  ): Promise<StartAnswer<T>> {
    const attempt: Attempt = {
      key,
      hostUser,
      request: call.request,
      startedAt: this.#now(),
      state: 'open',
      exportId: null,
    };
    const known = await this.#store.claimAttempt(attempt);
    if (!known) return { value: await this.#run(attempt, call, pay), replayed: false };
    if (!call.isSameRequest(known.request)) {
      throw new HostProblem('attempt-mismatch', {
        detail: 'This Idempotency-Key was used for another request. Use a new key for a new one.',
      });
    }
    const { value, mayRepeat } = await this.#settle(known, call);
    if (value) return { value, replayed: true };
    if (!mayRepeat || !(await this.#store.moveAttempt(known, attempt))) {
      throw new HostProblem('service-timeout', { unknownOutcome: true });
    }
    return { value: await this.#run(attempt, call), replayed: false };
  }

  /** Finds the outcome of an attempt. `callOf`: the call of its stored request. */
  async find<T extends Identified>(
    hostUser: string,
    key: string,
    callOf: (request: string) => PaidCall<T>,
  ): Promise<AttemptAnswer<T>> {
    await this.#running.get(makeName({ hostUser, key }))?.catch(() => {});
    const attempt = await this.#store.attempt(hostUser, key);
    if (!attempt) return { value: null, inFlight: false, promised: true };
    const { value, keepsKeys } = await this.#settle(attempt, callOf(attempt.request));
    const isFresh = this.#isFresh(attempt);
    return {
      value,
      // A service that keeps keys says for certain that it has nothing of an attempt. Of one that
      // is open, another process may not have sent the start yet.
      inFlight: !value && isFresh && (!keepsKeys || attempt.state === 'open'),
      promised: keepsKeys || value !== null,
    };
  }

  /** A start that was sent so recently may still be carried out, whatever became of its sender. */
  #isFresh({ startedAt }: Attempt): boolean {
    return this.#now() - startedAt <= startWindowMs;
  }

  #run<T extends Identified>(
    attempt: Attempt,
    call: PaidCall<T>,
    pay?: () => Promise<void>,
  ): Promise<T> {
    const name = makeName(attempt);
    const running = this.#send(attempt, call, pay).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #send<T extends Identified>(
    attempt: Attempt,
    call: PaidCall<T>,
    pay?: () => Promise<void>,
  ): Promise<T> {
    const { hostUser, key } = attempt;
    let started: Awaited<ReturnType<PaidCall<T>['send']>>;
    let startFailure: unknown = null;
    try {
      // Not called for a resumed attempt: a refusal now would tell the page that it was never
      // started.
      await pay?.();
      // Do not pass the caller's signal: closing the page must not interrupt a start.
      started = await this.#users.with(hostUser, async (onBehalfOf) => {
        try {
          return await call.send({ onBehalfOf, idempotencyKey: key });
        } catch (cause) {
          startFailure = cause;
          throw cause;
        }
      });
    } catch (cause) {
      // Any other failure came before the start was sent, or after the service had refused it.
      const problem = makeUpstreamProblem(cause, call.subject, cause === startFailure);
      const { unknownOutcome = false } = problem.details;
      await this.#note(
        unknownOutcome
          ? this.#store.moveAttempt(attempt, { ...attempt, state: 'unknown' })
          : this.#store.dropAttempt(attempt),
      );
      // The page takes a 5xx for a lost start, unless it says that nothing was started.
      throw problem.status < 500
        ? problem
        : new HostProblem(problem.code, { ...problem.details, unknownOutcome });
    }
    await this.#note(
      this.#store.moveAttempt(attempt, { ...attempt, state: 'settled', exportId: started.id }),
    );
    return started.complete();
  }

  /**
   * A store failure must not hide the result of the start. A later search settles an attempt that
   * stays open.
   */
  async #note(writing: Promise<unknown>): Promise<void> {
    await writing.catch(() => {});
  }

  async #settle<T extends Identified>(attempt: Attempt, call: PaidCall<T>): Promise<Settled<T>> {
    const { hostUser, exportId } = attempt;
    const running = this.#running.get(makeName(attempt)) as Promise<T> | undefined;
    if (running) return { value: await running, keepsKeys: false, mayRepeat: false };
    try {
      return await this.#users.with(hostUser, async (onBehalfOf) => {
        if (exportId !== null) {
          const value = await call.read(exportId, { onBehalfOf });
          return { value, keepsKeys: true, mayRepeat: false };
        }
        // After a day a service knows nothing of what a key has started.
        const isRemembered = this.#now() - attempt.startedAt < promiseLifetimeMs;
        const key = isRemembered ? attempt.key : null;
        const { found, keepsKeys, isCertain } = await call.search(attempt, key, { onBehalfOf });
        if (found) {
          const settled: Attempt = { ...attempt, state: 'settled', exportId: found.id };
          await this.#note(this.#store.moveAttempt(attempt, settled));
        }
        // A service that keeps keys starts nothing twice: no need to wait for what is in flight.
        const mayRepeat = keepsKeys || (isCertain && !this.#isFresh(attempt));
        return { value: found, keepsKeys, mayRepeat };
      });
    } catch (cause) {
      throw makeUpstreamProblem(cause, call.subject === 'clip' ? 'export' : call.subject);
    }
  }
}

interface Identified {
  readonly id: string;
}

interface Settled<T> {
  readonly value: T | null;
  /** Whether the service keeps attempt keys, or the attempt is settled. */
  readonly keepsKeys: boolean;
  /** Whether the start may be sent again. */
  readonly mayRepeat: boolean;
}

const makeName = ({ hostUser, key }: Pick<Attempt, 'hostUser' | 'key'>): string =>
  JSON.stringify([hostUser, key]);
