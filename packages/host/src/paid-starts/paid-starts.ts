import type { ServiceCallOptions } from 'clip-kit/client';
import { HostProblem, type Subject, makeUpstreamProblem } from '../http/host-problem.ts';
import type { ManagedUsers } from '../users/managed-users.ts';
import type { PaidStart, HostRecords } from '../stores/records.ts';

/**
 * The time in milliseconds in which a start may be carried out after it was sent: longer than any
 * service takes to answer. Until then, a start without an answer is in progress.
 */
export const startWindowMs = 120_000;

/**
 * The time in milliseconds for which a service that keeps attempt keys is asked for one: it may
 * forget them after a day.
 */
const keyMemoryMs = 23 * 60 * 60 * 1000;

/** After this many seconds, a page repeats a start that is in progress. */
const retrySeconds = 3;

/** The service's answer about an attempt whose outcome is not known. */
export interface StartSearch<T> {
  readonly found: T | null;
  /** The service keeps attempt keys: it knows for certain, and starts nothing twice for a key. */
  readonly keepsKeys: boolean;
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
    attempt: PaidStart,
    key: string | null,
    options: ServiceCallOptions,
  ): Promise<StartSearch<T>>;
}

export interface StartAnswer<T> {
  readonly value: T;
  /** True if an earlier request with the same key had started it. */
  readonly replayed: boolean;
}

/**
 * Starts what costs money, once for each attempt key, however often a page sends it. The one place
 * that decides whether a start is sent to the service again: `docs/decisions/0020` has the table.
 */
export class PaidStarts {
  readonly #users: ManagedUsers;
  readonly #records: HostRecords;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(users: ManagedUsers, records: HostRecords, now: () => number) {
    this.#users = users;
    this.#records = records;
    this.#now = now;
  }

  /**
   * `confirmed`: the time of the start that a person wants to be sent again, in milliseconds since
   * 1970. `pay`: called before something new is started; if it throws, nothing is started.
   */
  async start<T extends Identified>(
    hostUser: string,
    { key, confirmed }: { readonly key: string; readonly confirmed: number | null },
    call: PaidCall<T>,
    pay: () => Promise<void>,
  ): Promise<StartAnswer<T>> {
    const attempt: PaidStart = {
      key,
      hostUser,
      request: call.request,
      startedAt: this.#now(),
      state: 'open',
      exportId: null,
    };
    const known = await this.#records.claimPaidStart(attempt);
    if (!known) return { value: await this.#run(attempt, call, { pay }), replayed: false };
    if (!call.isSameRequest(known.request)) {
      throw new HostProblem('attempt-mismatch', {
        detail: 'This Idempotency-Key was used for another request. Use a new key for a new one.',
      });
    }
    const running = this.#running.get(makeName(known)) as Promise<T> | undefined;
    if (running) return { value: await running, replayed: true };
    const { found, keepsKeys } = await this.#find(known, call);
    if (found) return { value: found, replayed: true };
    // Until then it may still be carried out, whatever became of its sender.
    const isOverdue = attempt.startedAt - known.startedAt > startWindowMs;
    const mayRepeat = keepsKeys || (isOverdue && confirmed === known.startedAt);
    if (mayRepeat && (await this.#records.movePaidStart(known, attempt))) {
      const before = keepsKeys ? null : known;
      return { value: await this.#run(attempt, call, { before }), replayed: false };
    }
    if (!isOverdue || mayRepeat) {
      throw new HostProblem('in-progress', {
        unknownOutcome: true,
        headers: { 'Retry-After': String(retrySeconds) },
      });
    }
    throw new HostProblem('outcome-unknown', {
      unknownOutcome: true,
      startedAt: new Date(known.startedAt).toISOString(),
    });
  }

  #run<T extends Identified>(attempt: PaidStart, call: PaidCall<T>, how: Sending): Promise<T> {
    const name = makeName(attempt);
    const running = this.#send(attempt, call, how).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #send<T extends Identified>(
    attempt: PaidStart,
    call: PaidCall<T>,
    { pay, before }: Sending,
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
      const left = unknownOutcome ? ({ ...attempt, state: 'unknown' } as const) : before;
      await this.#note(
        left ? this.#records.movePaidStart(attempt, left) : this.#records.dropPaidStart(attempt),
      );
      // The page takes a 5xx for a lost start, unless it says that nothing was started.
      throw problem.status < 500
        ? problem
        : new HostProblem(problem.code, { ...problem.details, unknownOutcome });
    }
    await this.#note(
      this.#records.movePaidStart(attempt, { ...attempt, state: 'settled', exportId: started.id }),
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

  /** Finds what a known attempt has started. */
  async #find<T extends Identified>(
    attempt: PaidStart,
    call: PaidCall<T>,
  ): Promise<StartSearch<T>> {
    const { hostUser, exportId } = attempt;
    try {
      return await this.#users.with(hostUser, async (onBehalfOf) => {
        if (exportId !== null) {
          return { found: await call.read(exportId, { onBehalfOf }), keepsKeys: true };
        }
        const isRemembered = this.#now() - attempt.startedAt < keyMemoryMs;
        const key = isRemembered ? attempt.key : null;
        const search = await call.search(attempt, key, { onBehalfOf });
        if (search.found) {
          const settled: PaidStart = { ...attempt, state: 'settled', exportId: search.found.id };
          await this.#note(this.#records.movePaidStart(attempt, settled));
        }
        return search;
      });
    } catch (cause) {
      throw makeUpstreamProblem(cause, call.subject === 'clip' ? 'export' : call.subject);
    }
  }
}

interface Sending {
  /** Called before something new is started; not for a start that is sent again. */
  readonly pay?: () => Promise<void>;
  /** The start before, of which nothing is known although this one may be refused. */
  readonly before?: PaidStart | null;
}

interface Identified {
  readonly id: string;
}

const makeName = ({ hostUser, key }: Pick<PaidStart, 'hostUser' | 'key'>): string =>
  JSON.stringify([hostUser, key]);
