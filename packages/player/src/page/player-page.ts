import type { ClipView } from '../clip-view.ts';
import { retryUntilLoaded } from './retry-until-loaded.ts';
import { projectSegment, root } from './dom.ts';
import { notify, show } from './stage.ts';

/** The public page of a clip. Its HTML contains the clip's state. */
export function startPlayerPage(given: string): void {
  let view = JSON.parse(given) as ClipView;
  const apply = (): boolean => {
    show(view);
    return view.state !== 'preparing';
  };
  let isFirst = true;
  retryUntilLoaded(async (isNewest) => {
    if (isFirst) {
      isFirst = false;
      return apply();
    }
    const url = new URL(`player/${projectSegment}/state`, root);
    const answer = await fetch(url, { cache: 'no-store' });
    if (!isNewest()) return false;
    if (answer.status === 404) {
      notify('missing');
      return true;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    view = (await answer.json()) as ClipView;
    return isNewest() && apply();
  });
}
