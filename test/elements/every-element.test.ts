import { expect } from '@open-wc/testing';
import { addScript } from '../support/loaded-kit.ts';

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
