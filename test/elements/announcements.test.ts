import { expect } from '@open-wc/testing';
import '../../src/index.ts';
import { newWorld, reaches, type BrowserWorld } from '../support/browser-world.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import { bringTo, elementStates } from '../support/element-states.ts';
import { passQuarters, tenMinutes, type ExportButton } from '../support/export-buttons.ts';
import { mainOfSuite } from '../support/suite-main.ts';

/** The pieces of a text, as blocks and buttons separate them. */
const pieces = (node: Node): string =>
  node.nodeType === Node.TEXT_NODE
    ? node.nodeValue!.replaceAll(/\s+/g, ' ').trim()
    : [...node.childNodes].map(pieces).filter(Boolean).join(' ');

/** The live regions of an element, as a screen reader has them: role and text. */
const live = (element: Element): string[] =>
  [...element.shadowRoot!.querySelectorAll('[role="status"], [role="alert"]')].map(
    (region) => `${region.role}: ${pieces(region)}`,
  );

/** The content of the live regions in each state. */
const texts: Readonly<Record<string, string[]>> = {
  'clip-preview far away': [],
  'clip-preview a poster to click': [],
  'clip-preview loading': [],
  'clip-preview shown': [],
  'clip-preview without a project': ['alert: No project is set: set the id of a clip.'],
  'clip-preview timed out': ['alert: The clip did not load in time. Try again Open in a new tab'],
  'clip-embed far away': [],
  'clip-embed asking for a token': ['status: Loading…'],
  'clip-embed loading': ['status: Loading…'],
  'clip-embed shown': [],
  'clip-embed without a project': ['alert: No project is set: set the id of a clip.'],
  'clip-embed without a token': [
    'alert: The service has a problem. Try again in a moment. Try again',
  ],
  'clip-embed timed out': ['alert: The clip did not load in time. Try again Open in a new tab'],
  'clip-embed its token ended, and no other to be had': [
    'alert: Access to this clip could not be obtained. Try again',
  ],
  'clip-export-button not pressed': ['status: '],
  'clip-export-button starting': ['status: The export has started.'],
  'clip-export-button rendering, with an estimate': ['status: Export: 25%'],
  'clip-export-button rendering, without an estimate': ['status: The export has started.'],
  'clip-export-button rendering, and nothing heard of it': [
    'status: The connection is interrupted. Still trying.',
  ],
  'clip-export-button ready': ['status: The export is ready.'],
  'clip-export-button failed': ['status: The export failed. Start a new one.'],
  'clip-export-button not found': ['status: This clip was not found in your account.'],
  'clip-export-button without a project': ['status: No project is set: set the id of a clip.'],
  'clip-export-button at the limit': ['status: Your plan allows no more exports at the moment.'],
  'clip-export-button its start unknown': [
    'status: It is not known yet whether the export has started. This is being checked; nothing is started twice.',
  ],
};

describe('what a screen reader hears', () => {
  const main = mainOfSuite();

  for (const state of elementStates) {
    it(`<${state.tag}> ${state.name}`, async () => {
      const { element } = await bringTo(state, main);
      expect(live(element)).to.deep.equal(texts[`${state.tag} ${state.name}`]);
    });
  }

  /** Every text of its only live region, in order, from before it is pressed. */
  const heard = async (
    host: Partial<Behaviour>,
    end: ExportButton['status'],
    meanwhile?: (world: BrowserWorld, element: ExportButton, said: string[]) => Promise<void>,
  ): Promise<string[]> => {
    const world = await newWorld(host);
    const element = document.createElement('clip-export-button');
    Object.assign(element, { project: 'a', endpoint: world.endpoint });
    main.append(element);
    await element.updateComplete;
    const region = element.shadowRoot!.querySelector('[role="status"]')!;
    const said: string[] = [];
    const observer = new MutationObserver(() => {
      const now = region.textContent!.trim();
      if (now !== (said.at(-1) ?? '')) said.push(now);
    });
    observer.observe(region, { childList: true, characterData: true, subtree: true });
    await element.start();
    await meanwhile?.(world, element, said);
    await reaches(element, end);
    observer.disconnect();
    // Few screen readers announce text in a region that was just created.
    expect(region.isConnected).to.equal(true);
    return said;
  };

  it('an export: its start, its quarters, its end', async () => {
    const all = await heard(tenMinutes, 'ready', (world, element, said) =>
      passQuarters(world, element, () => said.at(-1)),
    );
    expect(all).to.deep.equal([
      'The export has started.',
      'Export: 25%',
      'Export: 50%',
      'Export: 75%',
      'The export is ready.',
    ]);
  });

  it('an export that nobody can say anything of: its start and its end', async () => {
    expect(await heard({ render: 300, estimate: 0 }, 'ready')).to.deep.equal([
      'The export has started.',
      'The export is ready.',
    ]);
  });

  it('an export that fails: its start, and what happened', async () => {
    const host = { render: 100, estimate: 0, outcome: 'error' } as const;
    expect(await heard(host, 'error')).to.deep.equal([
      'The export has started.',
      'The export failed. Start a new one.',
    ]);
  });

  it('an export that the plan does not allow: why', async () => {
    expect((await heard({ start: 'limit' }, 'limit')).at(-1)).to.equal(
      'Your plan allows no more exports at the moment.',
    );
  });
});
