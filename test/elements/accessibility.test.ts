import { expect } from '@open-wc/testing';
import 'axe-core/axe.min.js';
import type { AxeResults } from 'axe-core';
import '../../src/index.ts';
import { bringTo, elementStates } from '../support/element-states.ts';

const { axe } = globalThis as unknown as {
  axe: { run(context: Element, options: object): Promise<AxeResults> };
};

/** Frames show another page, of another origin. */
const options = {
  iframes: false,
  rules: { 'frame-tested': { enabled: false }, 'label-content-name-mismatch': { enabled: true } },
};

const faults = (results: AxeResults['violations']): string[] =>
  results.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );

describe('accessible', () => {
  let main: HTMLElement;
  beforeEach(() => {
    main = document.createElement('main');
    // Set explicitly, because axe assumes that a page without a background is white.
    main.style.background = 'Canvas';
    document.body.append(main);
    document.documentElement.lang = 'en';
  });
  afterEach(() => {
    main.remove();
    localStorage.clear();
    document.documentElement.style.colorScheme = '';
  });

  for (const state of elementStates) {
    it(`<${state.tag}> ${state.name} (${state.status})`, async () => {
      const { element } = await bringTo(state, main);
      for (const flag of [state.status, state.flag]) {
        if (flag) expect(element.matches(`:state(${flag})`), flag).to.equal(true);
      }
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        // A bar on its way below a text hides from axe what is behind the text.
        for (const one of element.shadowRoot!.getAnimations()) {
          if (one instanceof CSSTransition) one.finish();
        }
        const { violations, incomplete } = await axe.run(element, options);
        expect(faults(violations), scheme).to.deep.equal([]);
        expect(faults(incomplete), scheme).to.deep.equal([]);
      }
      expect(element.status).to.equal(state.status);
    });
  }

  describe('what is written on the play button is in its name', () => {
    const play = async (content: string) => {
      main.innerHTML = `<clip-preview project="a" loading="click" player-url="/frames" label="Harbour">${content}</clip-preview>`;
      const element = main.querySelector('clip-preview')!;
      await element.updateComplete;
      const faultsNow = async () => faults((await axe.run(element, options)).violations);
      return { element, faultsNow };
    };
    for (const content of [
      '<strong slot="play">Watch</strong>',
      '<b slot="poster">At dawn</b>',
      '<b slot="poster">At dawn</b><strong slot="play">Watch</strong>',
      '<i slot="play"></i><a href="/a">A plain link</a>',
    ]) {
      it(content, async () => {
        const { faultsNow } = await play(content);
        expect(await faultsNow()).to.deep.equal([]);
      });
    }

    it('what is in other slots is not', async () => {
      const { element } = await play('<b slot="loading">Wait</b>');
      const button = element.shadowRoot!.querySelector('button')!;
      expect(button.getAttribute('aria-label')).to.equal('Play: Harbour');
    });

    it('also when it changes', async () => {
      const { element, faultsNow } = await play('<strong slot="play">Watch</strong>');
      element.querySelector('strong')!.textContent = 'Look at it';
      expect(await faultsNow()).to.deep.equal([]);
      element.innerHTML = '<strong slot="play">Another</strong>';
      expect(await faultsNow()).to.deep.equal([]);
    });
  });
});
