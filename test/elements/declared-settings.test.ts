import { expect } from '@open-wc/testing';
import '../../src/index.ts';
import { attributeOf } from '../../src/elements/reactive-element.ts';
import { settingProperties, type ClipSettings } from '../../src/elements/settings.ts';
import { newWorld, until } from '../support/browser-world.ts';

const settings = Object.keys(settingProperties) as (keyof ClipSettings)[];

/** Settings that an element reads itself while it loads. */
async function readBy(tag: 'clip-preview' | 'clip-embed' | 'clip-export-button') {
  const world = await newWorld();
  const element = document.createElement(tag);
  element.setAttribute('project', 'a');
  element.setAttribute('loading', 'eager');
  const values: ClipSettings = {
    endpoint: world.endpoint,
    appUrl: world.frames,
    playerUrl: world.frames,
  };
  const read = new Set<string>();
  for (const name of settings) {
    Object.defineProperty(element, name, {
      get() {
        read.add(attributeOf(name));
        return values[name] ?? null;
      },
    });
  }
  document.body.append(element);
  if (tag === 'clip-export-button') await until(() => element.matches(':state(idle)'));
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
      const declared = settings
        .map(attributeOf)
        .filter((name) => observedAttributes.includes(name));
      expect(await readBy(tag)).to.deep.equal(declared.sort());
    });
  }

  it('are all of them on <clip-config>', () => {
    const { observedAttributes } = customElements.get('clip-config') as unknown as {
      observedAttributes: string[];
    };
    expect(observedAttributes.toSorted()).to.deep.equal(settings.map(attributeOf).sort());
  });
});
