import { isShown, notify, onRetry, onVideoError } from './stage.ts';

/** A page that has just been opened looks often for the beginning of its clip. */
const eager = { forMs: 30_000, pauseMs: 150 };

/**
 * Runs `load` until it says that it is done (true). Waits a second between runs, less while a page
 * that was just opened shows nothing, up to 15 s after failures, and not at all when the page comes
 * back into view. Returns a function that runs it at once.
 */
export function retryUntilLoaded(load: (isNewest: () => boolean) => Promise<boolean>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let newest = 0;
  const run = async (): Promise<void> => {
    const mine = ++newest;
    clearTimeout(timer);
    let done = false;
    try {
      done = await load(() => mine === newest);
      failures = 0;
    } catch {
      failures += 1;
      if (mine === newest && !isShown() && failures > 1) notify('offline');
    }
    if (mine !== newest || done) return;
    const isEager = failures === 0 && !isShown() && performance.now() < eager.forMs;
    const pauseMs = isEager ? eager.pauseMs : Math.min(1000 * 1.5 ** failures, 15_000);
    timer = setTimeout(() => void run(), pauseMs);
  };
  const start = (): void => void run();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && !isShown()) start();
  });
  onRetry(start);
  onVideoError(start);
  start();
  return start;
}
