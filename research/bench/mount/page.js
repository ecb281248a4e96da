import { contenders, load, make } from './contenders.js';

/** How many elements are mounted at once. */
const many = 1000;

const grid = document.querySelector('main');

/** Milliseconds from the first element made to all of them drawn and laid out. */
async function mount(contender) {
  const began = performance.now();
  const elements = document.createDocumentFragment();
  for (let at = 0; at < many; at++) elements.append(make(contender, at));
  grid.append(elements);
  // Elements that draw after the task do so in these.
  for (let turn = 0; turn < 10; turn++) await null;
  void grid.offsetHeight;
  const took = performance.now() - began;
  grid.replaceChildren();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return took;
}

/** Called by the bench: the times of `repeats` mounts after two that warm up. */
globalThis.measure = async (name, repeats) => {
  const contender = contenders[name];
  await load(contender);
  const times = [];
  for (let at = 0; at < repeats + 2; at++) times.push(await mount(contender));
  return times.slice(2);
};
