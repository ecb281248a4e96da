import { root } from './address.ts';
import { find } from './dom.ts';
import { setLabel, getText } from './language.ts';
import { hasFullscreen, seekTo, setVolume } from './playback.ts';
import { type StoryboardView, formatTime } from '../clip-view.ts';

const stage = find('.stage');
const video = find<HTMLVideoElement>('video');
const seek = find<HTMLInputElement>('.seek');
const seekTime = find('.seek-time');
const seekText = find('span', seekTime);
const volume = find<HTMLInputElement>('.volume');
const time = find('.time');
const speed = find<HTMLSelectElement>('.speed');
const waiting = find('.waiting');
const fullscreen = find('[data-action="fullscreen"]');
const mute = find('[data-action="mute"]');
const toggles = document.querySelectorAll<HTMLElement>('[data-action="toggle"]');

const share = (value: number, whole: number): string =>
  `${whole > 0 ? Math.min(100, (100 * value) / whole) : 0}%`;

function drawTime(): void {
  const { currentTime, duration, buffered } = video;
  const loaded = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  seek.max = String(duration || 0);
  seek.value = String(currentTime);
  seek.style.setProperty('--played', share(currentTime, duration));
  seek.style.setProperty('--loaded', share(loaded, duration));
  const [now, end] = [formatTime(currentTime), formatTime(duration)];
  seek.ariaValueText = getText('time-of', now, end);
  time.textContent = `${now} / ${end}`;
}

/** Between two events of the video, so that the line moves evenly. */
function drawFrames(): void {
  if (video.paused) return;
  drawTime();
  requestAnimationFrame(drawFrames);
}

function drawState(): void {
  const isPlaying = !video.paused && !video.ended;
  stage.toggleAttribute('data-playing', isPlaying);
  for (const button of toggles) setLabel(button, isPlaying ? 'pause' : 'play');
  if (isPlaying) drawFrames();
}

function drawVolume(): void {
  const isMuted = video.muted || video.volume === 0;
  stage.toggleAttribute('data-muted', isMuted);
  setLabel(mute, isMuted ? 'unmute' : 'mute');
  const percent = isMuted ? 0 : Math.round(100 * video.volume);
  volume.value = String(percent);
  volume.style.setProperty('--played', `${percent}%`);
}

function drawFullscreen(): void {
  fullscreen.hidden = !hasFullscreen();
  const isFull = document.fullscreenElement !== null;
  setLabel(fullscreen, isFull ? 'exit-fullscreen' : 'fullscreen');
}

/** The time under the pointer. */
function showTimePreview(event: PointerEvent): void {
  const { left, width } = seek.getBoundingClientRect();
  const at = Math.min(Math.max(0, (event.clientX - left) / width), 1);
  seekTime.hidden = !video.duration;
  seekText.textContent = formatTime(at * video.duration);
  if (video.duration) drawPicture(at * video.duration);
  seekTime.style.setProperty('--at', `${100 * at}%`);
}

/** The controls show what the video does, and the ranges steer it. */
export function connectControlBar(): void {
  for (const type of ['timeupdate', 'seeking', 'progress', 'durationchange', 'emptied']) {
    video.addEventListener(type, drawTime);
  }
  for (const type of ['play', 'pause', 'ended', 'emptied']) video.addEventListener(type, drawState);
  video.addEventListener('volumechange', drawVolume);
  video.addEventListener('ratechange', () => (speed.value = String(video.playbackRate)));
  video.addEventListener('waiting', () => (waiting.hidden = false));
  for (const type of ['playing', 'canplay', 'pause', 'emptied']) {
    video.addEventListener(type, () => (waiting.hidden = true));
  }
  document.addEventListener('fullscreenchange', drawFullscreen);
  seek.addEventListener('input', () => seekTo(Number(seek.value)));
  seek.addEventListener('pointermove', showTimePreview);
  for (const type of ['pointerleave', 'pointercancel']) {
    seek.addEventListener(type, () => (seekTime.hidden = true));
  }
  volume.addEventListener('input', () => setVolume(Number(volume.value)));
  speed.addEventListener('change', () => (video.playbackRate = Number(speed.value)));
  drawTime();
  drawState();
  drawVolume();
  drawFullscreen();
}

const picture = find('.seek-picture');
let storyboard: StoryboardView | null = null;

/** The small pictures of the clip that is shown. They are loaded when one is needed. */
export function setStoryboard(view: StoryboardView | null | undefined): void {
  storyboard = view ?? null;
  picture.hidden = true;
}

/** Shows the small picture of a time in seconds. */
function drawPicture(seconds: number): void {
  if (!storyboard) return;
  const { url, width, height, columns, count, step } = storyboard;
  const at = Math.min(count - 1, Math.floor(seconds / step));
  Object.assign(picture.style, {
    width: `${width}px`,
    height: `${height}px`,
    backgroundImage: `url("${new URL(url, root).href}")`,
    backgroundPosition: `${-width * (at % columns)}px ${-height * Math.floor(at / columns)}px`,
  });
  picture.parentElement!.style.setProperty('--half', `${width / 2 + 8}px`);
  picture.hidden = false;
}
