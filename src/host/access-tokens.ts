import type { TokenAnswer } from '../contract/host.ts';
import type { ManagedUsers } from './managed-users.ts';
import { tokenExpiry } from './token-expiry.ts';

/** A token is handed out again only while it has at least this long to live, in milliseconds. */
const spare = 60_000;
/** How long a token is reused that does not say when it ends. */
const withoutExpiry = 30_000;

interface Cached {
  readonly answer: TokenAnswer;
  /** Whose it is: a managed user that was made anew needs another token. */
  readonly managedUser: string;
  readonly reuseUntil: number;
}

/** Keeps each user's embed token until shortly before it ends; asks that come together share one request. */
export class AccessTokens {
  readonly #users: ManagedUsers;
  readonly #now: () => number;
  readonly #cached = new Map<string, Cached>();
  readonly #asking = new Map<string, Promise<TokenAnswer>>();

  constructor(users: ManagedUsers, now: () => number) {
    this.#users = users;
    this.#now = now;
  }

  /** `fresh`: a kept one is not to be given; the page has found it no good, or is renewing it. */
  async tokenOf(hostUser: string, fresh = false): Promise<TokenAnswer> {
    const cached = this.#cached.get(hostUser);
    if (
      cached &&
      !fresh &&
      this.#now() < cached.reuseUntil &&
      cached.managedUser === (await this.#users.idOf(hostUser))
    ) {
      return cached.answer;
    }
    let asking = this.#asking.get(hostUser);
    if (!asking) {
      asking = this.#ask(hostUser).finally(() => this.#asking.delete(hostUser));
      this.#asking.set(hostUser, asking);
    }
    return asking;
  }

  async #ask(hostUser: string): Promise<TokenAnswer> {
    const { token, managedUser } = await this.#users.tokenOf(hostUser);
    const expiry = tokenExpiry(token);
    const answer: TokenAnswer = {
      external_access_token: token,
      expires_at: expiry === null ? null : new Date(expiry).toISOString(),
    };
    const now = this.#now();
    for (const [user, { reuseUntil }] of this.#cached) {
      if (reuseUntil <= now) this.#cached.delete(user);
    }
    this.#cached.set(hostUser, {
      answer,
      managedUser,
      reuseUntil: expiry === null ? now + withoutExpiry : expiry - spare,
    });
    return answer;
  }
}
