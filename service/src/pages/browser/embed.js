import { isPlaying, keepTrying, notify, projectSegment, root, show } from './stage.js';

const about = document.querySelector('.about');
const toggle = document.querySelector('.about-toggle');

/**
 * Takes the token out of the page's address, so that it is in no address bar, bookmark or list of
 * visited pages. A reload finds it in the state of its entry in the history, which belongs to this
 * page only. Null if there is none.
 */
function takeToken() {
  const url = new URL(location.href);
  const token = new URLSearchParams(url.hash.slice(1)).get('external_access_token');
  if (!token) return history.state?.token ?? null;
  url.hash = '';
  history.replaceState({ token }, '', url);
  return token;
}

function setOpen(open) {
  about.hidden = !open;
  toggle.setAttribute('aria-expanded', String(open));
}

function describe(view) {
  about.querySelector('.name').textContent = view.name;
  about.querySelector('.explanation').textContent = view.explanation ?? '';
  const score = about.querySelector('.score');
  score.hidden = view.score === null;
  if (view.score !== null) {
    const hundredths = Math.round(view.score * 100);
    score.querySelector('.score-value').textContent = String(hundredths);
    score.querySelector('.meter span').style.setProperty('--share', `${hundredths}%`);
  }
  about.classList.add('filled');
  toggle.hidden = false;
}

let token = takeToken();

function refused() {
  // A clip that plays is left alone: the page around may be fetching a new token this moment.
  if (!isPlaying()) notify('refused');
  return true;
}

notify('loading');
const run = keepTrying(async (isNewest) => {
  if (!token) return refused();
  const answer = await fetch(new URL(`embed-api/projects/${projectSegment}`, root), {
    headers: { Authorization: `Bearer ${token}` },
    cache: 'no-store',
  });
  if (!isNewest()) return false;
  if (answer.status === 401) return refused();
  if (answer.status === 404) {
    if (!isPlaying()) notify('missing');
    return true;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const view = await answer.json();
  if (!isNewest()) return false;
  if (view.state !== 'ready') {
    if (!isPlaying()) notify(view.state, view.message);
    return view.state !== 'preparing';
  }
  show(view);
  describe(view);
  return true;
});

// A renewed token comes by a change of the fragment alone: it is taken up while the clip plays on.
addEventListener('hashchange', () => {
  const next = takeToken();
  if (!next || next === token) return;
  token = next;
  if (!isPlaying()) notify('loading');
  run();
});

toggle.addEventListener('click', () => setOpen(about.hidden));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !about.hidden && !toggle.hidden) {
    setOpen(false);
    toggle.focus();
  }
});
