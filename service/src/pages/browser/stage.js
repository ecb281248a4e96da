/** What both pages share: the stage with its notices and the player in it. */

const stage = document.querySelector('.stage');
const player = stage.querySelector('.player');
const video = player.querySelector('video');
const notices = [...stage.querySelectorAll('.notice')];
/** The clip's name as the page's heading: for readers who do not see the picture. */
const title = stage.querySelector('.title');

/** The service's root, whatever path it is published under. */
export const root = new URL('../', location.href);

/** The project's id: the last segment of the page's address, as it stands there. */
export const projectSegment = location.pathname.split('/').filter(Boolean).at(-1);

/** Whether the clip is on the stage. */
export const isPlaying = () => !player.hidden;

/** States in which the page is there for its reader, as far as it can be. */
const present = ['preparing', 'failed'];

/**
 * Tells a page around this one that the clip is there: a frame's `load` event comes for an error
 * page as well.
 */
function greet() {
  if (parent !== window) parent.postMessage({ type: 'clip-ready' }, '*');
}

/** Shows one notice in the place of the player; `text` replaces its sentence. */
export function notify(state, text) {
  player.hidden = title.hidden = true;
  for (const notice of notices) {
    notice.hidden = notice.dataset.for !== state;
    if (!notice.hidden && text) notice.querySelector('p').textContent = text;
  }
  if (present.includes(state)) greet();
}

/** Puts the clip on the stage. The same clip again changes nothing, so that playback goes on. */
export function show(view) {
  document.title = view.name;
  stage.style.setProperty('--ratio', String(view.width / view.height));
  document.documentElement.style.setProperty('--ratio', String(view.width / view.height));
  for (const notice of notices) notice.hidden = true;
  title.textContent = view.name;
  player.hidden = title.hidden = false;
  greet();
  const source = new URL(view.video, root).href;
  if (video.src === source) return;
  if (view.poster) video.poster = new URL(view.poster, root).href;
  video.setAttribute('aria-label', view.name);
  video.src = source;
}

/** Calls when the video itself cannot be loaded. */
export const onVideoError = (call) =>
  video.addEventListener('error', () => {
    video.removeAttribute('src');
    call();
  });

/** Calls when the reader asks to try again. */
export function onRetry(call) {
  for (const button of stage.querySelectorAll('.action')) button.addEventListener('click', call);
}

/**
 * Runs `load` until it says that it is done (true). Waits 2 s between runs, up to 15 s after
 * failures, and not at all when the page comes back into view. Gives the function that runs it at
 * once.
 */
export function keepTrying(load) {
  let timer;
  let failures = 0;
  let newest = 0;
  const run = async () => {
    const mine = ++newest;
    clearTimeout(timer);
    let done = false;
    try {
      done = await load(() => mine === newest);
      failures = 0;
    } catch {
      failures += 1;
      if (mine === newest && !isPlaying() && failures > 1) notify('offline');
    }
    if (mine !== newest || done) return;
    timer = setTimeout(run, Math.min(2000 * 1.5 ** failures, 15000));
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && !isPlaying()) run();
  });
  onRetry(run);
  onVideoError(run);
  run();
  return run;
}
