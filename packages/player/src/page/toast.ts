import { find } from './dom.ts';

const element = find('.toast');
const shownMs = 1500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a few words over the clip for a moment. */
export function showToast(words: string): void {
  clearTimeout(timer);
  element.textContent = words;
  timer = setTimeout(() => (element.textContent = ''), shownMs);
}
