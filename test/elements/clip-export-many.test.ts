import { expect } from '@open-wc/testing';
import '../../src/define/clip-export-many.ts';
import '../../src/define/clip-list.ts';
import type { ClipExportMany, ClipSelectEvent } from '../../src/define/clip-export-many.ts';
import type { ClipList } from '../../src/elements/clip-list/clip-list.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import { newWorld, reaches, until, type BrowserWorld } from '../support/browser-world.ts';
import { findFaults } from '../support/axe.ts';
import { mainOfSuite } from '../support/suite-main.ts';

const names = ['Harbour', 'harbour', 'الميناء', 'Lighthouse'];

describe('<clip-export-many>', () => {
  const main = mainOfSuite();
  afterEach(() => {
    document.cookie = 'site=; max-age=0; path=/';
  });

  const part = (element: Element, selector: string) =>
    element.shadowRoot!.querySelector<HTMLElement>(selector);
  const textOf = (many: ClipExportMany, selector: string) =>
    part(many, selector)?.textContent?.trim();
  const boxes = (list: ClipList) => [
    ...list.shadowRoot!.querySelectorAll<HTMLInputElement>('[part=check] input'),
  ];
  const buttons = (list: ClipList) => [...list.shadowRoot!.querySelectorAll('clip-export-button')];

  async function put(host: Partial<Behaviour> | BrowserWorld = {}) {
    const world = 'endpoint' in host ? host : await newWorld({ clips: names, ...host });
    const list = document.createElement('clip-list');
    const many = document.createElement('clip-export-many');
    const attributes = { folder: 'f', endpoint: world.endpoint, 'player-url': world.frames };
    for (const [name, value] of Object.entries(attributes)) list.setAttribute(name, value);
    if ('session' in host && host.session) {
      document.cookie = 'site=1; path=/';
      list.session = `${world.endpoint}/_session`;
    }
    list.id = many.for = 'clips';
    main.replaceChildren(many, list);
    await reaches(list, 'ready');
    await until(() => part(many, '[part=bar]') && boxes(list).length);
    return { list, many, world };
  }

  it('puts a box on each clip, says what is selected, and starts nothing', async () => {
    const { list, many, world } = await put();
    const said: (readonly string[])[] = [];
    many.addEventListener('clip-select', ({ selected }: ClipSelectEvent) => said.push(selected));
    expect(boxes(list).map(({ ariaLabel }) => ariaLabel)).to.deep.equal(
      ['Harbour', 'harbour', '\u2068الميناء\u2069', 'Lighthouse'].map((name) => `Select ${name}`),
    );
    expect(part(many, '.export')!.ariaDisabled).to.equal('true');
    const { clips } = list;
    boxes(list)[0]!.click();
    part(many, '[part=check]')!.click();
    await until(() => boxes(list).every(({ checked }) => checked));
    part(many, '[part=check]')!.click();
    await until(() => boxes(list).every(({ checked }) => !checked));
    expect(await world.sent('start')).to.deep.equal([]);
    expect(said).to.deep.equal([[clips[0]!.id], clips.map(({ id }) => id), []]);
    many.remove();
    await until(() => !boxes(list).length);
    main.append(many);
    await until(() => boxes(list).length === 4);
    list.remove();
    await until(() => !part(many, '[part=bar]'));
  });

  it('says how many of all clips are selected, and offers those that are not shown', async () => {
    const clips = Array.from({ length: 30 }, (_, at) => `clip ${at}`);
    const { list, many } = await put({ clips });
    part(many, '[part=check]')!.click();
    await until(() => textOf(many, '.selected') === 'Selected: 12/30');
    expect(textOf(many, '.rest')).to.equal('Select all 30');
    part(many, '.rest')!.click();
    await until(() => boxes(list).length === 30 && boxes(list).every(({ checked }) => checked));
    expect(part(many, '.rest')).to.equal(null);
    await until(() => textOf(many, '.cost')?.startsWith('Exports needed: 30.'));
  });

  it('says what the exports cost, and what the plan has left', async () => {
    const { list, many } = await put();
    boxes(list)[0]!.click();
    boxes(list)[1]!.click();
    await until(() => textOf(many, '.cost') === 'Exports needed: 2. Left in the plan: 10.');
  });

  it('starts nothing that the plan does not allow', async () => {
    const clips = Array.from({ length: 12 }, (_, at) => `clip ${at}`);
    const { many, world } = await put({ clips });
    part(many, '[part=check]')!.click();
    await until(() => textOf(many, '.cost') === 'Exports needed: 12. Left in the plan: 10.');
    part(many, '.export')!.click();
    expect(part(many, '.export')!.ariaDisabled).to.equal('true');
    expect(await world.sent('start')).to.deep.equal([]);
  });

  it('starts each selected clip once, and shows the progress of all and each', async () => {
    const { list, many, world } = await put({ render: 60_000 });
    for (const at of [0, 2, 3]) boxes(list)[at]!.click();
    await until(() => textOf(many, '.export') === 'Export selected (3)');
    part(many, '.export')!.click();
    part(many, '.export')!.click();
    const states = () => buttons(list).map(({ status }) => status);
    await until(() => states().filter((one) => one === 'processing').length === 3);
    expect(states()[1]).to.equal('idle');
    expect(part(many, '[part=progress]')!.getAttribute('role')).to.equal('progressbar');
    await until(() => /^Exporting… \d+\s?%$/.test(textOf(many, '.export')!));
    await world.set({ render: 0 });
    await until(() => states().filter((one) => one === 'ready').length === 3);
    await until(() => textOf(many, '.download') === 'Download as ZIP (3)');
    expect(part(many, '.export')).to.equal(null);
    const starts = await world.sent('start');
    expect(new Set(starts.map(({ key }) => key)).size).to.equal(3);
    expect(starts).to.have.length(3);
  });

  it('ends at the first that the plan refuses', async () => {
    const { list, many, world } = await put({ start: 'limit' });
    part(many, '[part=check]')!.click();
    await until(() => textOf(many, '.export') === 'Export selected (4)');
    part(many, '.export')!.click();
    await until(() => buttons(list)[0]!.status === 'limit');
    await until(() => part(many, '.export')!.ariaDisabled === 'false');
    expect(await world.sent('start')).to.have.length(1);
  });

  it('goes on after a reload, and pays nothing again', async () => {
    const { list, many, world } = await put({ render: 60_000 });
    boxes(list)[1]!.click();
    await until(() => textOf(many, '.export') === 'Export selected (1)');
    part(many, '.export')!.click();
    await until(() => buttons(list)[1]!.status === 'processing');
    list.remove();
    const again = await put(world);
    expect(boxes(again.list).map(({ checked }) => checked)).to.deep.equal([
      false,
      true,
      false,
      false,
    ]);
    await until(() => buttons(again.list)[1]!.status === 'processing');
    await world.set({ render: 0 });
    await until(() => textOf(again.many, '.download') === 'Download as ZIP (1)');
    expect(await world.sent('start')).to.have.length(1);
  });

  describe('the files', () => {
    const saved: { href: string; download: string }[] = [];
    const { click } = HTMLAnchorElement.prototype;
    beforeEach(() => {
      saved.length = 0;
      HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
        saved.push({ href: this.href, download: this.download });
      };
    });
    afterEach(() => {
      HTMLAnchorElement.prototype.click = click;
    });

    async function exported(host: Partial<Behaviour> = {}) {
      const { list, many, world } = await put({ render: 0, ...host });
      for (const at of [0, 1, 2]) boxes(list)[at]!.click();
      await until(() => textOf(many, '.export') === 'Export selected (3)');
      part(many, '.export')!.click();
      await until(() => textOf(many, '.download') === 'Download as ZIP (3)');
      return { list, many, world };
    }

    /** The names in the central directory of a ZIP. */
    function namesIn(zip: Uint8Array): string[] {
      const view = new DataView(zip.buffer);
      const found: string[] = [];
      for (let at = 0; at + 46 <= zip.length; at++) {
        if (view.getUint32(at, true) !== 0x02014b50) continue;
        const length = view.getUint16(at + 28, true);
        found.push(new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length)));
      }
      return found;
    }

    for (const session of [null, { user: 'ann' }]) {
      it(`are saved as one ZIP, each with a name of its own (${session ? 'session' : 'cookie'})`, async () => {
        const { many } = await exported({ session });
        part(many, '.download')!.click();
        await until(() => saved.length);
        expect(saved).to.have.length(1);
        expect(saved[0]!.download).to.equal('clips.zip');
        const zip = new Uint8Array(await (await fetch(saved[0]!.href)).arrayBuffer());
        expect(namesIn(zip)).to.deep.equal(['Harbour.mp4', 'harbour (2).mp4', 'الميناء.mp4']);
        await until(() => textOf(many, '.download') === 'Download as ZIP (3)');
      });
    }

    const note = (many: ClipExportMany) => part(many, '[role=status]')!.textContent;
    const { fetch } = globalThis;
    /** Answers the next requests of files, and lets the others pass. */
    const answerFiles = (...answers: (() => Promise<Response>)[]) => {
      globalThis.fetch = (input, init) =>
        (/\/download/.test(String(input)) && answers.shift()?.()) || fetch(input, init);
    };
    const { showSaveFilePicker: picker } = window as { showSaveFilePicker?: unknown };
    afterEach(() => {
      globalThis.fetch = fetch;
      Object.assign(window, { showSaveFilePicker: picker });
    });

    const oneByOne: Record<string, () => Promise<Response>> = {
      'the page may not read them': () => Promise.reject(new TypeError('Failed to fetch')),
      'they are too long for the memory': async () =>
        new Response('', {
          headers: { 'Content-Type': 'video/mp4', 'Content-Length': `${90 * 1024 ** 2}` },
        }),
    };
    for (const [why, answer] of Object.entries(oneByOne)) {
      it(`are saved one by one where ${why}, and it says so`, async () => {
        const { many } = await exported();
        answerFiles(answer);
        part(many, '.download')!.click();
        await until(() => saved.length === 3);
        expect(new Set(saved.map(({ href }) => href)).size).to.equal(3);
        expect(note(many)).to.equal('One ZIP cannot be made here: the files are saved one by one.');
      });
    }

    it('that are missing are named, and the others are in the ZIP', async () => {
      const { many } = await exported();
      answerFiles(async () => new Response('', { status: 404 }));
      part(many, '.download')!.click();
      await until(() => saved.length);
      expect(saved[0]!.download).to.equal('clips.zip');
      const zip = new Uint8Array(await (await fetch(saved[0]!.href)).arrayBuffer());
      expect(namesIn(zip)).to.deep.equal(['harbour.mp4', 'الميناء.mp4']);
      expect(note(many)).to.equal('Missing files: Harbour.mp4');
    });

    it('are written where the user chooses, without a copy in memory; nothing if they cancel', async () => {
      const { many } = await exported();
      const folder = await navigator.storage.getDirectory();
      const place = await folder.getFileHandle('clips.zip', { create: true });
      let choice = Promise.withResolvers<FileSystemFileHandle>();
      Object.assign(window, { showSaveFilePicker: () => choice.promise });
      part(many, '.download')!.click();
      await until(() => textOf(many, '.download') === 'Preparing the files… 0/3');
      choice.reject(new DOMException('The user aborted a request.', 'AbortError'));
      await until(() => textOf(many, '.download') === 'Download as ZIP (3)');
      expect(note(many)).to.equal('Ready: 3/3');
      choice = Promise.withResolvers();
      choice.resolve(place);
      part(many, '.download')!.click();
      await until(async () => (await place.getFile()).size);
      const zip = new Uint8Array(await (await place.getFile()).arrayBuffer());
      expect(namesIn(zip)).to.deep.equal(['Harbour.mp4', 'harbour (2).mp4', 'الميناء.mp4']);
      expect(saved).to.deep.equal([]);
      await folder.removeEntry('clips.zip');
    });
  });

  it('is accessible, and the boxes on the clips are', async () => {
    const { list, many } = await put();
    boxes(list)[0]!.click();
    await until(() => textOf(many, '.cost'));
    expect([...(await findFaults(many)), ...(await findFaults(list))]).to.deep.equal([]);
  });
});
