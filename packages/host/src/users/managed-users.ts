import { HttpError, type ServiceClient } from 'clip-kit/client';
import type { EditorLimits, Permission } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';
import type { HostRecords } from '../stores/records.ts';

/**
 * The time that a process has to create a user before another takes over. Longer than the call may
 * take.
 */
export const creationLeaseMs = 60_000;

/** The total time for which a request waits for another process to create its user. */
const maxCreationWaitMs = 30_000;

/** The pause before the service is asked again whether a user exists. */
const secondLookMs = 1000;

/**
 * The pause before the next look, in milliseconds. Creating a user takes some tenths of a second.
 */
const pauseBeforeMs = (look: number): number => Math.min(25 * 2 ** look, 500);

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The limits of a user’s token. */
export interface WantedToken {
  /** Permissions of the user’s session; null for a user without one. */
  readonly allowed: readonly Permission[] | null;
  /** The parts of the editor that the user has. */
  readonly editor: EditorLimits;
}

export interface IssuedToken {
  readonly managedUser: string;
  readonly token: string;
}

interface ManagedUsersOptions {
  readonly now: () => number;
  /** Requests an embed token for a managed user. */
  readonly createToken: (managedUser: string, wanted?: WantedToken) => Promise<string>;
  /** Called after a managed user was replaced because the service no longer knew it. */
  readonly replaced: (from: string, to: string) => void;
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/**
 * Maps the site's users to managed users of the service. All processes that share the store create
 * each user only once.
 */
export class ManagedUsers {
  readonly #service: ServiceClient;
  readonly #records: HostRecords;
  readonly #options: Required<ManagedUsersOptions>;
  readonly #creating = new Map<string, Promise<string>>();

  constructor(service: ServiceClient, records: HostRecords, options: ManagedUsersOptions) {
    this.#service = service;
    this.#records = records;
    this.#options = { pause: sleep, ...options };
  }

  /** The managed user's id. Concurrent requests share one creation. */
  async idOf(hostUser: string): Promise<string> {
    return (
      (await this.#records.managedUser(hostUser)) ??
      this.#shared(hostUser, () =>
        this.#create(
          hostUser,
          () => this.#records.managedUser(hostUser),
          (made) => this.#records.keepManagedUser(hostUser, made),
        ),
      )
    );
  }

  /**
   * Runs a call for the managed user. If the service no longer knows the user, creates a new one
   * and repeats the call once.
   */
  async with<T>(hostUser: string, call: (managedUser: string) => Promise<T>): Promise<T> {
    const managedUser = await this.idOf(hostUser);
    try {
      return await call(managedUser);
    } catch (error) {
      // A refusal has many reasons. A wrong key must not create a new user on every request.
      if (!(error instanceof HttpError) || error.status !== 403) throw error;
      if (!(await this.#isMissing(managedUser))) throw error;
      return call(await this.#replace(hostUser, managedUser));
    }
  }

  /** An embed token for the host user's managed user, and the id of that managed user. */
  async tokenOf(hostUser: string, wanted?: WantedToken): Promise<IssuedToken> {
    const managedUser = await this.idOf(hostUser);
    const issue = async (id: string): Promise<IssuedToken> => ({
      managedUser: id,
      token: await this.#options.createToken(id, wanted),
    });
    try {
      return await issue(managedUser);
    } catch (error) {
      if (!isNotFound(error) || !(await this.#isMissing(managedUser))) throw error;
      return issue(await this.#replace(hostUser, managedUser));
    }
  }

  /**
   * Whether the service says twice, in its own words, that there is no such user. The bare 404 of a
   * proxy says nothing of the user, and a new user would have none of the old one's clips.
   */
  async #isMissing(managedUser: string): Promise<boolean> {
    for (let look = 0; look < 2; look++) {
      if (look) await this.#options.pause(secondLookMs);
      try {
        await this.#options.createToken(managedUser);
        return false;
      } catch (answer) {
        if (!isNotFound(answer)) return false;
      }
    }
    return true;
  }

  /** A new managed user instead of this one, unless another process has replaced it already. */
  #replace(hostUser: string, missing: string): Promise<string> {
    // A name of its own in the store, because the user's own name cannot be claimed.
    const claim = JSON.stringify([hostUser, 'instead of', missing]);
    return this.#shared(claim, () =>
      this.#create(
        claim,
        async () => {
          const stored = await this.#records.managedUser(hostUser);
          return stored === missing ? null : stored;
        },
        async (made) => {
          const stored = await this.#records.replaceManagedUser(hostUser, missing, made);
          if (stored === made) this.#options.replaced(missing, made);
          return stored;
        },
      ),
    );
  }

  #shared(name: string, create: () => Promise<string>): Promise<string> {
    let creating = this.#creating.get(name);
    if (!creating) {
      creating = create().finally(() => this.#creating.delete(name));
      this.#creating.set(name, creating);
    }
    return creating;
  }

  /** Creates a user under a claim of all processes, or waits for the one that another creates. */
  async #create(
    claim: string,
    look: () => Promise<string | null>,
    keep: (made: string) => Promise<string>,
  ): Promise<string> {
    for (let waitedMs = 0, looks = 0; waitedMs < maxCreationWaitMs; looks++) {
      // Look again, also the first time: another request may have created the user since the last
      // look.
      const known = await look();
      if (known !== null) return known;
      const since = this.#options.now();
      if (await this.#records.claimCreation(claim, since, creationLeaseMs)) {
        try {
          return (await look()) ?? (await keep((await this.#service.createUser()).id));
        } finally {
          // A claim that cannot be released expires, and must not hide what was made.
          await this.#records.releaseCreation(claim, since).catch(() => {});
        }
      }
      await this.#options.pause(pauseBeforeMs(looks));
      waitedMs += pauseBeforeMs(looks);
    }
    throw new HostProblem('service-unavailable', {
      detail: 'Another process is creating this user. Try again in a few seconds.',
      headers: { 'Retry-After': '10' },
    });
  }
}

/** 404 with a JSON body, which no proxy's error page has. */
const isNotFound = (answer: unknown): boolean =>
  answer instanceof HttpError && answer.status === 404 && answer.problem !== null;
