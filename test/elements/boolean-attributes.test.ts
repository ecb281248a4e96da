import { expect } from '@open-wc/testing';
import '../../src/cdn/clip-studio.ts';

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly tagName?: string;
      readonly attributes?: readonly {
        readonly name: string;
        readonly fieldName?: string;
        readonly type?: { readonly text: string };
      }[];
    }[];
  }[];
}

const { createApp, h } = (await import(
  /* @vite-ignore */ '/node_modules/vue/dist/vue.runtime.esm-browser.prod.js' as string
)) as typeof import('vue');
const manifest = (await (await fetch('/custom-elements.json')).json()) as Manifest;
const elements = manifest.modules.flatMap(({ declarations }) => declarations);

describe('every boolean attribute of every element', () => {
  for (const { tagName, attributes = [] } of elements) {
    const names = attributes
      .filter(({ type }) => type?.text === 'boolean')
      .map(({ name, fieldName = name }) => [name, fieldName] as const);
    if (!tagName || !names.length) continue;
    it(`is off where Vue binds it to false, and on for true (${tagName})`, () => {
      for (const value of [false, true]) {
        const place = document.createElement('div');
        const app = createApp(() =>
          h(tagName, Object.fromEntries(names.map(([name]) => [name, value]))),
        );
        app.mount(place);
        const element = place.firstElementChild as unknown as Record<string, unknown>;
        expect(names.map(([name, property]) => [name, element[property]])).to.deep.equal(
          names.map(([name]) => [name, value]),
        );
        app.unmount();
      }
    });
  }
});
