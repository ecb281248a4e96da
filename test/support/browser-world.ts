import { fixture, waitUntil } from '@open-wc/testing';
import type { Task } from '../../src/contract/task.ts';
import type { Upload } from '../../src/contract/upload.ts';
import type { ViewBatch } from '../../src/contract/views.ts';
import type { Behaviour } from './page-behaviour.ts';
import type { SentRequest } from './page-faults.ts';
import { stallMs } from 'clip-testkit/stall-ms';

interface Log {
  requests: SentRequest[];
  open: number;
  sessions: number;
  batches: ViewBatch[];
  uploads: Upload[];
  bytes: number;
  cuts: number;
}

/** A host for one test. */
export interface BrowserWorld {
  readonly endpoint: string;
  /** Where the frames' pages are: another origin than the test's page. */
  readonly frames: string;
  set(behaviour: Partial<Behaviour>): Promise<void>;
  /** The tasks of the user, newest first, instead of those that were there. */
  setTasks(tasks: readonly Partial<Task>[]): Promise<void>;
  /** What was sent so far; `start` and so on select a kind, else a method and a path. */
  sent(kind?: keyof typeof kinds | Method, path?: string): Promise<SentRequest[]>;
  /** Requests that are still being answered. */
  open(): Promise<number>;
  /** How often the site was asked for a session. */
  sessions(): Promise<number>;
  /** The batches of views that the host has taken. */
  batches(): Promise<ViewBatch[]>;
  /** The uploads, how many bytes have come for all of them, and how many cuts are left. */
  uploads(): Promise<Pick<Log, 'uploads' | 'bytes' | 'cuts'>>;
}

const kinds = {
  start: ({ method, path }: SentRequest) => method === 'POST' && path === '/exports',
  token: ({ path }: SentRequest) => path === '/token',
  poll: ({ query }: SentRequest) => /[?&]id=/.test(query),
};

type Method = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST';

export async function newWorld(behaviour: Partial<Behaviour> = {}): Promise<BrowserWorld> {
  const endpoint = `/host/${crypto.randomUUID()}`;
  const post = async (path: string, body: unknown) => {
    await fetch(endpoint + path, { method: 'POST', body: JSON.stringify(body) });
  };
  const log = async () => (await (await fetch(`${endpoint}/_log`)).json()) as Log;
  await post('/_set', behaviour);
  return {
    endpoint,
    frames: `http://localhost:${location.port}/frames`,
    set: (change) => post('/_set', change),
    setTasks: (tasks) => post('/_tasks', tasks),
    async sent(kind, path) {
      const isKind = (one: SentRequest) => {
        if (!kind) return true;
        return kind in kinds ? kinds[kind as keyof typeof kinds](one) : one.method === kind;
      };
      return (await log()).requests.filter((one) => isKind(one) && (!path || one.path === path));
    },
    async open() {
      return (await log()).open;
    },
    async sessions() {
      return (await log()).sessions;
    },
    async batches() {
      return (await log()).batches;
    },
    uploads: log,
  };
}

/** Waits until a condition is met, however slow the machine is. */
export const until = (condition: () => unknown, what?: string): Promise<void> =>
  waitUntil(condition, what, { interval: 20, timeout: stallMs });

type Attributes = Readonly<Record<string, string | number>>;

export function newElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  return element;
}

/** Adds an element with these attributes to the page until the end of the test. */
export const mount = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
): Promise<HTMLElementTagNameMap[Tag]> => fixture(newElement(tag, attributes) as never);

/** Adds a preview of the clip `a` until the end of the test. */
export const mountPreview = (
  playerUrl: string,
  more: Attributes = {},
): Promise<HTMLElementTagNameMap['clip-preview']> =>
  mount('clip-preview', { project: 'a', loading: 'eager', 'player-url': playerUrl, ...more });

/** What an element has drawn: the parts of a name, or what another selector finds. */
export const parts = (element: Element, name: string): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>(
    /^[\w-]+$/.test(name) ? `[part="${name}"]` : name,
  ),
];

/** The first of them. */
export const part = (element: Element, name: string): HTMLElement | null =>
  parts(element, name)[0] ?? null;

/**
 * Waits for a status, and until it is drawn. An event may come before a test can listen for it; the
 * status stays.
 */
export async function reaches<Status extends string>(
  element: { readonly status: Status; readonly updateComplete: Promise<unknown> },
  status: Status,
): Promise<void> {
  await until(() => element.status === status).catch(() => {
    throw new Error(`The status is ${element.status}: it did not become ${status} in time.`);
  });
  await element.updateComplete;
}

/** Starts what an element is for, and waits for a status. */
export async function startUntil<Status extends string>(
  element: Parameters<typeof reaches<Status>>[0] & { start(): Promise<unknown> },
  status: Status,
): Promise<void> {
  await element.start();
  await reaches(element, status);
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
  frame: 'appearance' | 'load' | 'hashchange' | 'language';
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
