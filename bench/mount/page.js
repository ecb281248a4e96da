import { contenders, make } from './contenders.js';

/** Elements that are in the page together while they come and go. */
const together = 25;
const grid = document.querySelector('main');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let made = 0;

/** Milliseconds from the first element made to all of them drawn and laid out. */
async function mount(contender) {
  const began = performance.now();
  const elements = document.createDocumentFragment();
  for (let at = 0; at < 1000; at++) elements.append(make(contender, at));
  grid.append(elements);
  // Elements that draw after the task do so in these.
  for (let turn = 0; turn < 10; turn++) await null;
  void grid.offsetHeight;
  const took = performance.now() - began;
  grid.replaceChildren();
  await pause(30);
  return took;
}

/** Returns the times of `repeats` mounts, after two that warm up. */
globalThis.measure = async (name, repeats) => {
  await import(contenders[name].script);
  const times = [];
  for (let at = 0; at < repeats + 2; at++) times.push(await mount(contenders[name]));
  return times.slice(2);
};

/** Puts so many fresh elements into the page, shows them, and takes them out again. */
globalThis.cycle = async (name, many) => {
  const contender = contenders[name];
  await import(contender.script);
  grid.style.marginTop = contender.far ? '20000px' : '';
  for (let at = 0; at < many; at += together) {
    const elements = Array.from({ length: together }, () => make(contender, made++));
    grid.append(...elements);
    await (contender.shown ? Promise.all(elements.map(contender.shown)) : pause(5));
    grid.replaceChildren();
  }
  await pause(50);
};
