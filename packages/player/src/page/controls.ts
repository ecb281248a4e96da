import { connectCaptions } from './captions.ts';
import { connectControlBar } from './control-bar.ts';
import { connectDialogs, openDialog } from './dialogs.ts';
import { find } from './dom.ts';
import { connectIdle, isIdle } from './idle.ts';
import { connectKeyboard } from './keyboard.ts';
import {
  hasPip,
  toggleCaptions,
  toggleFullscreen,
  toggleMute,
  togglePip,
  togglePlay,
} from './playback.ts';
import { connectShare, share } from './share.ts';

const video = find<HTMLVideoElement>('video');

/** What the buttons do, by their `data-action`. */
const actions: Readonly<Record<string, (button: HTMLElement) => void>> = {
  toggle: togglePlay,
  mute: toggleMute,
  captions: toggleCaptions,
  fullscreen: toggleFullscreen,
  pip: togglePip,
  share: () => void share(),
  more: () => openDialog('more'),
  help: () => openDialog('help'),
  close: (button) => button.closest('dialog')?.close(),
};

/** The first touch while the clip plays only shows the controls. */
function connectPicture(): void {
  let wasIdle = false;
  document.addEventListener('pointerdown', () => (wasIdle = isIdle()), { capture: true });
  video.addEventListener('click', (event) => {
    const isTouch = (event as PointerEvent).pointerType === 'touch';
    if (!isTouch || video.paused || !wasIdle) togglePlay();
  });
}

/** Connects everything over the picture. */
export function connectControls(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-action]');
    if (button) actions[button.dataset['action']!]?.(button);
  });
  find('[data-action="pip"]').hidden = !hasPip();
  connectPicture();
  connectControlBar();
  connectCaptions();
  connectDialogs();
  connectIdle();
  connectKeyboard();
  connectShare();
}
