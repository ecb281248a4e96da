import { expect } from '@open-wc/testing';
import '../../src/index.ts';
import { settingNames } from '../../src/upgrade/page-config.ts';
import { newWorld, until } from '../support/browser-world.ts';

/** Attributes of settings that an element reads itself while it loads. */
async function readBy(tag: 'clip-preview' | 'clip-embed' | 'clip-export-button') {
  const world = await newWorld();
  const element = document.createElement(tag);
  element.setAttribute('project', 'a');
  element.setAttribute('loading', 'eager');
  element.setAttribute('endpoint', world.endpoint);
  element.setAttribute('app-url', world.frames);
  element.setAttribute('player-url', world.frames);
  const read = new Set<string>();
  element.getAttribute = (name) => {
    if (settingNames.has(name)) read.add(name);
    return HTMLElement.prototype.getAttribute.call(element, name);
  };
  document.body.append(element);
  // What reads them is loaded after the button.
  if (tag === 'clip-export-button') await until(() => read.has('csrf-token'));
  else await until(() => element.matches(':state(ready)'));
  element.remove();
  return [...read].sort();
}

describe('the settings that an element declares', () => {
  for (const tag of ['clip-preview', 'clip-embed', 'clip-export-button'] as const) {
    it(`<${tag}>: each is used, and no other`, async () => {
      const { observedAttributes } = customElements.get(tag) as unknown as {
        observedAttributes: string[];
      };
      const declared = observedAttributes.filter((name) => settingNames.has(name));
      expect(await readBy(tag)).to.deep.equal(declared.sort());
    });
  }

  it('are all of them on <clip-config>', () => {
    const { observedAttributes } = customElements.get('clip-config') as unknown as {
      observedAttributes: string[];
    };
    expect(observedAttributes.toSorted()).to.deep.equal([...settingNames.keys()].sort());
  });
});
