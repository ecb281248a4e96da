/** The first element that fits; the pages' markup has it. */
export const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!;

/** The service's root, whatever path it is published under. */
export const root = new URL('../', location.href);

/** The project's id: the last segment of the page's address, as it stands there. */
export const projectSegment = location.pathname.split('/').filter(Boolean).at(-1)!;

const element = find('.toast');
const shownMs = 1500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a few words over the clip for a moment. */
export function toast(words: string): void {
  clearTimeout(timer);
  element.textContent = words;
  timer = setTimeout(() => (element.textContent = ''), shownMs);
}
