import { expect } from '@open-wc/testing';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-feed.ts';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-videos.ts';
import '../../src/index.ts';
import { bringTo, elementStates } from '../support/element-states.ts';
import { newElement, newWorld, reaches } from '../support/browser-world.ts';
import { mainOfSuite } from '../support/suite-main.ts';

/** A round symbol, and a bar, whatever the corners are. */
const rounds = ['50%', '99px'];

function* insideOf(root: ParentNode): Generator<Element> {
  for (const one of root.querySelectorAll('*')) {
    yield one;
    if (one.shadowRoot) yield* insideOf(one.shadowRoot);
  }
}

function corners(element: Element): string[] {
  const all = [element, ...insideOf(element.shadowRoot!)].filter(
    (one) => !one.matches('input[type="checkbox"], input[type="radio"]'),
  );
  const radii = all.map((one) => {
    const { borderTopLeftRadius: radius } = getComputedStyle(one);
    return `${one.localName} ${one.getAttribute('part') ?? one.className}: ${radius}`;
  });
  return radii.filter((text) => !rounds.some((round) => text.endsWith(` ${round}`)));
}
const square = (element: Element): string[] =>
  corners(element).filter((text) => !text.endsWith(' 0px'));

describe('the box of an element', () => {
  const main = mainOfSuite();

  async function put<K extends 'clip-create' | 'clip-videos' | 'clip-list'>(
    tag: K,
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<HTMLElementTagNameMap[K]> {
    const world = await newWorld();
    await world.setTasks([
      { id: 'talk', name: 'talk.mp4', status: 'ready', clip_count: 2, source_seconds: 90 },
    ]);
    const element = newElement(tag, { endpoint: world.endpoint, ...attributes });
    main.append(element);
    await element.updateComplete;
    return element;
  }

  for (const state of elementStates) {
    it(`has square corners with --clip-radius: <${state.tag}> ${state.name}`, async () => {
      main.style.setProperty('--clip-radius', '0px');
      const { element } = await bringTo(state, main);
      expect(square(element)).to.deep.equal([]);
    });
  }

  it('has square corners with --clip-radius: <clip-create>, <clip-videos>, <clip-list>', async () => {
    main.style.setProperty('--clip-radius', '0px');
    const create = await put('clip-create', { options: 'count length shape' });
    const videos = await put('clip-videos');
    await reaches(videos, 'ready');
    const list = await put('clip-list', { folder: 'folder-1', select: '' });
    for (const element of [create, videos, list]) expect(square(element)).to.deep.equal([]);
  });

  it('has round corners on the buttons of --clip-button-radius', async () => {
    main.style.setProperty('--clip-radius', '0px');
    main.style.setProperty('--clip-button-radius', '7px');
    const create = await put('clip-create');
    const buttons = [...create.shadowRoot!.querySelectorAll('button')];
    const radii = buttons.map((one) => getComputedStyle(one).borderTopLeftRadius);
    expect([...new Set(radii)]).to.deep.equal(['7px']);
  });

  it('keeps a distance from the element above', async () => {
    const create = await put('clip-create');
    const videos = await put('clip-videos');
    const list = await put('clip-list', { folder: 'folder-1' });
    const bottom = (one: Element) => one.getBoundingClientRect().bottom;
    const top = (one: Element) => one.getBoundingClientRect().top;
    expect(top(videos) - bottom(create)).to.equal(24);
    expect(top(list) - bottom(videos)).to.equal(24);
    create.remove();
    expect(top(videos)).to.equal(top(main));
  });

  it('has a summary of at least 24 pixels', async () => {
    const create = await put('clip-create');
    const summary = create.shadowRoot!.querySelector('summary')!;
    expect(summary.getBoundingClientRect().height).to.be.at.least(24);
  });
});
