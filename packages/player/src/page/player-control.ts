import { type PlayerEvent, playerEvents } from 'clip-kit/contract';
import { useAppearance } from './appearance.ts';
import { isCaptioned, setCaptions } from './captions.ts';
import { find } from './dom.ts';
import { useLanguage } from './language.ts';
import { isRefused } from './playback.ts';
import {
  Listeners,
  methods,
  makePlayerMessage,
  readCommand,
  type Listener,
  type PlayerMethod,
  type ValueOf,
} from './player-protocol.ts';

const video = find<HTMLVideoElement>('video');

/** Share of the clip that is loaded from its beginning. */
function measureLoadedShare(): number {
  const { buffered, duration } = video;
  return buffered.length > 0 && duration > 0 ? buffered.end(0) / duration : 0;
}

/** Actions of the methods that steer the clip. What a getter returns is its answer. */
const actions: {
  readonly [M in Exclude<PlayerMethod, `${string}EventListener`>]: (
    value: ValueOf<M>,
    refused: () => void,
  ) => unknown;
} = {
  play: (_, refused) =>
    void video.play().catch((error: unknown) => {
      if (isRefused(error)) refused();
    }),
  pause: () => video.pause(),
  getPaused: () => video.paused,
  mute: () => void (video.muted = true),
  unmute: () => void (video.muted = false),
  getMuted: () => video.muted,
  setVolume: (percent) => void (video.volume = percent / 100),
  getVolume: () => Math.round(100 * video.volume),
  getDuration: () => video.duration || 0,
  setCurrentTime: (seconds) => void (video.currentTime = seconds),
  getCurrentTime: () => video.currentTime,
  setLoop: (isOn) => void (video.loop = isOn),
  getLoop: () => video.loop,
  'clip-setPlaybackRate': (rate) => void (video.playbackRate = rate),
  'clip-getPlaybackRate': () => video.playbackRate,
  'clip-setCaptions': setCaptions,
  'clip-getCaptions': isCaptioned,
  'clip-setLanguage': (tag) => void useLanguage(tag),
  'clip-setAppearance': useAppearance,
};

/**
 * Lets the page around this one steer the clip and listen to it, by player.js. `origins`: the only
 * ones that may; null: all.
 */
export function connectPlayerControl(origins: readonly string[] | null): void {
  if (parent === window) return;
  const listeners = new Listeners();
  let isReady = false;
  // Before its first message, the parent may be of any of the origins.
  let targets = origins ?? ['*'];

  const post = (message: string): void => {
    for (const target of targets) parent.postMessage(message, target);
  };
  const emit = (event: PlayerEvent, value?: unknown): void => {
    for (const listener of listeners.listFor(event))
      post(makePlayerMessage(event, value, listener));
  };
  const ready = (listener: Listener): void =>
    post(
      makePlayerMessage('ready', { src: location.href, events: playerEvents, methods }, listener),
    );

  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origins?.includes(origin) === false) return;
    const command = readCommand(data);
    if (!command) return;
    if (origins) targets = [origin];
    const { method, value, listener } = command;
    if (method === 'addEventListener') {
      listeners.add(value, listener);
      if (value === 'ready' && isReady) ready(listener);
    } else if (method === 'removeEventListener') listeners.remove(value, listener);
    else {
      const act = actions[method] as (value: unknown, refused: () => void) => unknown;
      const answer = act(value, () =>
        emit('error', { code: 'not-allowed', msg: 'The browser refused to play before a click.' }),
      );
      if (answer !== undefined) post(makePlayerMessage(method, answer, listener));
    }
  });

  video.addEventListener('loadedmetadata', () => {
    if (isReady) return;
    isReady = true;
    const waiting = listeners.listFor('ready');
    for (const listener of waiting.length > 0 ? waiting : [null]) ready(listener);
  });
  forwardMediaEvents(emit);
}

/** Emits the media events of the video as events of player.js and of this kit. */
function forwardMediaEvents(emit: (event: PlayerEvent, value?: unknown) => void): void {
  const forward = (type: string, event: PlayerEvent, value?: () => unknown): void =>
    video.addEventListener(type, () => emit(event, value?.()));
  forward('play', 'play');
  forward('playing', 'clip-playing');
  forward('waiting', 'clip-waiting');
  forward('pause', 'pause');
  forward('ended', 'ended');
  forward('seeked', 'seeked');
  forward('timeupdate', 'timeupdate', () => ({
    seconds: video.currentTime,
    duration: video.duration,
  }));
  forward('progress', 'progress', () => ({ percent: measureLoadedShare() }));
  forward('volumechange', 'clip-volumechange', () => ({
    volume: Math.round(100 * video.volume),
    muted: video.muted,
  }));
  forward('ratechange', 'clip-ratechange', () => video.playbackRate);
  forward('durationchange', 'clip-durationchange', () => video.duration || 0);
  forward('error', 'error', () => ({
    code: video.error?.code ?? 0,
    msg: video.error?.message || 'The video could not be loaded.',
  }));
}
