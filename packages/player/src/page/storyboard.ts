import type { StoryboardView } from '../clip-view.ts';
import { find } from './dom.ts';
import { root } from './service-root.ts';

const picture = find('.seek-picture');
let storyboard: StoryboardView | null = null;

/** The small pictures of the clip that is shown. They are loaded when one is needed. */
export function setStoryboard(view: StoryboardView | null | undefined): void {
  storyboard = view ?? null;
  picture.hidden = true;
}

/** Shows the small picture of a time in seconds. */
export function drawPicture(seconds: number): void {
  if (!storyboard) return;
  const { url, width, height, columns, count, step } = storyboard;
  const at = Math.min(count - 1, Math.floor(seconds / step));
  Object.assign(picture.style, {
    width: `${width}px`,
    height: `${height}px`,
    backgroundImage: `url("${new URL(url, root).href}")`,
    backgroundPosition: `${-width * (at % columns)}px ${-height * Math.floor(at / columns)}px`,
  });
  picture.parentElement!.style.setProperty('--half', `${width / 2 + 8}px`);
  picture.hidden = false;
}
