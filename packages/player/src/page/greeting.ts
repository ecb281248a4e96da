/**
 * Tells a page around this one that the clip is there, and its size: a frame's `load` event comes
 * for an error page as well.
 */
export function greet({ width, height }: { width: number; height: number }): void {
  if (parent !== window) parent.postMessage({ type: 'clip-ready', width, height }, '*');
}
