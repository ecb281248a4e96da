import { contenders, load, make } from './contenders.js';

/** Elements that are in the page together. */
const together = 25;

const grid = document.querySelector('main');
let made = 0;

/**
 * Called by the bench: so many fresh elements are put into the page, shown, and taken out again.
 */
globalThis.cycle = async (name, many) => {
  const contender = contenders[name];
  await load(contender);
  grid.style.marginTop = contender.far ? '20000px' : '';
  for (let at = 0; at < many; at += together) {
    const elements = Array.from({ length: together }, () => make(contender, made++));
    const shown = contender.shown && elements.map((element) => [element, contender.shown]);
    grid.append(...elements);
    if (shown) await Promise.all(shown.map(([element, until]) => until(element)));
    else await new Promise((resolve) => setTimeout(resolve, 5));
    grid.replaceChildren();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
};
