import type { ClipView } from '../clip-view.ts';
import { autoplay, connectUnmute } from './playback.ts';
import { addCaptions } from './captions.ts';
import { projectSegment, root } from './address.ts';
import { find } from './dom.ts';
import { setStoryboard } from './control-bar.ts';

const stage = find('.stage');
const player = find('.player', stage);
const video = find<HTMLVideoElement>('video', player);
/** What is seen until the clip plays. */
const poster = find<HTMLImageElement>('.poster', stage);
const notices = [...stage.querySelectorAll<HTMLElement>('.notice')];
/** The clip's name as the page's heading. */
const title = find('.title', stage);
const options = readPlayOptions(location.search);

video.muted = options.muted;
video.loop = options.loop;
video.playsInline = options.playsInline;
stage.toggleAttribute('data-bare', !options.controls);
connectUnmute(video);
// Not before: what is behind the video is seen through it.
video.addEventListener('loadeddata', () => (poster.hidden = true));

/** Whether the clip is on the stage. */
export const isShown = (): boolean => !player.hidden;

/** What is shown in place of the player. */
export type Notice = 'loading' | 'preparing' | 'failed' | 'refused' | 'missing' | 'offline';

/** The service's own words: they are English in every language of the page. */
function say(element: HTMLElement, words: string): void {
  delete element.dataset['text'];
  element.textContent = words;
  element.lang = 'en';
  element.dir = 'ltr';
}

/** Shows one notice in place of the player; `text` replaces its sentence. */
export function notify(notice: Notice, text?: string | null): void {
  player.hidden = true;
  showPoster(notice === 'loading' || notice === 'preparing');
  for (const element of notices) {
    element.hidden = element.dataset['for'] !== notice;
    if (!element.hidden && text) say(find('p', element), text);
  }
}

/** Shows the poster behind a notice, once it is loaded. It needs no token. */
function showPoster(isWanted: boolean): void {
  if (isWanted && !poster.src)
    poster.src = new URL(`player/${projectSegment}/poster.jpg`, root).href;
  poster.onload = () => (poster.hidden = !isWanted);
  poster.hidden = !isWanted || poster.naturalWidth === 0;
}

/** Puts the clip on the stage. The same clip again changes nothing, so that playback goes on. */
function showClip(view: ClipView): void {
  for (const notice of notices) notice.hidden = true;
  title.textContent = view.name;
  stage.toggleAttribute('data-titled', view.titleBurnedIn);
  player.hidden = false;
  const source = new URL(view.video!, root).href;
  if (video.src === source) return;
  if (view.poster) video.poster = new URL(view.poster, root).href;
  video.setAttribute('aria-label', view.name);
  video.src = source;
  addCaptions(view.captions);
  setStoryboard(view.storyboard);
  if (options.autoplay) void autoplay(video);
}

/** Shows the clip, or what there is to say about it. */
export function show(view: ClipView): void {
  document.title = view.name;
  document.documentElement.style.setProperty('--ratio', String(view.width / view.height));
  if (view.state === 'ready') showClip(view);
  else notify(view.state, view.message);
  greet(view);
}

/** Calls when the video itself cannot be loaded. */
export const onVideoError = (call: () => void): void =>
  video.addEventListener('error', () => {
    video.removeAttribute('src');
    call();
  });

/** Calls when the reader asks to try again. */
export function onRetry(call: () => void): void {
  for (const button of stage.querySelectorAll('.action')) button.addEventListener('click', call);
}

/**
 * Notifies the page around this one that the clip is there, and its size: a frame's `load` event
 * comes for an error page as well.
 */
function greet({ width, height }: { width: number; height: number }): void {
  if (parent !== window) parent.postMessage({ type: 'clip-ready', width, height }, '*');
}

/** How the page around wants the clip to be played: parameters of the page's address. */
interface PlayOptions {
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly loop: boolean;
  readonly playsInline: boolean;
  readonly controls: boolean;
}

/**
 * Reads the parameters `autoplay`, `muted`, `loop` and `playsinline`, which are on if they are `1`,
 * and `controls`, which is off if it is `0`.
 */
function readPlayOptions(search: string): PlayOptions {
  const given = new URLSearchParams(search);
  return {
    autoplay: given.get('autoplay') === '1',
    muted: given.get('muted') === '1',
    loop: given.get('loop') === '1',
    playsInline: given.get('playsinline') === '1',
    controls: given.get('controls') !== '0',
  };
}
