import { isCaptioned, setCaptions } from './captions.ts';
import { find } from './dom.ts';
import { showToast } from './toast.ts';

const stage = find('.stage');
const video = find<HTMLVideoElement & { webkitEnterFullscreen?(): void }>('video');
const speed = find<HTMLSelectElement>('.speed');

export function togglePlay(): void {
  // A refusal leaves the play button where it is.
  if (video.paused || video.ended) void video.play().catch(() => {});
  else video.pause();
}

export function seekTo(seconds: number): void {
  if (video.duration) video.currentTime = Math.min(Math.max(0, seconds), video.duration);
}

export function toggleMute(): void {
  if (video.volume === 0) video.volume = 0.5;
  else video.muted = !video.muted;
}

/** 0 to 100. */
export function setVolume(percent: number): void {
  video.volume = Math.min(Math.max(0, percent), 100) / 100;
  video.muted = false;
}

export function changeVolume(percent: number): void {
  setVolume(Math.round(100 * (video.muted ? 0 : video.volume)) + percent);
  showToast(`${Math.round(100 * video.volume)} %`);
}

/** The next speed of the list, up or down. */
export function changeSpeed(steps: 1 | -1): void {
  const speeds = Array.from(speed.options, ({ value }) => Number(value));
  const next =
    steps > 0
      ? speeds.find((one) => one > video.playbackRate)
      : speeds.findLast((one) => one < video.playbackRate);
  if (next !== undefined) video.playbackRate = next;
  showToast(`${video.playbackRate}×`);
}

export const toggleCaptions = (): void => setCaptions(!isCaptioned());

/** On phones only the video itself can fill the screen. */
export const hasFullscreen = (): boolean =>
  document.fullscreenEnabled || video.webkitEnterFullscreen !== undefined;

export function toggleFullscreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else if (document.fullscreenEnabled) void stage.requestFullscreen().catch(() => {});
  else video.webkitEnterFullscreen?.();
}

/** Chromium logs an error for a page that looks at what its frame does not permit. */
const isPermitted = (feature: string): boolean =>
  (
    document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  ).featurePolicy?.allowsFeature(feature) ?? true;

export const hasPip = (): boolean =>
  isPermitted('picture-in-picture') && document.pictureInPictureEnabled;

export function togglePip(): void {
  if (document.pictureInPictureElement) void document.exitPictureInPicture();
  else void video.requestPictureInPicture().catch(() => {});
}

const unmute = find('.unmute');

/** Whether the browser refused to play because the page has not been clicked yet. */
export const isRefused = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotAllowedError';

async function isPlayRefused(video: HTMLVideoElement): Promise<boolean> {
  try {
    await video.play();
    return false;
  } catch (error) {
    return isRefused(error);
  }
}

/**
 * Plays with sound if the browser allows it. Otherwise plays muted and shows a button that turns
 * the sound on.
 */
export async function startPlaying(video: HTMLVideoElement): Promise<void> {
  if (!(await isPlayRefused(video)) || video.muted) return;
  video.muted = true;
  if (await isPlayRefused(video)) video.muted = false;
  else unmute.hidden = false;
}

/** The button is there only as long as the clip is muted. */
export function connectUnmute(video: HTMLVideoElement): void {
  unmute.addEventListener('click', () => (video.muted = false));
  video.addEventListener('volumechange', () => {
    if (!video.muted) unmute.hidden = true;
  });
}
