import { expect } from '@open-wc/testing';
import '../../src/index.ts';
import { bringTo, elementStates } from '../support/element-states.ts';
import { findFaults } from '../support/axe.ts';
import { mainOfSuite } from '../support/suite-main.ts';

describe('accessible', () => {
  const main = mainOfSuite();

  for (const state of elementStates) {
    it(`<${state.tag}> ${state.name} (${state.status})`, async () => {
      const { element } = await bringTo(state, main);
      for (const flag of [state.status, state.flag]) {
        if (flag) expect(element.matches(`:state(${flag})`), flag).to.equal(true);
      }
      expect(await findFaults(element, true)).to.deep.equal([]);
      expect(element.status).to.equal(state.status);
    });
  }

  describe('what is written on the play button is in its name', () => {
    const play = async (content: string) => {
      main.innerHTML = `<clip-preview project="a" loading="click" player-url="/frames" label="Harbour">${content}</clip-preview>`;
      const element = main.querySelector('clip-preview')!;
      await element.updateComplete;
      return element;
    };
    for (const content of [
      '<strong slot="play">Watch</strong>',
      '<b slot="poster">At dawn</b>',
      '<b slot="poster">At dawn</b><strong slot="play">Watch</strong>',
      '<i slot="play"></i><a href="/a">A plain link</a>',
    ]) {
      it(content, async () => {
        expect(await findFaults(await play(content))).to.deep.equal([]);
      });
    }

    it('what is in other slots is not', async () => {
      const element = await play('<b slot="loading">Wait</b>');
      const button = element.shadowRoot!.querySelector('button')!;
      expect(button.getAttribute('aria-label')).to.equal('Play: Harbour');
    });

    it('also when it changes', async () => {
      const element = await play('<strong slot="play">Watch</strong>');
      element.querySelector('strong')!.textContent = 'Look at it';
      expect(await findFaults(element)).to.deep.equal([]);
      element.innerHTML = '<strong slot="play">Another</strong>';
      expect(await findFaults(element)).to.deep.equal([]);
    });
  });
});
