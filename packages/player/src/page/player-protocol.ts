/**
 * The player.js protocol (context `player.js`, JSON texts): what a message asks for, and what is
 * answered. Pure, so that every message can be judged without a page.
 */
import { type PlayerEvent, playerEvents } from 'clip-kit/contract';
import { isAppearance } from '../appearance.ts';

/** Longer messages are not read. */
const maxMessageLength = 10_000;
const maxListenerLength = 100;
/** Listeners of one page; more are ignored. */
const maxListeners = 100;

type Check<T> = (value: unknown) => value is T;

const isNumber =
  (min: number, max: number): Check<number> =>
  (value): value is number =>
    typeof value === 'number' && value >= min && value <= max;
const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
const isEvent: Check<PlayerEvent> = (value): value is PlayerEvent =>
  (playerEvents as readonly unknown[]).includes(value);
const isTag: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(value) && value.length <= 35;
/** Accepts any value, for methods that do not read it. */
const isAnything: Check<unknown> = (_value): _value is unknown => true;

/** Every method, with the values that it accepts. */
const checks = {
  play: isAnything,
  pause: isAnything,
  getPaused: isAnything,
  mute: isAnything,
  unmute: isAnything,
  getMuted: isAnything,
  setVolume: isNumber(0, 100),
  getVolume: isAnything,
  getDuration: isAnything,
  setCurrentTime: isNumber(0, Number.MAX_SAFE_INTEGER),
  getCurrentTime: isAnything,
  setLoop: isBoolean,
  getLoop: isAnything,
  addEventListener: isEvent,
  removeEventListener: isEvent,
  'clip-setPlaybackRate': isNumber(0.25, 4),
  'clip-getPlaybackRate': isAnything,
  'clip-setCaptions': isBoolean,
  'clip-getCaptions': isAnything,
  'clip-setLanguage': isTag,
  'clip-setAppearance': isAppearance,
} as const;
export type PlayerMethod = keyof typeof checks;
export const methods = Object.keys(checks) as PlayerMethod[];

/** A listener's id, as its page chose it. */
export type Listener = string | number | null;

/** The value of a method. */
export type ValueOf<M extends PlayerMethod> = (typeof checks)[M] extends Check<infer T> ? T : never;
/** A request of the embedding page. */
export type Command = {
  [M in PlayerMethod]: { method: M; value: ValueOf<M>; listener: Listener };
}[PlayerMethod];

const isListener: Check<Listener> = (value): value is Listener =>
  value === null ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= maxListenerLength);

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** The command of a message's data; null for everything else. Never throws. */
export function readCommand(data: unknown): Command | null {
  if (typeof data !== 'string' || data.length > maxMessageLength) return null;
  const { context, method, value, listener = null } = parse(data) ?? {};
  if (context !== 'player.js' || typeof method !== 'string') return null;
  if (!Object.hasOwn(checks, method) || !checks[method as PlayerMethod](value)) return null;
  if (!isListener(listener)) return null;
  return { method, value, listener } as Command;
}

/** A message of the player: an event, or the answer to the method of that name. */
export const makePlayerMessage = (
  event: PlayerEvent | PlayerMethod,
  value?: unknown,
  listener: Listener = null,
): string =>
  JSON.stringify({
    context: 'player.js',
    version: '0.0.11',
    event,
    value,
    ...(listener !== null && { listener }),
  });

/** The event listeners. */
export class Listeners {
  readonly #byEvent = new Map<PlayerEvent, Set<Listener>>();

  add(event: PlayerEvent, listener: Listener): void {
    const count = [...this.#byEvent.values()].reduce((sum, { size }) => sum + size, 0);
    if (count >= maxListeners) return;
    const known = this.#byEvent.get(event);
    if (known) known.add(listener);
    else this.#byEvent.set(event, new Set([listener]));
  }

  remove(event: PlayerEvent, listener: Listener): void {
    this.#byEvent.get(event)?.delete(listener);
  }

  listFor(event: PlayerEvent): readonly Listener[] {
    return [...(this.#byEvent.get(event) ?? [])];
  }
}
