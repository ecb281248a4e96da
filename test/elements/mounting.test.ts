import { aTimeout, expect, nextFrame } from '@open-wc/testing';
import '../../src/index.ts';
import { newWorld, until } from '../support/browser-world.ts';
import { stallMs } from 'clip-testkit/stall-ms';

/** Counts what is active: timers, and listeners on the page's own targets. */
function countLiving() {
  const timers = new Set<unknown>();
  let listeners: { type: string; listener: EventListener }[] = [];
  const undo: (() => void)[] = [];
  const replace = <T extends object, K extends keyof T>(owner: T, name: K, value: T[K]) => {
    const before = owner[name];
    owner[name] = value;
    undo.push(() => {
      owner[name] = before;
    });
  };
  const { setTimeout: later, clearTimeout: notLater } = globalThis;
  const { setInterval: often, clearInterval: notOften } = globalThis;
  replace(globalThis, 'setTimeout', ((work: () => void, ms?: number) => {
    const timer = later(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  replace(globalThis, 'setInterval', ((work: () => void, ms?: number) => {
    const timer = often(work, ms);
    timers.add(timer);
    return timer;
  }) as typeof setInterval);
  const clear = (end: (timer?: number) => void) => (timer?: number) => {
    timers.delete(timer);
    end(timer);
  };
  replace(globalThis, 'clearTimeout', clear(notLater) as typeof clearTimeout);
  replace(globalThis, 'clearInterval', clear(notOften) as typeof clearInterval);
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    const remove = target.removeEventListener.bind(target);
    const forget = (type: string, listener: EventListener) => {
      listeners = listeners.filter((one) => one.type !== type || one.listener !== listener);
    };
    replace(target, 'addEventListener', ((
      type: string,
      listener: EventListener,
      options?: AddEventListenerOptions,
    ) => {
      add(type, listener, options);
      // The browser takes no listener whose signal is aborted. And the page hears of edits from the
      // first button on: it comes when its code is loaded, and stays.
      if (options?.signal?.aborted || type === 'clip-edit') return;
      listeners.push({ type, listener });
      options?.signal?.addEventListener('abort', () => forget(type, listener));
    }) as typeof target.addEventListener);
    replace(target, 'removeEventListener', ((type: string, listener: EventListener) => {
      forget(type, listener);
      remove(type, listener);
    }) as typeof target.removeEventListener);
  }
  return {
    now: () => ({
      timers: timers.size,
      listeners: listeners.map(({ type }) => type),
      frames: frames.length,
    }),
    /** Waits without being counted. */
    pause: (ms: number) => new Promise<void>((resolve) => later(resolve, ms)),
    end: () => undo.forEach((again) => again()),
  };
}

function make(endpoint: string, at: number): HTMLElement[] {
  const settings = {
    project: `clip-${at}`,
    endpoint,
    'app-url': '/frames',
    'player-url': '/frames',
  };
  const wanted: [string, Record<string, string>][] = [
    ['clip-preview', { loading: 'click', poster: '/a.jpg' }],
    ['clip-preview', {}],
    ['clip-embed', { token: 't' }],
    ['clip-export-button', {}],
  ];
  return wanted.map(([name, own]) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries({ ...settings, ...own })) {
      element.setAttribute(key, value);
    }
    return element;
  });
}

describe('mounting and unmounting', () => {
  it('a thousand times leaves no node, listener, timer or frame behind', async () => {
    const { endpoint } = await newWorld();
    // What is loaded and created once for a page exists before the count.
    const first = make(endpoint, 0);
    const framed = first.slice(1, 3);
    // Also if it is below the edge of the window.
    for (const element of framed) element.setAttribute('loading', 'eager');
    document.body.append(...first);
    await until(() => framed.every((element) => element.matches(':state(ready)')));
    for (const element of first) element.remove();
    await aTimeout(0);
    const nodes = document.querySelectorAll('*').length;
    const living = countLiving();
    try {
      for (let at = 0; at < 250; at++) {
        const elements = make(endpoint, at);
        document.body.append(...elements);
        // Some are removed before they are drawn, some while they load.
        if (at % 3) await null;
        if (at % 25 === 0) await living.pause(5);
        for (const element of elements) element.remove();
      }
      const ended = () => Object.values(living.now()).every((left) => !Number(left));
      for (let waited = 0; waited < stallMs && !ended(); waited += 20) await living.pause(20);
      expect(living.now()).to.deep.equal({ timers: 0, listeners: [], frames: 0 });
      expect(document.querySelectorAll('*').length).to.equal(nodes);
    } finally {
      living.end();
    }
  });

  it('a hundred idle buttons and posters needs few nodes and listeners', async () => {
    const { endpoint } = await newWorld();
    /** Mounts a hundred elements: how many nodes and listeners each has, its own node included. */
    const costOf = async (tag: string, own: Readonly<Record<string, string>>) => {
      let listeners = 0;
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (...given) {
        // Those of windows and documents are for all elements.
        if (this instanceof Element || this instanceof AbortSignal) listeners++;
        add.apply(this, given);
      };
      const elements = Array.from({ length: 100 }, (_, at) => {
        const element = document.createElement(tag);
        const all = { project: `cost-${at}`, endpoint, 'player-url': '/frames', ...own };
        for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
        return element;
      });
      try {
        document.body.append(...elements);
        // What a button does without a press, it does after the page has drawn it, one by one.
        let [known, quietFrames] = [-1, 0];
        while (quietFrames < 10) {
          await nextFrame();
          await aTimeout(0);
          quietFrames = listeners === known ? quietFrames + 1 : 0;
          known = listeners;
        }
      } finally {
        EventTarget.prototype.addEventListener = add;
      }
      const nodes = elements.map(({ shadowRoot }) => {
        const walker = document.createTreeWalker(shadowRoot!);
        let count = 2;
        // The builds leave out the space between tags.
        while (walker.nextNode()) count += /^\s+$/.test(walker.currentNode.nodeValue!) ? 0 : 1;
        return count;
      });
      for (const element of elements) element.remove();
      return { nodes: Math.max(...nodes), listeners: listeners / elements.length };
    };
    expect(await costOf('clip-export-button', {})).to.deep.equal({ nodes: 15, listeners: 2 });
    expect(await costOf('clip-preview', { loading: 'click', poster: '/a.jpg' })).to.deep.equal({
      nodes: 12,
      listeners: 5,
    });
  });
});
