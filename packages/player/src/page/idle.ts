import { find } from './dom.ts';

const stage = find('.stage');
const video = find<HTMLVideoElement>('video');
const idleMs = 2500;
let timer: ReturnType<typeof setTimeout> | undefined;

export const isIdle = (): boolean => stage.hasAttribute('data-idle');

/** Shows the controls, and hides them again after a while in which nothing is done. */
function wake(): void {
  stage.removeAttribute('data-idle');
  clearTimeout(timer);
  if (!video.paused) timer = setTimeout(() => stage.setAttribute('data-idle', ''), idleMs);
}

export function connectIdle(): void {
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    document.addEventListener(type, wake);
  }
  for (const type of ['play', 'pause']) video.addEventListener(type, wake);
  document.documentElement.addEventListener('pointerleave', () => {
    if (!video.paused) stage.setAttribute('data-idle', '');
  });
}
