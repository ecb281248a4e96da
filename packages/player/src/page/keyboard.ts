import {
  changeSpeed,
  changeVolume,
  seekTo,
  toggleCaptions,
  toggleFullscreen,
  toggleMute,
  togglePlay,
} from './playback.ts';
import { find } from './dom.ts';
import { openDialog } from './dialogs.ts';
import { shortcutOf, type Shortcut } from './shortcut.ts';

const video = find<HTMLVideoElement>('video');

function perform(shortcut: Shortcut): void {
  switch (shortcut.action) {
    case 'toggle':
      return togglePlay();
    case 'mute':
      return toggleMute();
    case 'fullscreen':
      return toggleFullscreen();
    case 'captions':
      return toggleCaptions();
    case 'help':
      return openDialog('help');
    case 'seek-by':
      return seekTo(video.currentTime + shortcut.seconds);
    case 'seek-to':
      return seekTo(shortcut.share * video.duration);
    case 'volume-by':
      return changeVolume(shortcut.percent);
    case 'speed-by':
      return changeSpeed(shortcut.steps);
  }
}

/** Keys that a focused element uses itself. */
function belongsTo(element: Element | null, key: string): boolean {
  if (element?.matches('.volume')) return key.startsWith('Arrow');
  return key === ' ' && element?.matches('button, a, summary') === true;
}

/** Keys of the whole page, as long as the clip is on it and no dialog is open. */
export function connectKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || find('.player').hidden) return;
    if (document.querySelector('dialog[open]') || belongsTo(document.activeElement, key)) return;
    const shortcut = shortcutOf(key);
    if (!shortcut) return;
    event.preventDefault();
    perform(shortcut);
  });
}
