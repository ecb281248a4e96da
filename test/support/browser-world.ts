import { waitUntil } from '@open-wc/testing';
import type { Behaviour } from './fake-host.ts';
import { stallMs } from './stall-ms.ts';

export interface SentRequest {
  method: string;
  path: string;
  query: string;
  key: string | null;
  prefer: string | null;
  account: string | null;
  cacheControl: string | null;
  session: string | null;
  cookie: boolean;
  body: Record<string, unknown> | undefined;
}

/** A host for one test. */
export interface BrowserWorld {
  readonly endpoint: string;
  /** Where the frames' pages are: another origin than the test's page. */
  readonly frames: string;
  set(behaviour: Partial<Behaviour>): Promise<void>;
  /** What was sent so far; `start` and so on select a kind. */
  sent(kind?: 'start' | 'token' | 'poll' | 'settle'): Promise<SentRequest[]>;
  /** Requests that are still being answered. */
  open(): Promise<number>;
  /** How often the site was asked for a session. */
  sessions(): Promise<number>;
}

const kinds: Record<string, (request: SentRequest) => boolean> = {
  start: ({ method, path }) => method === 'POST' && path === '/exports',
  token: ({ path }) => path === '/token',
  poll: ({ query }) => /[?&]id=/.test(query),
  settle: ({ query }) => query.includes('attempt='),
};

export async function newWorld(behaviour: Partial<Behaviour> = {}): Promise<BrowserWorld> {
  const endpoint = `/host/${crypto.randomUUID()}`;
  const log = async () =>
    (await (await fetch(`${endpoint}/_log`)).json()) as {
      requests: SentRequest[];
      open: number;
      sessions: number;
    };
  const world: BrowserWorld = {
    endpoint,
    frames: `http://localhost:${location.port}/frames`,
    async set(change) {
      await fetch(`${endpoint}/_set`, { method: 'POST', body: JSON.stringify(change) });
    },
    async sent(kind) {
      const { requests } = await log();
      return kind ? requests.filter(kinds[kind]!) : requests;
    },
    async open() {
      return (await log()).open;
    },
    async sessions() {
      return (await log()).sessions;
    },
  };
  await world.set(behaviour);
  return world;
}

/** Waits for something that happens by itself, however slow the machine is. */
export const until = (condition: () => unknown, what?: string): Promise<void> =>
  waitUntil(condition, what, { interval: 20, timeout: stallMs });

/** Waits for a status. An event may come before a test can listen for it; the status stays. */
export async function reaches<Status extends string>(
  element: { readonly status: Status },
  status: Status,
): Promise<void> {
  await until(() => element.status === status).catch(() => {
    throw new Error(`The status is ${element.status}: it did not become ${status} in time.`);
  });
}

/** The next event of a name at the target. */
export const nextEvent = <K extends keyof HTMLElementEventMap>(
  target: HTMLElement,
  name: K,
): Promise<HTMLElementEventMap[K]> =>
  new Promise((resolve) => {
    target.addEventListener(name, resolve, { once: true });
  });

export interface FrameNews {
  frame: 'load' | 'hashchange' | 'language';
  href: string;
  referrer: string;
  load: number;
  length: number;
  /** What the frame may use; null in browsers that cannot say it. */
  features: string[] | null;
}

/** Collects the messages of the frames' pages. */
export function frameNews(): { news: FrameNews[]; end(): void } {
  const news: FrameNews[] = [];
  const listen = (event: MessageEvent) => {
    if ((event.data as { frame?: string } | null)?.frame) news.push(event.data as FrameNews);
  };
  addEventListener('message', listen);
  return { news, end: () => removeEventListener('message', listen) };
}
