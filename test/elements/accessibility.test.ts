import { expect } from '@open-wc/testing';
import 'axe-core/axe.min.js';
import type { AxeResults } from 'axe-core';
import '../../src/index.ts';
import { bringTo, elementStates } from '../support/element-states.ts';

const { axe } = globalThis as unknown as {
  axe: { run(context: Element, options: object): Promise<AxeResults> };
};

/** What frames show is another page's, of another origin. */
const options = { iframes: false, rules: { 'frame-tested': { enabled: false } } };

const faults = (results: AxeResults['violations']): string[] =>
  results.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );

describe('accessible', () => {
  let main: HTMLElement;
  beforeEach(() => {
    main = document.createElement('main');
    // Said, because axe takes a page without a background for white.
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
        const { violations, incomplete } = await axe.run(element, options);
        expect(faults(violations), scheme).to.deep.equal([]);
        expect(faults(incomplete), scheme).to.deep.equal([]);
      }
      expect(element.status).to.equal(state.status);
    });
  }
});
