import type { EmbedView } from '../clip-view.ts';
import { connectAboutPanel, describe } from './about-panel.ts';
import { offerDownload } from './download.ts';
import { offerFiles } from './files.ts';
import { keepTrying } from './keep-trying.ts';
import { offerEditor } from './offer-editor.ts';
import { takeToken } from './page-token.ts';
import { projectSegment, root } from './service-root.ts';
import { isShown, notify, show } from './stage.ts';

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
  const run = keepTrying(async (isNewest) => {
    if (!token) return refuse('refused');
    const answer = await fetch(new URL(`embed-api/projects/${projectSegment}`, root), {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
    });
    if (!isNewest()) return false;
    if (answer.status === 401) return refuse('refused');
    if (answer.status === 404) return refuse('missing');
    if (!answer.ok) throw new Error(String(answer.status));
    const view = (await answer.json()) as EmbedView;
    if (!isNewest()) return false;
    if (view.state === 'ready' || !isShown()) show(view);
    if (view.state === 'ready') {
      describe(view);
      offerDownload(view);
      offerFiles(view, () => token);
      if (view.permissions.includes('edit'))
        offerEditor(
          () => token ?? '',
          () => run(),
        );
    }
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
