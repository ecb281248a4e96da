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
    shortcut();
  });
}

/** The actions of keys, by their names in `KeyboardEvent` in lower case. */
const shortcuts: ReadonlyMap<string, () => void> = new Map([
  [' ', togglePlay],
  ['k', togglePlay],
  ['arrowleft', () => seekTo(video.currentTime - 5)],
  ['arrowright', () => seekTo(video.currentTime + 5)],
  ['j', () => seekTo(video.currentTime - 10)],
  ['l', () => seekTo(video.currentTime + 10)],
  ['arrowup', () => changeVolume(5)],
  ['arrowdown', () => changeVolume(-5)],
  ['m', toggleMute],
  ['f', toggleFullscreen],
  ['c', toggleCaptions],
  ['<', () => changeSpeed(-1)],
  ['>', () => changeSpeed(1)],
  ['?', () => openDialog('help')],
]);

/** The action of a key: each digit goes to its tenth of the clip. Undefined if it has none. */
const findShortcut = (key: string): (() => void) | undefined =>
  /^[0-9]$/.test(key)
    ? () => seekTo((Number(key) / 10) * video.duration)
    : shortcuts.get(key.toLowerCase());
