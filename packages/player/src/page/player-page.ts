import type { ClipView } from '../clip-view.ts';
import { keepTrying } from './keep-trying.ts';
import { projectSegment, root } from './dom.ts';
import { notify, show } from './stage.ts';

/** The page of everybody who has the clip's address. It comes with the clip's state in it. */
export function startPlayerPage(given: string): void {
  let view = JSON.parse(given) as ClipView;
  const apply = (): boolean => {
    show(view);
    return view.state !== 'preparing';
  };
  let isFirst = true;
  keepTrying(async (isNewest) => {
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
