/** Opens the editor of a clip over its page. */
import { setEmojiNames } from 'clip-engine/drawing';
import type { ClipEditor } from './clip-editor.ts';
import './clip-editor.ts';
import { ClipPlayer } from './clip-player.ts';
import { EditSession } from './edit-session.ts';
import { type EditAnswer, EditorApi, RefusedCall } from './editor-api.ts';
import { followLanguage, formatText, useEditorTexts } from './texts.ts';

export interface EditorOptions {
  /** The service's root. */
  root: URL;
  clipId: string;
  /** The page's token of the moment. */
  token: () => string;
  onClosed: () => void;
}

/** Null in a frame with a sandbox. */
function findStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** A page of its own over the clip's: what is behind it can neither be seen nor reached. */
function openSheet(): HTMLDialogElement {
  const sheet = document.createElement('dialog');
  sheet.className = 'editor';
  sheet.setAttribute('aria-label', formatText('editor'));
  sheet.addEventListener('cancel', (event) => event.preventDefault());
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}

/** The engine takes words without a language for English ones, if they look so. */
async function loadEmojiNames(api: EditorApi, { inputs }: EditAnswer): Promise<void> {
  const language = inputs.language ?? 'en';
  setEmojiNames(language, await api.readEmojiNames(language).catch(() => []));
}

/** A connection again, and another token in the address. */
const retried = ['online', 'hashchange'] as const;

export async function openEditor({ root, clipId, token, onClosed }: EditorOptions): Promise<void> {
  const api = new EditorApi(root, clipId, token);
  const proxy = api.readProxy();
  proxy.catch(() => {});
  const [answer] = await Promise.all([
    api.readEdit().catch((error: unknown) => {
      if (error instanceof RefusedCall) postError(clipId, error.message, error.status);
      else postError(clipId, 'No connection.');
      throw error;
    }),
    useEditorTexts(),
  ]);
  await loadEmojiNames(api, answer);
  const storage = findStorage();
  const session = new EditSession(answer, {
    api,
    clipId,
    storage,
    onSaved: (revision, at) => postSaved(clipId, revision, at),
    onDenied: (message, status) => postError(clipId, message, status),
  });
  const player = new ClipPlayer(session.model, api, proxy);
  const unfollow = followLanguage();
  const retry = (): void => session.retry();
  const sheet = openSheet();
  const element = document.createElement('clip-editor') as ClipEditor;
  element.context = { api, clipId, session, player };
  element.close = () => {
    void session.flush();
    player.close();
    session.close();
    unfollow();
    for (const event of retried) removeEventListener(event, retry);
    sheet.remove();
    postOpen(clipId, false);
    onClosed();
  };
  for (const event of retried) addEventListener(event, retry);
  sheet.append(element);
  postOpen(clipId, true);
  // Buttons of the host page need to know whether their files are of this revision.
  postSaved(clipId, session.revision, new Date());
}

/** Messages to the page around this one, as `clip-ready` is one. */
function post(message: Record<string, unknown>): void {
  if (parent === window) return;
  const { controlOrigins } = document.body.dataset;
  const origins = controlOrigins === undefined ? ['*'] : (JSON.parse(controlOrigins) as string[]);
  for (const origin of origins) parent.postMessage(message, origin);
}

/** The editor has taken the place of the player, or given it back. */
const postOpen = (clipId: string, open: boolean): void =>
  post({ type: 'clip-editor', project: clipId, open });

/** A change is stored under a revision; also once when the editor opens. */
const postSaved = (clipId: string, revision: number, at: Date): void =>
  post({ type: 'clip-edit', project: clipId, revision, saved: at.toISOString() });

/** The editor cannot be opened, or a change cannot be stored. */
const postError = (clipId: string, message: string, status?: number): void =>
  post({ type: 'clip-edit-error', project: clipId, message, ...(status && { status }) });
