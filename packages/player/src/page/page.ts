import { connectControls } from './controls.ts';
import { clipSegment, isShared, readFirstLink, root, takeLink, takeToken } from './address.ts';
import { startEmbedPage } from './embed-page.ts';
import { useLanguage } from './language.ts';
import { connectPlayerControl } from './player-control.ts';
import type { ClipView } from '../clip-view.ts';
import { retryUntilLoaded } from './retry-until-loaded.ts';
import { notify, show } from './stage.ts';

const { view, controlOrigins } = document.body.dataset;
/** First: the token leaves the address before anything else happens. */
const token = view === undefined ? takeToken() : null;

connectControls();
connectPlayerControl(
  controlOrigins === undefined ? null : (JSON.parse(controlOrigins) as string[]),
);
// The service has written the page in its language; the script's own texts follow.
void useLanguage(document.documentElement.lang);
if (view === undefined) startEmbedPage(token);
else startPlayerPage(view);

/** The public page of a clip. Its HTML contains the clip's state. */
function startPlayerPage(given: string): void {
  let view = JSON.parse(given) as ClipView;
  const apply = (): boolean => {
    show(view);
    return view.state !== 'preparing';
  };
  let link = readFirstLink();
  let isFirst = true;
  const run = retryUntilLoaded(async (isNewest) => {
    if (isFirst) {
      isFirst = false;
      return apply();
    }
    const path = isShared
      ? `share/${clipSegment}/state${location.search}`
      : `player/${clipSegment}/state${link && `?${link}`}`;
    const url = new URL(path, root);
    const answer = await fetch(url, { cache: 'no-store' });
    if (!isNewest()) return false;
    if (answer.status === 404 || answer.status === 410) {
      const { reason } = isShared ? {} : ((await answer.json()) as { reason?: string });
      const hasEnded = answer.status === 410 || reason === 'link-expired';
      if (isNewest()) notify(hasEnded ? 'expired' : 'missing');
      return true;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    view = (await answer.json()) as ClipView;
    return isNewest() && apply();
  });
  // A renewed link arrives as a new fragment. The page does not reload, and the clip plays on.
  addEventListener('hashchange', () => {
    const renewed = takeLink();
    if (!renewed) return;
    link = renewed;
    run();
  });
}
