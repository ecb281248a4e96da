import type { ViewReport } from 'clip-kit/contract';
import type { EmbedView } from '../clip-view.ts';
import { retryUntilLoaded } from './retry-until-loaded.ts';
import { clipSegment, root, takeToken } from './address.ts';
import { find } from './dom.ts';
import { showToast } from './toast.ts';
import { isShown, notify, show } from './stage.ts';
import { getText } from './language.ts';

/** Changes nothing while a clip plays: the page around it may be fetching a new token. */
function refuse(notice: 'refused' | 'missing'): true {
  if (!isShown()) notify(notice);
  return true;
}

/** The page of one user, who is named by the token. */
export function startEmbedPage(given: string | null): void {
  let token = given;
  notify('loading');
  connectAboutPanel();
  const run = retryUntilLoaded(async (isNewest) => {
    if (isEditing) return true;
    if (!token) return refuse('refused');
    const answer = await fetch(new URL(`embed-api/projects/${clipSegment}`, root), {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
    });
    if (!isNewest()) return false;
    if (answer.status === 401) return refuse('refused');
    if (answer.status === 404) return refuse('missing');
    if (!answer.ok) throw new Error(String(answer.status));
    const view = (await answer.json()) as EmbedView;
    if (!isNewest()) return false;
    // Opened meanwhile: nothing plays behind it.
    if (isEditing) return true;
    if (view.state === 'ready' || view.stream || !isShown()) show(view);
    describe(view);
    offerDownload(view);
    offerFiles(view, () => token);
    const asksHeat = new URLSearchParams(location.search).get('heat') === '1';
    if (asksHeat && view.state === 'ready') void showHeat(token);
    if (view.permissions.includes('edit'))
      offerEditor(
        () => token ?? '',
        () => run(),
      );
    return view.state !== 'preparing';
  });
  // A renewed token arrives as a new fragment. The page does not reload, and the clip plays on.
  addEventListener('hashchange', () => {
    const next = takeToken();
    if (!next || next === token) return;
    token = next;
    if (!isShown()) notify('loading');
    run();
  });
}

/** Shows how much of the clip its visitors watch. Without that, the clip plays as well. */
async function showHeat(token: string): Promise<void> {
  const video = find<HTMLVideoElement>('video');
  try {
    const [{ drawHeat }, answer] = await Promise.all([
      import('./heat-line.ts'),
      fetch(new URL(`embed-api/projects/${clipSegment}/views`, root), {
        headers: { Authorization: `Bearer ${token}` },
        cache: 'no-store',
      }),
    ]);
    if (!answer.ok) return;
    const report = (await answer.json()) as ViewReport;
    const draw = (): void => drawHeat(report, video.duration);
    video.addEventListener('durationchange', draw);
    draw();
  } catch {
    // It is drawn at the next load.
  }
}

/** Shows the link to the exported file, if there is one. */
function offerDownload({ name, download_url: url }: EmbedView): void {
  const link = find<HTMLAnchorElement>('.download');
  link.hidden = url === null;
  if (url !== null) link.href = new URL(url, root).href;
  link.download = `${name}.mp4`;
}

const about = find('.about');
const toggle = find('.about-toggle');

function setOpen(isOpen: boolean): void {
  about.hidden = !isOpen;
  toggle.setAttribute('aria-expanded', String(isOpen));
}

/** Fills the panel with what is known about the clip. */
function describe(view: EmbedView): void {
  find('.name', about).textContent = view.name;
  find('.explanation', about).textContent = view.explanation ?? '';
  const score = find('.score', about);
  score.hidden = view.score === null;
  if (view.score !== null) {
    const hundredths = Math.round(view.score * 100);
    find('.score-value', score).textContent = String(hundredths);
    find('.meter span', score).style.setProperty('--share', `${hundredths}%`);
  }
  about.classList.add('filled');
  toggle.hidden = false;
}

/** Opens and closes the panel where it has no place beside the clip. */
function connectAboutPanel(): void {
  toggle.addEventListener('click', () => setOpen(about.hidden !== false));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !about.hidden && !toggle.hidden) {
      setOpen(false);
      toggle.focus();
    }
  });
}

const button = find<HTMLButtonElement>('.edit');

/** Whether the editor lies over the page. */
let isEditing = false;

/**
 * Shows the button that opens the editor, which needs no preview; the address can open it at once.
 */
function offerEditor(token: () => string, onClosed: () => void): void {
  if (!button.hidden) return;
  button.hidden = false;
  button.onclick = async () => {
    button.disabled = true;
    isEditing = true;
    const close = (): void => {
      isEditing = false;
      onClosed();
    };
    find<HTMLVideoElement>('video').pause();
    // The editor waits for no preview.
    if (!isShown()) notify('loading');
    try {
      const { openEditor } = await import('../editor/editor.ts');
      await openEditor({ root, clipId: clipSegment, token, onClosed: close });
    } catch (error) {
      close();
      // The service says why itself.
      const { name, message } = error as Error;
      showToast(name === 'RefusedCall' ? message : getText('offline'));
    } finally {
      button.disabled = false;
    }
  };
  if (new URLSearchParams(location.search).has('edit')) button.click();
}

const list = find('.files');

/** Saves a file: a link cannot send the token. Returns the notice if that failed. */
async function save(
  name: string,
  clip: string,
  token: string | null,
): Promise<'refused' | 'missing' | 'offline' | null> {
  const url = new URL(`embed-api/projects/${clipSegment}/files/${name}`, root);
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  if (answer.status === 401) return 'refused';
  if (answer.status === 404) return 'missing';
  if (!answer.ok) return 'offline';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `${clip}.${name}`;
  link.click();
  URL.revokeObjectURL(link.href);
  return null;
}

/** Offers the files of the clip for other programs. */
function offerFiles({ files, name: clip }: EmbedView, token: () => string | null): void {
  list.hidden = files.length === 0;
  find('div', list).replaceChildren(
    ...files.map((name) => {
      const button = document.createElement('button');
      button.className = 'row';
      button.textContent = name;
      button.onclick = async () => {
        const notice = await save(name, clip, token()).catch(() => 'offline' as const);
        if (!notice) return;
        find<HTMLDialogElement>('#more').close();
        showToast(getText(notice));
      };
      return button;
    }),
  );
}
