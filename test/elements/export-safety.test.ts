/**
 * Money and ownership: mistakes of a page, a host or a browser must not be paid for, or show
 * another user's export.
 */
import { expect } from '@open-wc/testing';
import { makeAccountTag } from '../../packages/host/src/users/account-tag.ts';
import { getAccount } from '../../src/client/account.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import {
  type BrowserWorld,
  newWorld,
  part,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import { mountedButtons, type ExportButton } from '../support/export-buttons.ts';

const prefix = 'clip-kit:attempt:';
const stored = () =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix))
    .map(
      (name) => [name, JSON.parse(localStorage.getItem(name)!) as Record<string, number>] as const,
    );

/** Moves the stored starts into the past, as if that much time had passed. */
function age(ms: number) {
  for (const [name, { sentAt, settledAt, ...rest }] of stored()) {
    const settled = settledAt == null ? null : settledAt - ms;
    const older = { ...rest, sentAt: sentAt! - ms, settledAt: settled };
    localStorage.setItem(name, JSON.stringify(older));
  }
}

describe('an export button, when something is wrong', () => {
  const { add, clear, open, started } = mountedButtons();
  const starts = async (world: BrowserWorld) => (await world.sent('start')).length;

  describe('an option that is missing or cannot be read', () => {
    const cases: [string, Record<string, string>][] = [
      ['missing-project', { project: '' }],
      ['missing-endpoint', { endpoint: '' }],
      ['invalid-url', { endpoint: 'javascript:1' }],
      ['invalid-watermark', { 'watermark-src': 'ftp://a/b' }],
      ['invalid-watermark', { 'watermark-src': '/a.png', 'watermark-x': '1.5' }],
      ['invalid-watermark', { watermark: '"https://a/b.png"' }],
      ['invalid-watermark', { watermark: '{"src_url":"/a.png","opacity":1}' }],
      ['invalid-watermark', { 'watermark-src': '/a.png', 'preset-id': 'p' }],
      ['invalid-watermark', { watermark: '' }],
      ['invalid-watermark', { watermark: 'undefined' }],
      ['invalid-watermark', { watermark: 'false' }],
      ['invalid-watermark', { 'watermark-src': '[object Object]' }],
      ['invalid-watermark', { 'watermark-src': '' }],
      ['invalid-watermark', { 'watermark-src': '/a.png', 'watermark-x': '' }],
      ['invalid-watermark', { 'watermark-src': '/a.png', 'watermark-y': 'left' }],
      ['invalid-watermark', { 'watermark-src': '/a.png', 'watermark-scale': '[object Object]' }],
      ['invalid-option', { 'preset-id': '[object Object]' }],
      ['invalid-option', { folder: '[object Object]' }],
      ['invalid-option', { 'export-id': '[object Object]' }],
      ['missing-project', { project: '[object Object]' }],
    ];
    for (const [code, attributes] of cases) {
      it(`is ${code}, and starts nothing: ${JSON.stringify(attributes)}`, async () => {
        const { world, element } = await open({}, attributes);
        await reaches(element, 'error');
        expect(element.error!.code).to.equal(code);
        await element.updateComplete;
        expect(part(element, '.retry')).to.equal(null);
        await element.start();
        await element.retry();
        expect(await starts(world)).to.equal(0);
      });
    }

    it('is refused as a property too', async () => {
      const world = await newWorld();
      const circular: Record<string, unknown> = { src_url: '/a.png' };
      circular['self'] = circular;
      for (const [name, value] of [
        ['watermark', ''],
        ['watermark', true],
        ['watermark', 5],
        ['watermark', circular],
        ['presetId', { id: 'bold' }],
        ['exportId', {}],
      ] as const) {
        const element = await add(world);
        Object.assign(element, { [name]: value });
        await reaches(element, 'error');
        await element.start();
      }
      expect(await starts(world)).to.equal(0);
    });

    it('is refused if it is set after the button was connected', async () => {
      const { world, element } = await open({}, { 'watermark-src': '/a.png' });
      element.setAttribute('watermark-x', 'left');
      await element.start();
      expect(element.error!.code).to.equal('invalid-watermark');
      expect(await starts(world)).to.equal(0);
    });

    for (const project of [null, '[object Object]']) {
      it(`starts nothing for the clip before it: project ${project}`, async () => {
        const { world, element } = await open();
        // On a busy page, missing exports may still arrive for as long as a start takes.
        const { setTimeout } = globalThis;
        const held: (() => void)[] = [];
        globalThis.setTimeout = ((work: () => void, ms?: number) =>
          ms === undefined ? held.push(work) : setTimeout(work, ms)) as typeof setTimeout;
        element.project = project;
        await element.start().finally(() => (globalThis.setTimeout = setTimeout));
        for (const work of held) work();
        await reaches(element, 'error');
        expect(element.error!.code).to.equal('missing-project');
        expect(await starts(world)).to.equal(0);
      });
    }

    it('but a position without an image is not a watermark', async () => {
      const { world } = await started({}, null, { 'watermark-x': '0.5', 'watermark-y': 'left' });
      expect((await world.sent('start'))[0]!.body).to.deep.equal({ project_id: 'clip-1' });
    });

    it('but a number that a framework sets as a text is read', async () => {
      const { world, element } = await open({}, { 'watermark-src': '/a.png' });
      element.watermarkX = '0.25';
      await element.start();
      const [start] = await world.sent('start');
      expect(start!.body!['watermark']).to.deep.include({ pos_x: 0.25 });
    });
  });

  describe('an option that changes', () => {
    const src = '/logo.png';

    it('keeps a running export as it is, and offers a new one next to it', async () => {
      const { world, element } = await started({ render: 600_000, estimate: 600_000 });
      const { id } = element.export!;
      element.setAttribute('watermark-src', src);
      await element.updateComplete;
      expect(element.status).to.equal('processing');
      expect(element.export!.id).to.equal(id);
      const again = part(element, '.again')!;
      expect(again.textContent!.trim()).to.equal('Export with the new options');
      await expect(element).to.be.accessible();
      // Pressing the busy button sends no request.
      part(element, 'button')!.click();
      await element.updateComplete;
      expect(await starts(world)).to.equal(1);
      again.click();
      await until(() => element.export && element.export.id !== id);
      const bodies = (await world.sent('start')).map(({ body }) => 'watermark' in body!);
      expect(bodies).to.deep.equal([false, true]);
      await element.updateComplete;
      expect(part(element, '.again')).to.equal(null);
    });

    it('keeps a finished export as it is, and withdraws the offer when the change is undone', async () => {
      const { world, element } = await started({}, 'ready');
      element.watermark = { src_url: src };
      await element.updateComplete;
      expect(element.status).to.equal('ready');
      expect(part(element, '.download')).to.not.equal(null);
      expect(part(element, '.again')).to.not.equal(null);
      element.watermark = null;
      await element.updateComplete;
      expect(part(element, '.again')).to.equal(null);
      expect(element.status).to.equal('ready');
      expect(await starts(world)).to.equal(1);
    });

    it('asks the page before the new one is started', async () => {
      const { world, element } = await started({}, 'ready');
      element.watermark = { src_url: src };
      await element.updateComplete;
      element.addEventListener('clip-export-start', (event) => event.preventDefault());
      part(element, '.again')!.click();
      await element.updateComplete;
      expect(element.status).to.equal('ready');
      expect(await starts(world)).to.equal(1);
    });

    it('and another clip is shown at once', async () => {
      const { element } = await started({ render: 600_000, estimate: 600_000 });
      element.project = 'clip-2';
      await reaches(element, 'idle');
      expect(part(element, '.again')).to.equal(null);
    });
  });

  describe('a start of which the service cannot say what became of it', () => {
    const lose = async () => {
      const { world, element } = await started({ keepsKeys: false, start: 'fail' }, 'unknown');
      await world.set({ start: 'ok', skew: 180_000 });
      await element.retry();
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('export-outcome-unresolved');
      expect(element.error!.message).to.contain('may use up another');
      return { world, element, before: await starts(world) };
    };

    it('asks the person, and sends the same key again after the answer', async () => {
      const { world, element, before } = await lose();
      await element.retry();
      await reaches(element, 'ready');
      const all = await world.sent('start');
      expect(new Set(all.map(({ key }) => key)).size).to.equal(1);
      const confirmed = all.map(({ body }) => 'confirmed_start' in body!);
      expect(confirmed).to.deep.equal([...Array(before).fill(false), true]);
    });

    it('asks again after a reload, and starts nothing until then', async () => {
      const { world } = await lose();
      await clear();
      const again = await add(world);
      await reaches(again, 'error');
      expect(again.error!.code).to.equal('export-outcome-unresolved');
      await again.retry();
      await reaches(again, 'ready');
    });
  });

  describe('a page that cannot remember', () => {
    it('asks for the same export again, and for the next one after it', async () => {
      const { world, element } = await started({}, 'ready');
      const { id } = element.export!;
      await clear();
      localStorage.clear();
      const again = await add(world);
      expect(again.status).to.equal('idle');
      await startUntil(again, 'ready');
      expect(again.export!.id).to.equal(id);
      again.reset();
      await startUntil(again, 'ready');
      expect(again.export!.id).to.not.equal(id);
    });
  });

  describe('another user in the same browser', () => {
    it('neither sees nor forgets the export of the first one', async () => {
      const { world, element: anns } = await started({ account: 'ann' }, 'ready');
      const { id } = anns.export!;
      await clear();
      await world.set({ account: 'ben' });
      const bens = await add(world);
      await until(
        () =>
          bens.status === 'idle' &&
          getAccount(new URL(world.endpoint, location.href).href) === makeAccountTag('ben'),
      );
      expect(bens.export).to.equal(null);
      await startUntil(bens, 'ready');
      expect(bens.export!.id).to.not.equal(id);
      await clear();
      await world.set({ account: 'ann' });
      const back = await add(world);
      await reaches(back, 'ready');
      await until(() => back.export?.id === id);
      expect((await world.sent('start')).length).to.equal(2);
    });

    it('does not pay for a click on the page of the first one', async () => {
      const { world } = await started({ account: 'ann' }, 'ready', { project: 'clip-2' });
      await clear();
      await world.set({ account: 'ben', render: 60_000, estimate: 60_000 });
      const element = await add(world);
      const codes: string[] = [];
      element.addEventListener('clip-export-error', ({ error }) => codes.push(error.code));
      expect(await element.start()).to.equal('idle');
      expect([element.error!.code, ...codes]).to.eql(['account-changed', 'account-changed']);
      expect(stored().filter(([name]) => name.includes('clip-1'))).to.eql([]);
      await element.updateComplete;
      expect(part(element, '.retry')).to.equal(null);
      part(element, 'button')!.click();
      await reaches(element, 'processing');
      expect(element.error).to.equal(null);
      const tags = (await world.sent('start')).map(({ account }) => account);
      expect(tags).to.eql([null, makeAccountTag('ann'), makeAccountTag('ben')]);
      const { id } = element.export!;
      await clear();
      const again = await add(world);
      await until(() => again.export?.id === id);
    });
  });

  it('forgets what nobody needs any more', async () => {
    const world = await newWorld();
    for (const project of ['clip-1', 'clip-2']) {
      const element = await add(world, { project });
      await startUntil(element, 'ready');
    }
    await clear();
    age(25 * 3_600_000);
    await (await add(world, { project: 'clip-3' })).start();
    expect(stored().map(([name]) => /clip-\d/.exec(name)?.[0] ?? name)).to.eql(['clip-3']);
  });

  describe('a reload in the middle of the start', () => {
    const reload = async (behaviour: Partial<Behaviour>) => {
      const { world, element } = await open({ render: 60_000, estimate: 60_000, ...behaviour });
      void element.start();
      await until(async () => (await starts(world)) > 0);
      await clear();
      return { world, again: await add(world) };
    };

    it('sends the same key again, and continues', async () => {
      const { world, again } = await reload({ holdsStarts: true });
      await until(async () => (await starts(world)) > 1);
      expect(again.status).to.equal('starting');
      expect(part(again, 'button')!.textContent).to.contain('Starting…');
      await world.set({ holdsStarts: false });
      await reaches(again, 'processing');
      expect(new Set((await world.sent('start')).map(({ key }) => key)).size).to.equal(1);
      const { id } = again.export!;
      await clear();
      const last = await add(world);
      await until(() => last.export?.id === id);
    });

    it('that overtook the start: both have one export', async () => {
      const { world } = await started(
        { render: 60_000, estimate: 60_000, start: 'drop' },
        'unknown',
      );
      const [[name, { key }]] = stored() as unknown as [[string, { key: string }]];
      expect(name).to.contain(world.endpoint);
      await clear();
      await world.set({ start: 'ok' });
      // The start arrives late.
      const late = fetch(`${world.endpoint}/exports`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ project_id: 'clip-1' }),
      });
      const again = await add(world);
      await reaches(again, 'processing');
      const { id } = (await (await late).json()) as { id: string };
      await until(() => again.export?.id === id);
    });
  });

  it('one endpoint under several names is one export', async () => {
    const world = await newWorld();
    const names = ['', '/', '//', '?', '/?', '#top'].map((end) => world.endpoint + end);
    const all: ExportButton[] = [];
    for (const endpoint of names) all.push(await add(world, { endpoint }));
    await Promise.all(all.map((element) => element.start()));
    await Promise.all(all.map((element) => reaches(element, 'ready')));
    expect(await starts(world)).to.equal(1);
  });

  describe('what is remembered of a start', () => {
    it('is not sent again a day later, and the next click finds what it has started', async () => {
      const { world } = await started({ start: 'act-then-drop' }, 'unknown');
      await clear();
      age(25 * 3_600_000);
      await world.set({ start: 'ok' });
      const before = await starts(world);
      const again = await add(world);
      expect(await again.start()).to.equal('processing');
      await reaches(again, 'ready');
      expect(await starts(world)).to.equal(before + 1);
      // The browser itself resends a request that is cut off on a kept connection.
      expect(new Set((await world.sent('start')).map(({ key }) => key)).size).to.equal(1);
    });

    it('is kept for as long as the export runs', async () => {
      const { world, element } = await started({ render: 600_000, estimate: 600_000 });
      const { id } = element.export!;
      await clear();
      age(25 * 3_600_000);
      const again = await add(world);
      await reaches(again, 'processing');
      await again.start();
      await until(() => again.export);
      expect(again.export!.id).to.equal(id);
      expect(await starts(world)).to.equal(1);
    });

    it('is forgotten a day after the export was ready', async () => {
      const { world } = await started({}, 'ready');
      await clear();
      age(23 * 3_600_000);
      await reaches(await add(world), 'ready');
      await clear();
      age(2 * 3_600_000);
      const again = await add(world);
      await startUntil(again, 'ready');
      expect(await starts(world)).to.equal(2);
    });
  });

  it('a list without the export does not lead to a second paid start', async () => {
    const { world, element } = await started({ render: 600_000, estimate: 100, holds: false });
    await world.set({ hidesRunning: true });
    await until(async () => (await world.sent()).some(({ path }) => path.startsWith('/exports/')));
    expect(element.status).to.equal('processing');
    await world.set({ hidesRunning: false, render: 0 });
    await reaches(element, 'ready');
    expect(await starts(world)).to.equal(1);
  });

  it('a wrong endpoint is called one, and not a clip that is not there', async () => {
    const { element } = await started({ elsewhere: true });
    expect(element.error!.code).to.equal('endpoint-not-found');
    expect(element.error!.message).to.contain('wrong address');
  });

  it('a Retry-After of a day is shown as a wait, and ends when the user returns', async () => {
    const { element } = await started({
      render: 100,
      estimate: 100,
      holds: false,
      failPolls: 1,
      retryAfter: 86_400,
    });
    await until(() => element.matches(':state(stalled)'));
    await element.updateComplete;
    expect(part(element, 'status')!.textContent!.trim()).to.equal(
      'The site is busy. Next try in about 10 minutes.',
    );
    dispatchEvent(new Event('focus'));
    await reaches(element, 'ready');
  });
});
