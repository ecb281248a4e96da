import { expect, fixture, html } from '@open-wc/testing';
import { newWorld, reaches } from '../support/browser-world.ts';
import { addScript, load, singleFile, uncaught } from '../support/loaded-kit.ts';

const tags = ['clip-config', 'clip-embed', 'clip-preview', 'clip-export-button'] as const;

describe('a page that loads the kit several times', () => {
  let seen: ReturnType<typeof uncaught>;
  let first: unknown[];
  before(async () => {
    seen = uncaught();
    await addScript(singleFile('one'));
    first = tags.map((tag) => customElements.get(tag));
    await addScript(singleFile('two'));
    await load('/dist/index.js');
    for (const tag of tags) await load(`/dist/define/${tag}.js`);
  });
  after(() => seen.end());

  it('by two script tags and by every module: nothing is thrown, and the first definition stays', () => {
    expect(first.every(Boolean)).to.equal(true);
    expect(tags.map((tag) => customElements.get(tag))).to.deep.equal(first);
    expect(seen.thrown).to.deep.equal([]);
  });

  it('has elements that work, with one start for a double click', async () => {
    const world = await newWorld();
    const box = await fixture(html`
      <clip-config endpoint=${world.endpoint} app-url=${world.frames} player-url=${world.frames}>
        <clip-embed project="a" loading="eager"></clip-embed>
        <clip-preview project="a" loading="eager"></clip-preview>
        <clip-export-button project="a"></clip-export-button>
      </clip-config>
    `);
    const button = box.querySelector('clip-export-button')!;
    const click = () => button.shadowRoot!.querySelector<HTMLElement>('[part="button"]')!.click();
    click();
    click();
    await reaches(box.querySelector('clip-embed')!, 'ready');
    await reaches(box.querySelector('clip-preview')!, 'ready');
    await reaches(button, 'ready');
    expect(await world.sent('start')).to.have.length(1);
    expect(await world.sent('token')).to.have.length(1);
    expect(seen.thrown).to.deep.equal([]);
  });
});

describe('the single file with every element', () => {
  it('defines all of them', async () => {
    await addScript('/dist/cdn/clip-studio.js');
    const manifest = await (await fetch('/custom-elements.json')).json();
    const { modules } = manifest as {
      modules: { exports?: { kind: string; name: string }[] }[];
    };
    const tags = modules
      .flatMap(({ exports = [] }) => exports)
      .filter(({ kind }) => kind === 'custom-element-definition')
      .map(({ name }) => name);
    expect(tags).to.include.members(['clip-embed', 'clip-create']);
    expect(tags.filter((tag) => !customElements.get(tag))).to.deep.equal([]);
  });
});
