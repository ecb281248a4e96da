import { connectCaptions } from './captions.ts';
import { connectControlBar } from './control-bar.ts';
import { getPublicAddress } from './address.ts';
import { find } from './dom.ts';
import { showToast } from './toast.ts';
import {
  changeSpeed,
  changeVolume,
  hasPip,
  seekTo,
  toggleCaptions,
  toggleFullscreen,
  toggleMute,
  togglePip,
  togglePlay,
} from './playback.ts';
import { setText, getText } from './language.ts';

const video = find<HTMLVideoElement>('video');

/** Handlers of the buttons, by their `data-action`. */
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

const stage = find('.stage');
const idleMs = 2500;
let timer: ReturnType<typeof setTimeout> | undefined;

const isIdle = (): boolean => stage.hasAttribute('data-idle');

/** Shows the controls, and hides them again after a while in which nothing is done. */
function showControls(): void {
  stage.removeAttribute('data-idle');
  clearTimeout(timer);
  if (!video.paused) timer = setTimeout(() => stage.setAttribute('data-idle', ''), idleMs);
}

function connectIdle(): void {
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    document.addEventListener(type, showControls);
  }
  for (const type of ['play', 'pause']) video.addEventListener(type, showControls);
  document.documentElement.addEventListener('pointerleave', () => {
    if (!video.paused) stage.setAttribute('data-idle', '');
  });
}

const label = find('[data-action="share"] [data-text]');
const field = find('.link');

/** For a browser, or a page around, that allows neither sharing nor the clipboard. */
function showLink(): void {
  const input = find<HTMLInputElement>('input', field);
  field.hidden = false;
  input.value = getPublicAddress();
  input.select();
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(getPublicAddress());
    find<HTMLDialogElement>('#more').close();
    showToast(getText('copied'));
  } catch {
    showLink();
  }
}

/** Passes the link on: by the system's own dialog, or into the clipboard. */
async function share(): Promise<void> {
  const data = { title: document.title, url: getPublicAddress() };
  if (!navigator.canShare?.(data)) return copyLink();
  try {
    await navigator.share(data);
  } catch (error) {
    if ((error as DOMException).name !== 'AbortError') await copyLink();
  }
}

function connectShare(): void {
  if (navigator.canShare?.({ url: getPublicAddress() })) setText(label, 'share');
}

function openDialog(name: 'more' | 'help'): void {
  for (const open of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) open.close();
  find<HTMLDialogElement>(`#${name}`).showModal();
}

/** A click beside a dialog closes it, also where the browser does not do so itself. */
function connectDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
  }
}

function runShortcut(shortcut: Shortcut): void {
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
function isOwnKey(element: Element | null, key: string): boolean {
  if (element?.matches('.volume')) return key.startsWith('Arrow');
  return key === ' ' && element?.matches('button, a, summary') === true;
}

/** Keys of the whole page, as long as the clip is on it and no dialog is open. */
function connectKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (ctrlKey || metaKey || altKey || defaultPrevented || find('.player').hidden) return;
    if (document.querySelector('dialog[open]') || isOwnKey(document.activeElement, key)) return;
    const shortcut = findShortcut(key);
    if (!shortcut) return;
    event.preventDefault();
    runShortcut(shortcut);
  });
}

/** The action of a key. */
type Shortcut =
  | { readonly action: 'toggle' | 'mute' | 'fullscreen' | 'captions' | 'help' }
  | { readonly action: 'seek-by'; readonly seconds: number }
  | { readonly action: 'seek-to'; readonly share: number }
  | { readonly action: 'volume-by'; readonly percent: number }
  | { readonly action: 'speed-by'; readonly steps: 1 | -1 };

const shortcuts: ReadonlyMap<string, Shortcut> = new Map<string, Shortcut>([
  [' ', { action: 'toggle' }],
  ['k', { action: 'toggle' }],
  ['arrowleft', { action: 'seek-by', seconds: -5 }],
  ['arrowright', { action: 'seek-by', seconds: 5 }],
  ['j', { action: 'seek-by', seconds: -10 }],
  ['l', { action: 'seek-by', seconds: 10 }],
  ['arrowup', { action: 'volume-by', percent: 5 }],
  ['arrowdown', { action: 'volume-by', percent: -5 }],
  ['m', { action: 'mute' }],
  ['f', { action: 'fullscreen' }],
  ['c', { action: 'captions' }],
  ['<', { action: 'speed-by', steps: -1 }],
  ['>', { action: 'speed-by', steps: 1 }],
  ['?', { action: 'help' }],
]);

/** The shortcut of a key, as `KeyboardEvent` names it; null if it has none. */
function findShortcut(key: string): Shortcut | null {
  if (/^[0-9]$/.test(key)) return { action: 'seek-to', share: Number(key) / 10 };
  return shortcuts.get(key.toLowerCase()) ?? null;
}
