/** A press before a framework has continued the server’s page: no start without its options. */
import { aTimeout, expect } from '@open-wc/testing';
import { nextEvent, part, reaches } from '../support/browser-world.ts';
import { mountedButtons, type ExportButton } from '../support/export-buttons.ts';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
const whole = { ...watermark, pos_y: 0.5, scale: 1 };

describe('an export button whose options are still to come', () => {
  const { add, open } = mountedButtons();

  /** The timers that the element has set, of this many milliseconds. */
  const timersOf = (wanted: number) => {
    const { setTimeout } = globalThis;
    const set: (() => void)[] = [];
    globalThis.setTimeout = ((work: () => void, ms?: number) =>
      ms === wanted ? set.push(work) : setTimeout(work, ms)) as typeof setTimeout;
    return { set, end: () => (globalThis.setTimeout = setTimeout) };
  };

  /** What a server writes, and how a framework sets the rest in the browser. */
  const cases: [string, Record<string, string>, (element: ExportButton) => void][] = [
    [
      'an object that a server has written as a text',
      { watermark: '[object Object]' },
      (element) => (element.watermark = watermark),
    ],
    [
      'a property that the server has not written',
      { hydrating: '' },
      (element) => {
        element.watermark = watermark;
        element.hydrating = false;
      },
    ],
    [
      'attributes that come in any order',
      { hydrating: 'true', watermark: '[object Object]' },
      (element) => {
        element.setAttribute('hydrating', 'false');
        element.setAttribute('watermark', JSON.stringify(watermark));
      },
    ],
  ];
  for (const [what, attributes, hydrate] of cases) {
    it(`carries out an earlier press once they are there: ${what}`, async () => {
      const { world, element } = await open({}, attributes);
      expect([element.status, element.error]).to.deep.equal(['idle', null]);
      part(element, 'button')!.click();
      await reaches(element, 'starting');
      expect(part(element, 'button')!.ariaDisabled).to.equal('true');
      expect(part(element, 'button')!.textContent).to.contain('Starting…');
      expect(part(element, 'status')!.textContent!.trim()).to.equal('');
      part(element, 'button')!.click();
      hydrate(element);
      // In the task of the framework, after the options.
      let asked = 0;
      element.addEventListener('clip-export-start', () => (asked += 1));
      await reaches(element, 'ready');
      await element.start();
      const starts = await world.sent('start');
      expect(starts.map(({ body }) => body!['watermark'])).to.deep.equal([whole]);
      expect([asked, part(element, '.again')]).to.deep.equal([1, null]);
    });
  }

  it('lets the listeners of the page stop an earlier press', async () => {
    const { world, element } = await open({}, { hydrating: '' });
    expect(await element.start()).to.equal('starting');
    const asked = nextEvent(element, 'clip-export-start');
    element.hydrating = false;
    element.addEventListener('clip-export-start', (event) => event.preventDefault());
    await asked;
    await element.updateComplete;
    expect(element.status).to.equal('idle');
    expect(await world.sent('start')).to.have.length(0);
  });

  it('starts nothing after stop() or its removal', async () => {
    const { world, element: stopped } = await open({}, { hydrating: '' });
    const removed = await add(world, { hydrating: '' });
    await Promise.all([stopped.start(), removed.start()]);
    stopped.stop();
    removed.remove();
    for (const element of [stopped, removed]) element.hydrating = false;
    await aTimeout(0);
    document.body.append(removed);
    await aTimeout(0);
    expect([stopped.status, removed.status]).to.deep.equal(['idle', 'idle']);
    expect(await world.sent('start')).to.have.length(0);
  });

  for (const [code, attributes] of [
    ['invalid-watermark', { watermark: '[object Object]' }],
    ['load-failed', { hydrating: '' }],
  ] as const) {
    it(`says ${code} if they do not come within half a minute of a press, and starts nothing`, async () => {
      const { world, element } = await open({}, attributes);
      for (const press of ['start', 'retry'] as const) {
        const late = timersOf(30_000);
        await element[press]().finally(late.end);
        expect(element.status).to.equal('starting');
        for (const work of late.set) work();
        await reaches(element, 'error');
        expect(element.error!.code).to.equal(code);
      }
      expect(await world.sent('start')).to.have.length(0);
      // They have come after all.
      element.watermark = watermark;
      element.hydrating = false;
      await reaches(element, 'idle');
      await element.start();
      expect((await world.sent('start')).map(({ body }) => body!['watermark'])).to.eql([whole]);
    });
  }

  it('writes the watermark into its attribute, which a copy of the element has too', async () => {
    const { element } = await open();
    element.watermark = watermark;
    expect(element.getAttribute('watermark')).to.equal(JSON.stringify(watermark));
    expect((element.cloneNode() as ExportButton).watermark).to.deep.equal(watermark);
    Object.assign(element, { watermark: JSON.stringify(watermark) });
    expect(element.watermark).to.deep.equal(watermark);
    element.watermark = null;
    expect(element.hasAttribute('watermark')).to.equal(false);
  });
});
