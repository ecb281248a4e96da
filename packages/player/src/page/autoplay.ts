import { find } from './dom.ts';

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
export async function autoplay(video: HTMLVideoElement): Promise<void> {
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
