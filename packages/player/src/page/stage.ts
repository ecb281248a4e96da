import type { ClipView, StreamView } from '../clip-view.ts';
import type { PreviewStream } from './preview-stream.ts';
import { startPlaying, connectUnmute } from './playback.ts';
import { addCaptions } from './captions.ts';
import { stripSignature, root } from './address.ts';
import { find } from './dom.ts';
import { setStoryboard } from './control-bar.ts';

const stage = find('.stage');
const player = find('.player', stage);
const video = find<HTMLVideoElement>('video', player);
/** The picture until the clip plays. */
const poster = find<HTMLImageElement>('.poster', stage);
const notices = [...stage.querySelectorAll<HTMLElement>('.notice')];
/** The clip's name as the page's heading. */
const title = find('.title', stage);
/** Options of the embedding page for playing: parameters of the address, on if they are `1`. */
const parameters = new URLSearchParams(location.search);
const isOn = (name: string): boolean => parameters.get(name) === '1';

video.muted = isOn('muted');
video.loop = isOn('loop');
video.playsInline = isOn('playsinline');
stage.toggleAttribute('data-bare', parameters.get('controls') === '0');
connectUnmute(video);
// Not before: what is behind the video is seen through it.
video.addEventListener('loadeddata', () => (poster.hidden = true));

/** The poster's address, once it is known. */
let posterAddress: string | null = null;
/** The clip with addresses that are valid for longer than those in use. */
let renewed: ClipView | null = null;
/** The clip while it is rendered; false if it cannot be played then. */
let stream: PreviewStream | false | null = null;
/** The newest state of the clip. */
let newest: ClipView | null = null;
/** Where to go on in the same video, whose address is replaced. */
let place: { path: string; seconds: number; rate: number; plays: boolean } | null = null;

/** Whether the clip is on the stage. */
export const isShown = (): boolean => !player.hidden;

/** The notices in place of the player. */
export type Notice =
  'loading' | 'preparing' | 'failed' | 'refused' | 'missing' | 'expired' | 'offline';

/** The service's own words: they are English in every language of the page. */
function setEnglishText(element: HTMLElement, words: string): void {
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
    if (!element.hidden && text) setEnglishText(find('p', element), text);
  }
}

/** Shows the poster behind a notice, once it is loaded. */
function showPoster(isWanted: boolean): void {
  if (isWanted && posterAddress && !poster.src) poster.src = new URL(posterAddress, root).href;
  poster.onload = () => (poster.hidden = !isWanted);
  poster.hidden = !isWanted || poster.naturalWidth === 0;
}

/**
 * Puts the clip on the stage. The same clip again changes nothing, so that playback goes on: with a
 * new signature, until more of the video has to be loaded.
 */
function showClip(view: ClipView): void {
  showPlayer(view);
  // It is all loaded, or will be: another address would only interrupt it.
  if (stream && stream.isComplete) return setStoryboard(view.storyboard);
  const source = new URL(view.video!, root).href;
  if (stream) leaveStream(source);
  if (stripSignature(video.src) === stripSignature(source))
    renewed = video.src === source ? null : view;
  else load(view, source);
}

/** Shows the player in place of the notices. */
function showPlayer(view: ClipView): void {
  for (const notice of notices) notice.hidden = true;
  title.textContent = view.name;
  stage.toggleAttribute('data-titled', view.titleBurnedIn);
  player.hidden = false;
}

function load(view: ClipView, source: string): void {
  renewed = null;
  if (view.poster) video.poster = new URL(view.poster, root).href;
  video.setAttribute('aria-label', view.name);
  video.src = source;
  setStoryboard(view.storyboard);
  if (place?.path === stripSignature(source)) return resumeAt(place);
  addCaptions(view.captions);
  if (isOn('autoplay')) void startPlaying(video);
}

/** Plays what is rendered of a clip so far, and what comes. */
async function showStream(view: ClipView, segments: StreamView): Promise<void> {
  if (stream) stream.update(segments);
  if (stream !== null) return;
  const { canStream, PreviewStream } = await import('./preview-stream.ts');
  // The clip may be ready by now, or another call may have come first.
  if (stream !== null || newest?.state !== 'preparing' || !canStream()) return;
  stream = new PreviewStream(video, segments, streamFailed);
  showPlayer(view);
  video.setAttribute('aria-label', view.name);
  addCaptions(view.captions);
  if (isOn('autoplay')) void startPlaying(video);
}

/** The clip goes on as the file at this address. */
function leaveStream(source: string): void {
  if (stream) stream.close();
  stream = false;
  rememberPlace(source);
}

function streamFailed(): void {
  if (newest?.video) {
    leaveStream(new URL(newest.video, root).href);
    return showClip(newest);
  }
  stream = false;
  video.removeAttribute('src');
  notify('preparing');
}

/** Continues at the position that the video had at its former address. */
function resumeAt({ seconds, rate, plays }: NonNullable<typeof place>): void {
  place = null;
  video.playbackRate = rate;
  video.addEventListener('loadedmetadata', () => (video.currentTime = seconds), { once: true });
  // A refusal leaves the play button where it is.
  if (plays) void video.play().catch(() => {});
}

/** Remembers where the video is, to go on from there as the file at this address. */
function rememberPlace(source: string): void {
  const { currentTime: seconds, playbackRate: rate, paused } = video;
  place = { path: stripSignature(source), seconds, rate, plays: !paused };
}

/** Removes the video's address and remembers its position. */
function removeSource(): void {
  if (video.currentTime > 0) rememberPlace(video.src);
  video.removeAttribute('src');
}

// More of the video has to be loaded, which its former address may not allow.
video.addEventListener('waiting', () => {
  if (!renewed) return;
  removeSource();
  showClip(renewed);
});

/** Shows the clip, or what there is to say about it. */
export function show(view: ClipView): void {
  posterAddress = view.poster;
  document.title = view.name;
  document.documentElement.style.setProperty('--ratio', String(view.width / view.height));
  newest = view;
  // Loaded while there is nothing to play yet.
  if (view.state === 'preparing') import('./preview-stream.ts').catch(() => {});
  if (view.state === 'ready') showClip(view);
  else if (!(stream && view.state === 'preparing')) notify(view.state, view.message);
  // Without it, the clip is shown once it is ready.
  if (view.stream) showStream(view, view.stream).catch(() => {});
  notifyReady(view);
}

/** Calls when the video itself cannot be loaded. */
export const onVideoError = (call: () => void): void =>
  video.addEventListener('error', () => {
    if (stream) return streamFailed();
    removeSource();
    if (renewed) showClip(renewed);
    else call();
  });

/** Calls when the reader asks to try again. */
export function onRetry(call: () => void): void {
  for (const button of stage.querySelectorAll('.action')) button.addEventListener('click', call);
}

/**
 * Notifies the page around this one that the clip is there, and its size: a frame's `load` event
 * comes for an error page as well.
 */
function notifyReady({ width, height }: { width: number; height: number }): void {
  if (parent !== window) parent.postMessage({ type: 'clip-ready', width, height }, '*');
}
