import type { PlayerEvent } from '../contract/player-events.ts';
import type { MediaState } from './media-state.ts';

export interface PlayerMessage {
  readonly event: string;
  readonly value: unknown;
}

/** A message of the player.js protocol; null for anything else. */
export function readPlayerMessage(data: unknown): PlayerMessage | null {
  if (typeof data !== 'string' || !data.includes('"player.js"')) return null;
  try {
    const { context, event, value } = JSON.parse(data);
    return context === 'player.js' && typeof event === 'string' ? { event, value } : null;
  } catch {
    return null;
  }
}

/** The message of the player.js protocol that calls a method of a player. */
export const makePlayerCommand = (method: string, value?: unknown, listener?: string): string =>
  JSON.stringify({ context: 'player.js', version: '0.0.11', method, value, listener });

const readNumber = (value: unknown, most = Number.MAX_VALUE): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= most ? value : undefined;

function share(value: unknown): number | undefined {
  const percent = readNumber(value, 100);
  return percent === undefined ? undefined : percent / 100;
}

/** Players say 0 before they know it. */
const readDuration = (value: unknown): number | undefined => readNumber(value) || undefined;

const readBoolean = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;

type Changes = { [name in keyof MediaState]?: MediaState[name] | undefined };

/** A map by the name of a message: an event, or the method that it answers. */
type MessageMap<T> = { readonly [name in PlayerEvent | `get${string}`]?: T } & {
  readonly __proto__: never;
};

/** The changes by each message. Values come from another page, so they may be anything. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const readers: MessageMap<(value: any, before: MediaState) => Changes> = {
  __proto__: null as never,
  ready: (_, before) => ({ readyState: before.readyState || 1 }),
  play: () => ({ paused: false, ended: false }),
  'clip-playing': () => ({ paused: false, ended: false, readyState: 4 }),
  pause: () => ({ paused: true }),
  ended: () => ({ paused: true, ended: true }),
  timeupdate: (value) => ({
    currentTime: readNumber(value?.seconds),
    duration: readDuration(value?.duration),
  }),
  seeked: () => ({ ended: false }),
  'clip-volumechange': (value) => ({
    volume: share(value?.volume),
    muted: readBoolean(value?.muted),
  }),
  'clip-ratechange': (value) => ({ playbackRate: readNumber(value) }),
  'clip-durationchange': (value) => ({ duration: readDuration(value) }),
  getPaused: (value) => ({ paused: readBoolean(value) }),
  getDuration: (value) => ({ duration: readDuration(value) }),
  getCurrentTime: (value) => ({ currentTime: readNumber(value) }),
  getVolume: (value) => ({ volume: share(value) }),
  getMuted: (value) => ({ muted: readBoolean(value) }),
};

/** Events with the same meaning, each with its name in the element. */
const names: MessageMap<string> = {
  __proto__: null as never,
  'clip-playing': 'playing',
  'clip-waiting': 'waiting',
  ended: 'ended',
  timeupdate: 'timeupdate',
  progress: 'progress',
  seeked: 'seeked',
  error: 'error',
};

/** The new state after a message, and the media events that tell of it, in order. */
export function applyMessage(
  before: MediaState,
  { event, value }: PlayerMessage,
): { readonly state: MediaState; readonly events: readonly string[] } {
  const known = Object.entries(readers[event as PlayerEvent]?.(value, before) ?? {}).filter(
    ([, to]) => to !== undefined,
  ) as [keyof MediaState, never][];
  const state: MediaState = { ...before, ...Object.fromEntries(known) };
  const changed = (name: keyof MediaState): boolean => !Object.is(before[name], state[name]);
  return {
    state,
    events: [
      changed('paused') && (state.paused ? 'pause' : 'play'),
      event === 'ready' && changed('readyState') && 'loadedmetadata',
      changed('duration') && 'durationchange',
      (changed('volume') || changed('muted')) && 'volumechange',
      changed('playbackRate') && 'ratechange',
      names[event as PlayerEvent],
    ].filter((name) => !!name) as string[],
  };
}
