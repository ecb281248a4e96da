import { aTimeout } from '@open-wc/testing';
import type { Behaviour } from './page-behaviour.ts';
import { newWorld, reaches, until, type BrowserWorld } from './browser-world.ts';

type Tag = 'clip-preview' | 'clip-embed' | 'clip-export-button';
type Shown = HTMLElementTagNameMap[Tag];

/** One state of an element, and how to reach it. */
export interface ElementState {
  readonly tag: Tag;
  /** The state's appearance, if the status is not enough. */
  readonly name: string;
  readonly status: string;
  /** A custom state in addition to the status. */
  readonly flag?: string;
  readonly host?: Partial<Behaviour>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Frames never answer. */
  readonly hangs?: boolean;
  /** Starts outside the window and its margin. */
  readonly far?: boolean;
  readonly act?: (element: never) => unknown;
  readonly until?: (element: never) => boolean;
}

type Button = HTMLElementTagNameMap['clip-export-button'];
const preview = { tag: 'clip-preview' } as const;
const embed = { tag: 'clip-embed' } as const;
const button = { tag: 'clip-export-button' } as const;
const start = (element: Button) => void element.start();
const long = { render: 600_000, estimate: 600_000 };
const endless = 1_000_000;

export const elementStates: readonly ElementState[] = [
  { ...preview, name: 'far away', status: 'idle', far: true },
  {
    ...preview,
    name: 'a poster to click',
    status: 'idle',
    attributes: { loading: 'click', poster: '/poster.gif', label: 'Harbour' },
  },
  { ...preview, name: 'loading', status: 'loading', hangs: true },
  { ...preview, name: 'shown', status: 'ready' },
  { ...preview, name: 'without a project', status: 'error', attributes: { project: '' } },
  {
    ...preview,
    name: 'timed out',
    status: 'error',
    hangs: true,
    attributes: { timeout: '20' },
  },
  { ...embed, name: 'far away', status: 'idle', far: true },
  { ...embed, name: 'asking for a token', status: 'authorizing', host: { tokenDelay: 60_000 } },
  { ...embed, name: 'loading', status: 'loading', hangs: true },
  { ...embed, name: 'shown', status: 'ready' },
  { ...embed, name: 'without a project', status: 'error', attributes: { project: '' } },
  { ...embed, name: 'without a token', status: 'error', host: { failTokens: endless } },
  { ...embed, name: 'timed out', status: 'error', hangs: true, attributes: { timeout: '20' } },
  {
    ...embed,
    name: 'its token ended, and no other to be had',
    status: 'ready',
    flag: 'stale',
    act: async (element: HTMLElementTagNameMap['clip-embed']) => {
      // Until it has the attribute `data-back`.
      let asked = 0;
      element.getToken = async () => {
        if (asked++ && !element.hasAttribute('data-back')) throw new Error('none');
        return 'token';
      };
      element.reload();
      await reaches(element, 'ready');
      for (let tries = 2; tries <= 4; tries++) {
        element.renewToken();
        await until(() => asked === tries);
        await aTimeout(0);
      }
    },
  },
  { ...button, name: 'not pressed', status: 'idle' },
  { ...button, name: 'starting', status: 'starting', host: { start: 'hang' }, act: start },
  {
    ...button,
    name: 'rendering, with an estimate',
    status: 'processing',
    // Begins in the middle of a quarter, and stays there for long.
    host: { ...long, age: 200_000, estimate: 400_000 },
    act: start,
    until: (element: Button) => element.shadowRoot!.textContent!.includes('Export: 25%'),
  },
  {
    ...button,
    name: 'rendering, without an estimate',
    status: 'processing',
    host: { ...long, estimate: 0 },
    act: start,
    until: (element: Button) => element.progress === null,
  },
  {
    ...button,
    name: 'rendering, and nothing heard of it',
    status: 'processing',
    flag: 'stalled',
    host: { ...long, failPolls: endless },
    act: async (element: Button) => {
      await element.start();
      const stop = setInterval(() => void element.retry(), 20);
      await until(() => element.error !== null).finally(() => clearInterval(stop));
    },
  },
  { ...button, name: 'ready', status: 'ready', host: { render: 0, estimate: 0 }, act: start },
  {
    ...button,
    name: 'failed',
    status: 'error',
    host: { render: 0, estimate: 0, outcome: 'error' },
    act: start,
  },
  { ...button, name: 'not found', status: 'error', host: { start: 'not-found' }, act: start },
  { ...button, name: 'without a project', status: 'error', attributes: { project: '' } },
  { ...button, name: 'at the limit', status: 'limit', host: { start: 'limit' }, act: start },
  {
    ...button,
    name: 'its start unknown',
    status: 'unknown',
    host: { ...long, start: 'act-then-fail', failPolls: endless },
    act: start,
  },
];

/** Puts an element into the page and brings it into the state; resolves when that is drawn. */
export async function bringTo(
  state: ElementState,
  parent: Element,
): Promise<{ element: Shown; world: BrowserWorld }> {
  const world = await newWorld(state.host);
  const frames = world.frames + (state.hangs ? '/hang' : '');
  const element = document.createElement(state.tag);
  for (const [name, value] of Object.entries({
    project: 'a',
    endpoint: world.endpoint,
    'app-url': frames,
    'player-url': frames,
    ...(state.far ? { loading: 'lazy' } : { loading: 'eager' }),
    ...state.attributes,
  })) {
    element.setAttribute(name, value);
  }
  if (state.far) element.style.marginTop = '20000px';
  parent.append(element);
  await element.updateComplete;
  await state.act?.(element as never);
  await until(
    () => element.status === state.status && (state.until?.(element as never) ?? true),
    `${state.tag} ${state.name}: ${state.status}`,
  );
  await element.updateComplete;
  return { element, world };
}
