import { keepTrying, notify, projectSegment, root, show } from './stage.js';

let view = JSON.parse(document.body.dataset.view);

/** Shows the state; true where it will not change any more. */
function apply() {
  if (view.state === 'ready') show(view);
  else notify(view.state, view.message);
  return view.state !== 'preparing';
}

apply();
let first = true;
keepTrying(async (isNewest) => {
  // The page came with the state; it is asked for only when that one has had its time.
  if (first) {
    first = false;
    return apply();
  }
  const answer = await fetch(new URL(`player/${projectSegment}/state`, root), {
    cache: 'no-store',
  });
  if (!isNewest()) return false;
  if (answer.status === 404) {
    notify('missing');
    return true;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  view = await answer.json();
  return isNewest() && apply();
});
