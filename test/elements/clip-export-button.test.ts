import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../../src/define/clip-config.ts';
import {
  type BrowserWorld,
  newWorld,
  nextEvent,
  part,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import { mountedButtons, passQuarters, tenMinutes } from '../support/export-buttons.ts';

const spoken = (element: Element) => part(element, 'status')!.textContent!.trim();

describe('<clip-export-button>', () => {
  const { add, clear, open, started } = mountedButtons();

  it('goes from idle over starting and processing to ready, and offers the file', async () => {
    const { world, element } = await open({ render: 600_000 }, { folder: 'folder-1' });
    expect(element.status).to.equal('idle');
    expect(part(element, 'button')!.textContent!.trim()).to.equal('Export');
    await expect(element).to.be.accessible();
    const events: string[] = [];
    const shares: (number | null)[] = [];
    element.addEventListener('clip-export-start', () => events.push('start'));
    element.addEventListener('clip-export-progress', ({ progress }) => {
      events.push('progress');
      shares.push(progress);
    });
    const ready = nextEvent(element, 'clip-export-ready');
    part(element, 'button')!.click();
    expect(element.status).to.equal('starting');
    await reaches(element, 'processing');
    expect(element.matches(':state(processing)')).to.equal(true);
    expect(element.export!.project_id).to.equal('clip-1');
    await world.set({ render: 0 });
    const { export: one, downloadUrl } = await ready;
    expect(element.status).to.equal('ready');
    expect(element.progress).to.equal(1);
    const file = `${location.origin}${world.endpoint}/exports/${one.id}/download?project_id=clip-1&folder_id=folder-1`;
    expect(downloadUrl).to.equal(file);
    expect(element.downloadUrl).to.equal(file);
    expect(events[0]).to.equal('start');
    expect(shares.every((share) => share === null || share < 1)).to.equal(true);
    await element.updateComplete;
    const link = part(element, '.download') as HTMLAnchorElement;
    expect(link.href).to.equal(file);
    expect(link.download).to.equal('My_clip__no._1.mp4');
    expect(spoken(element)).to.equal('The export is ready.');
    await expect(element).to.be.accessible();
    const [start] = await world.sent('start');
    expect(start!.body).to.deep.equal({ project_id: 'clip-1', folder_id: 'folder-1' });
    expect(start!.key).to.match(/^[A-Za-z0-9._-]{8,128}$/);
  });

  it('is held by the host: few questions, asked with Prefer: wait=25', async () => {
    const { world, element } = await open({ render: 1500, estimate: 1500 });
    expect(await element.start()).to.equal('processing');
    await reaches(element, 'ready');
    const polls = await world.sent('poll');
    expect(polls).to.have.length(1);
    expect(polls[0]!.prefer).to.equal('wait=25');
  });

  describe('a start whose outcome is not known', () => {
    for (const start of ['act-then-fail', 'act-then-drop'] as const) {
      it(`${start}: is sent again under its key, and starts one export`, async () => {
        const world = await newWorld({ start, render: 900, estimate: 900 });
        const element = await add(world);
        const states: string[] = [];
        element.addEventListener('clip-export-error', ({ error }) => states.push(error.code));
        void element.start();
        await reaches(element, 'unknown');
        expect(states).to.deep.equal(['export-outcome-unknown']);
        await world.set({ start: 'ok' });
        await reaches(element, 'ready');
        const keys = new Set((await world.sent('start')).map(({ key }) => key));
        expect(keys).to.have.length(1);
        expect(states).to.have.length(1);
        const shown = element.export!.id;
        await clear();
        const again = await add(world);
        await reaches(again, 'ready');
        expect(again.export!.id).to.equal(shown);
      });
    }

    it('stays unknown while the host is down, with a button that asks again', async () => {
      const { world, element } = await started(
        { start: 'act-then-fail', render: 60_000 },
        'unknown',
      );
      await element.updateComplete;
      expect(spoken(element)).to.contain('nothing is started twice');
      expect(part(element, 'button')).to.equal(null);
      expect(part(element, '.retry')!.textContent!.trim()).to.equal('Check again');
      await expect(element).to.be.accessible();
      await world.set({ start: 'ok' });
      part(element, '.retry')!.click();
      await reaches(element, 'processing');
    });
  });

  describe('refusals', () => {
    it('402 is limit: explained, and the button can be used again', async () => {
      const { world, element } = await open({ start: 'limit' });
      const failed = nextEvent(element, 'clip-export-error');
      await element.start();
      const { error } = await failed;
      expect(error.code).to.equal('export-limit');
      expect(error.status).to.equal(402);
      expect(element.status).to.equal('limit');
      await element.updateComplete;
      expect(spoken(element)).to.equal('Your plan allows no more exports at the moment.');
      await expect(element).to.be.accessible();
      await world.set({ start: 'ok' });
      part(element, 'button')!.click();
      await reaches(element, 'ready');
      const keys = (await world.sent('start')).map(({ key }) => key);
      // Nothing was started with it, so the key is free.
      expect(keys[0]).to.equal(keys[1]);
    });

    it('404 is clip-not-found; it can be tried again, because the clip may come back', async () => {
      const { element } = await started({ start: 'not-found' });
      expect(element.status).to.equal('error');
      expect(element.error!.code).to.equal('clip-not-found');
      await element.updateComplete;
      expect(part(element, '.retry') === null).to.equal(false);
    });

    it('401 is unauthenticated', async () => {
      const { element } = await started({ unauthenticated: true });
      expect(element.error!.code).to.equal('unauthenticated');
    });
  });

  it('a failed render is an error; retry() starts a new export', async () => {
    const { world, element } = await started(
      { outcome: 'error', render: 100, estimate: 100 },
      'error',
    );
    expect(element.error!.code).to.equal('export-failed');
    await element.updateComplete;
    await expect(element).to.be.accessible();
    const first = element.export!.id;
    await world.set({ outcome: 'ready' });
    part(element, '.retry')!.click();
    await reaches(element, 'ready');
    expect(element.export!.id).to.not.equal(first);
    expect(await world.sent('start')).to.have.length(2);
  });

  it('clip-export-start can be cancelled; nothing is sent then', async () => {
    const { world, element } = await open();
    element.addEventListener('clip-export-start', (event) => event.preventDefault());
    expect(await element.start()).to.equal('idle');
    expect(await world.sent()).to.have.length(0);
  });

  describe('configuration', () => {
    it('sends the preset of variant B', async () => {
      const { world } = await started({}, null, { 'preset-id': 'preset-1' });
      expect((await world.sent('start'))[0]!.body).to.deep.equal({
        project_id: 'clip-1',
        preset_id: 'preset-1',
      });
    });

    it('takes the watermark as JSON or as a property', async () => {
      const { world, element } = await open({}, { watermark: '{"src_url":"/a.png","scale":2}' });
      element.watermark = { src_url: 'https://example.com/b.png', pos_x: 0 };
      await element.updateComplete;
      await element.start();
      expect((await world.sent('start'))[0]!.body!['watermark']).to.deep.equal({
        src_url: 'https://example.com/b.png',
        pos_x: 0,
        pos_y: 0.5,
        scale: 1,
      });
    });
  });

  it('watches an export by its id', async () => {
    const { world, element } = await started();
    const { id } = element.export!;
    const other = await add(world, { 'export-id': id });
    await reaches(other, 'ready');
    expect(await world.sent('start')).to.have.length(1);
    const none = await add(world, { 'export-id': 'no-such' });
    await reaches(none, 'error');
    expect(none.error!.code).to.equal('export-not-found');
  });

  it('keeps its size from the first press to the download', async () => {
    const { element } = await open({ startDelay: 50, render: 1500, estimate: 1500 });
    const sizes = new Set<string>();
    const look = () => {
      const { width, height } = element.getBoundingClientRect();
      const control = element.shadowRoot!.querySelector('.main')!.getBoundingClientRect();
      sizes.add(`${width} ${height} ${control.width} ${control.height}`);
    };
    look();
    const seen = new MutationObserver(look);
    seen.observe(element.shadowRoot!, { childList: true, characterData: true, subtree: true });
    await startUntil(element, 'ready');
    look();
    seen.disconnect();
    expect([...sizes]).to.have.length(1);
  });

  it('fills the width that the page gives it, and not the height', async () => {
    const { endpoint } = await newWorld();
    const row = await fixture(html`
      <div style="display: flex; height: 200px">
        <clip-export-button
          project="clip"
          endpoint=${endpoint}
          style="width: 300px"
        ></clip-export-button>
      </div>
    `);
    const element = row.querySelector('clip-export-button')!;
    await element.updateComplete;
    const { width, height } = part(element, 'button')!.getBoundingClientRect();
    expect(width).to.equal(300);
    expect(height).to.equal(44);
  });

  it('has room for labels of the page, and stays on its line with text below it', async () => {
    const world = await newWorld({ render: 0, estimate: 0 });
    const line = await fixture(html`
      <p>
        <span>Text</span>
        <clip-export-button project="clip" endpoint=${world.endpoint}>
          <b slot="ready">Save the file on this computer, to send it to your friends</b>
        </clip-export-button>
      </p>
    `);
    const element = line.querySelector('clip-export-button')!;
    const control = () => element.shadowRoot!.querySelector('.main')!.getBoundingClientRect();
    const rise = () => line.querySelector('span')!.getBoundingClientRect().y - control().y;
    await element.updateComplete;
    const before = [control().width, control().height, rise()];
    await startUntil(element, 'ready');
    element.presetId = 'another';
    await until(() => part(element, '.again'));
    expect([control().width, control().height, rise()]).to.deep.equal(before);
    expect(control().width).to.be.greaterThan(300);
  });

  it('animates only what the compositor animates', async () => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const moved = new Set<string>();
    const note = (element: Element) => {
      for (const one of element.shadowRoot!.querySelectorAll('*')) {
        for (const { effect } of one.getAnimations()) {
          for (const frame of (effect as KeyframeEffect).getKeyframes()) {
            const { offset, computedOffset, easing, composite, ...properties } = frame;
            for (const name of Object.keys(properties)) moved.add(name);
          }
        }
      }
    };
    // Nothing is known yet about the request, so the state stays.
    const unknown = await add(await newWorld({ start: 'hang' }), { project: 'clip-1' });
    void unknown.start();
    await until(() => part(unknown, 'progress'));
    await until(() => (note(unknown), still || moved.size));
    expect([...moved]).to.deep.equal(still ? [] : ['opacity']);
    moved.clear();
    const rendering = await newWorld({ render: 5000, estimate: 5000 });
    const known = await add(rendering, { project: 'clip-2' });
    await known.start();
    await until(() => (note(known), still ? known.progress! > 0.3 : moved.size));
    expect([...moved]).to.deep.equal(still ? [] : ['transform']);
  });

  it('speaks at the start, at the quarters and at the end', async () => {
    const { world, element } = await open(tenMinutes);
    const heard: string[] = [];
    new MutationObserver(() => {
      const now = spoken(element);
      if (now && heard.at(-1) !== now) heard.push(now);
    }).observe(part(element, 'status')!, { childList: true, characterData: true, subtree: true });
    await element.start();
    await passQuarters(world, element, () => heard.at(-1));
    await element.updateComplete;
    expect(heard).to.deep.equal([
      'The export has started.',
      'Export: 25%',
      'Export: 50%',
      'Export: 75%',
      'The export is ready.',
    ]);
  });

  it('reads the progress right under a clock that is an hour off', async () => {
    const skew = 3_600_000;
    const long = await add(await newWorld({ render: 600_000, estimate: 600_000, skew }));
    await long.start();
    expect(long.progress).to.be.within(0, 0.7);
    await clear();
    const short = await add(await newWorld({ skew }));
    await startUntil(short, 'ready');
  });

  it('removal ends everything that was under way', async () => {
    const { world, element } = await started({ render: 5000, estimate: 50 });
    while (!(await world.open()));
    await clear();
    while (await world.open());
    const before = (await world.sent()).length;
    await aTimeout(1200);
    expect((await world.sent()).length).to.equal(before);
    expect(element.status).to.equal('idle');
  });

  it('a move within the document restarts nothing', async () => {
    const { world, element } = await open({ startDelay: 100, render: 2500, estimate: 2500 });
    const started = element.start();
    const box = await fixture(html`<div></div>`);
    box.append(element);
    await started;
    expect(element.status).to.equal('processing');
    document.body.append(element);
    expect(element.status).to.equal('processing');
    await reaches(element, 'ready');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('a move into another <clip-config> brings the settings of that one', async () => {
    const { world, element } = await open({}, { endpoint: '' });
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('missing-endpoint');
    const config = await fixture(html`<clip-config endpoint=${world.endpoint}></clip-config>`);
    config.append(element);
    await element.updateComplete;
    expect(element.status).to.equal('idle');
    await element.start();
    expect(await world.sent('start')).to.have.length(1);
  });

  it('stop() stops watching; start() finds the export again', async () => {
    const { world, element } = await started({ render: 700, estimate: 700 });
    element.stop();
    expect(element.status).to.equal('idle');
    await startUntil(element, 'ready');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('reset() makes room for a new export', async () => {
    const { world, element } = await started({ render: 50, estimate: 50 }, 'ready');
    element.reset();
    expect(element.status).to.equal('idle');
    await startUntil(element, 'ready');
    expect(await world.sent('start')).to.have.length(2);
  });

  it('auto-download starts once over all buttons, and "false" is no', async () => {
    const world = await newWorld();
    const downloads: string[] = [];
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      downloads.push(this.download);
    };
    try {
      const no = await add(world, { 'auto-download': 'false' });
      expect(no.autoDownload).to.equal(false);
      const one = await add(world, { 'auto-download': '', 'download-name': 'mine.mp4' });
      const two = await add(world, { 'auto-download': '' });
      await one.start();
      await Promise.all([reaches(one, 'ready'), reaches(two, 'ready')]);
      await clear();
      await reaches(await add(world, { 'auto-download': '' }), 'ready');
      expect(downloads).to.deep.equal(['mine.mp4']);
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
  });

  it('says that a CSRF header cannot be sent, and sends nothing', async () => {
    const { world, element } = await started({}, null, {
      'csrf-header': 'X CSRF',
      'csrf-token': 'token',
    });
    expect(element.status).to.equal('error');
    expect(element.error!.code).to.equal('invalid-config');
    expect(await world.sent()).to.deep.equal([]);
    element.csrfHeader = 'X-CSRF';
    await startUntil(element, 'ready');
  });

  it('offers an attachment with the name of the clip, or with download-name', async () => {
    const { element } = await started({}, 'ready');
    const { headers } = await fetch(element.downloadUrl!);
    expect(headers.get('Content-Disposition')).to.equal(
      `attachment; filename="My_clip__no._1.mp4"; filename*=UTF-8''My%20clip%2C%20no.%201.mp4`,
    );
    element.downloadName = 'Häfen.mp4';
    await element.updateComplete;
    const link = part(element, '.download') as HTMLAnchorElement;
    expect(link.download).to.equal('Häfen.mp4');
    const named = await fetch(link.href);
    expect(named.headers.get('Content-Disposition')).to.include(`UTF-8''H%C3%A4fen.mp4`);
    expect(await named.text()).to.equal(`mp4 of ${element.export!.id}`);
  });

  it('promises no percentage and no time for the end of an export', async () => {
    const said = async (age: number, estimate: number) => {
      const element = await add(await newWorld({ render: 600_000, age, estimate }));
      await element.start();
      await until(() => element.progress !== null);
      await element.updateComplete;
      return [
        part(element, 'button')!.textContent!.trim(),
        part(element, '.time-left')?.textContent?.trim() ?? null,
      ];
    };
    expect(await said(90_000, 10_000)).to.deep.equal(['Exporting… 90%', 'About 10 seconds left']);
    expect(await said(190_000, 5000)).to.deep.equal(['Finishing…', null]);
  });

  it('lets its pieces be replaced by slots', async () => {
    const { element } = await open();
    element.innerHTML =
      '<b>Save clip</b><i slot="processing">Working</i><u slot="ready">Get it</u>';
    const assigned = (name: string) => element.querySelector(name)!.assignedSlot !== null;
    expect(assigned('b')).to.equal(true);
    await element.start();
    await element.updateComplete;
    expect(assigned('i')).to.equal(true);
    expect(part(element, 'progress')!.getAttribute('aria-label')).to.equal('Exporting…');
    await expect(element).to.be.accessible();
    await reaches(element, 'ready');
    expect(assigned('u')).to.equal(true);
  });

  describe('in a browser that knows nothing of an export', () => {
    const lists = async (world: BrowserWorld) =>
      (await world.sent()).filter(
        ({ method, path, query }) =>
          method === 'GET' && path === '/exports' && !/id=clip|[?&]id=/.test(query),
      );
    /** Exports a clip, and forgets it as another browser does. */
    const exportElsewhere = async (world: BrowserWorld, attributes = {}): Promise<string> => {
      const element = await add(world, attributes);
      await element.start();
      await until(() => element.export);
      const { id } = element.export!;
      await clear();
      localStorage.clear();
      return id;
    };

    it('shows what is ready, and asks once for a list of 30 clips', async () => {
      const world = await newWorld();
      const id = await exportElsewhere(world, { project: 'clip-7', folder: 'f' });
      const all = Array.from({ length: 30 }, (_, at) =>
        add(world, { project: `clip-${at}`, folder: 'f' }),
      );
      const buttons = await Promise.all(all);
      await reaches(buttons[7]!, 'ready');
      expect(buttons[7]!.export!.id).to.equal(id);
      expect(part(buttons[7]!, '.again')).to.equal(null);
      expect(buttons.filter(({ status }) => status === 'idle')).to.have.length(29);
      expect((await lists(world)).map(({ query }) => query)).to.deep.equal(['?folder_id=f']);
      await buttons[7]!.start();
      expect(await world.sent('start')).to.have.length(1);
    });

    it('follows one that runs, and starts none', async () => {
      const world = await newWorld({ render: 600_000 });
      const id = await exportElsewhere(world);
      const element = await add(world);
      await reaches(element, 'processing');
      await world.set({ render: 0 });
      await reaches(element, 'ready');
      expect(element.export!.id).to.equal(id);
      expect(await world.sent('start')).to.have.length(1);
    });

    it('offers a new one where the options of the found one are not known', async () => {
      const world = await newWorld();
      const id = await exportElsewhere(world);
      const element = await add(world, { 'watermark-src': '/logo.png' });
      await reaches(element, 'ready');
      await until(() => part(element, '.again'));
      expect(await world.sent('start')).to.have.length(1);
      part(element, '.again')!.click();
      await until(() => element.status === 'ready' && element.export!.id !== id);
      await element.updateComplete;
      expect(part(element, '.again')).to.equal(null);
      // What was started here is of its own options, and of no others.
      expect((await add(world, { 'preset-id': 'p' })).status).to.equal('idle');
    });

    it('offers the new version of a clip that was edited since', async () => {
      const world = await newWorld({ revision: 1 });
      const project = `clip ${crypto.randomUUID()}`;
      const id = await exportElsewhere(world, { project });
      await world.set({ revision: 2 });
      const element = await add(world, { project, revision: '2' });
      await until(() => part(element, '.again'));
      expect([element.status, element.export!.id]).to.deep.equal(['ready', id]);
      part(element, '.again')!.click();
      await until(() => element.status === 'ready' && element.export!.id !== id);
      expect(element.export!.revision).to.equal(2);
    });

    it('stays idle if the list fails', async () => {
      const world = await newWorld();
      await exportElsewhere(world);
      await world.set({ failPolls: 1 });
      const element = await add(world);
      await until(async () => (await lists(world)).length);
      await until(async () => !(await world.open()));
      expect([element.status, element.error]).to.deep.equal(['idle', null]);
    });
  });

  it('takes its settings from the nearest <clip-config>, across a shadow root', async () => {
    const world = await newWorld();
    const config = await fixture(
      html`<clip-config endpoint=${world.endpoint}><div></div></clip-config>`,
    );
    const root = config.querySelector('div')!.attachShadow({ mode: 'open' });
    root.innerHTML = '<clip-export-button project="x"></clip-export-button>';
    const element = root.querySelector('clip-export-button')!;
    const ready = oneEvent(element, 'clip-export-ready');
    await element.start();
    await ready;
    expect(await world.sent('start')).to.have.length(1);
  });
});
