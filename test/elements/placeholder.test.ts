import { expect } from '@open-wc/testing';
import { newWorld, until, type BrowserWorld } from '../support/browser-world.ts';

type Page = Window & typeof globalThis & { define?: () => Promise<void> };

const picture = '/demo/pages/public/favicon.svg';
/** As a poster: in the shape of the clip. */
const poster = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350"><rect width="1080" height="1350"/></svg>')}`;

/** What a server sends for each element, and when it is complete. */
const cases = {
  'clip-preview': (world: BrowserWorld) =>
    `<clip-preview project="a" player-url="${world.frames}" loading="click" poster="${picture}" width="1080" height="1350">
      <a href="${world.frames}/player/a"><img src="${poster}" width="1080" height="1350" alt="Watch the clip"></a>
    </clip-preview>`,
  'clip-embed': (world: BrowserWorld) =>
    `<clip-embed project="a" app-url="${world.frames}" endpoint="${world.endpoint}" width="1080" height="1350">
      <a href="${world.frames}/player/a"><img src="${poster}" width="1080" height="1350" alt="Watch the clip"></a>
    </clip-embed>`,
  'clip-export-button': (world: BrowserWorld) =>
    `Now: <clip-export-button project="a" endpoint="${world.endpoint}">Export</clip-export-button> or later.`,
  'clip-list': (world: BrowserWorld) =>
    `<clip-list folder="f" endpoint="${world.endpoint}" player-url="${world.frames}"></clip-list>`,
  'clip-feed': (world: BrowserWorld) =>
    `<clip-feed player-url="${world.frames}/media">${['a', 'b']
      .map(
        (id) => `<clip-preview project="${id}" poster="${poster}" width="1080" height="1350">
          <a href="${world.frames}/player/${id}"><img src="${poster}" width="1080" height="1350" alt="Clip ${id}"></a>
        </clip-preview>`,
      )
      .join('')}</clip-feed>`,
  'clip-create': (_: BrowserWorld, uploads: string) =>
    `<clip-create endpoint="${uploads}"></clip-create>`,
  'clip-videos': (_: BrowserWorld, uploads: string) =>
    `<clip-videos endpoint="${uploads}"></clip-videos>`,
} as const;

const supported = PerformanceObserver.supportedEntryTypes.includes('layout-shift');

describe('the placeholder style sheet', () => {
  let frame: HTMLIFrameElement;
  beforeEach(() => {
    frame = document.createElement('iframe');
    frame.width = '500';
    frame.height = '600';
    document.body.append(frame);
  });
  afterEach(() => frame.remove());

  const isSettled = (page: Page, tag: string) => {
    const element = page.document.querySelector<HTMLElement & { status?: string }>(tag)!;
    return ['ready', 'idle'].includes(element.status ?? '') && !!element.shadowRoot?.firstChild;
  };

  /** Opens a page without the elements' script. */
  async function open(tag: keyof typeof cases, styled = true) {
    const world = await newWorld({ clips: Array.from({ length: 12 }, (_, at) => `clip ${at}`) });
    const uploads = await newWorld();
    await uploads.setTasks(
      ['One', 'Two', 'Three'].map((name) => ({ name, status: 'ready', clip_count: 4 })),
    );
    frame.src = `/placeholder?${styled ? 'styled' : ''}`;
    const page = frame.contentWindow as Page;
    await until(() => page.define);
    page.document.body.innerHTML = `<div style="width: ${tag === 'clip-videos' ? 360 : 216}px">${cases[tag](world, uploads.endpoint)}</div><p>Below it.</p>`;
    await until(() => [...page.document.images].every(({ complete }) => complete));
    let shift = 0;
    const add = (entries: readonly PerformanceEntry[]) => {
      for (const entry of entries) shift += (entry as unknown as { value: number }).value;
    };
    const shifts = new page.PerformanceObserver((entries) => add(entries.getEntries()));
    shifts.observe({ type: 'layout-shift' });
    const drawn = () =>
      new Promise((resolve) =>
        page.requestAnimationFrame(() => page.requestAnimationFrame(resolve)),
      );
    await drawn();
    return {
      page,
      element: page.document.querySelector<HTMLElement>(tag)!,
      /** How much moves when the script comes. */
      async run(): Promise<number> {
        await page.define!();
        await until(() => isSettled(page, tag));
        await drawn();
        await drawn();
        // Those that the observer has not been told of yet.
        add(shifts.takeRecords());
        return shift;
      },
    };
  }

  it('a clip in a wide column fits the window before the script, as it does after it', async () => {
    const { page, element, run } = await open('clip-preview');
    const box = element.parentElement!;
    box.style.width = '1280px';
    const most = () => Math.min(0.8 * page.innerHeight, 46 * 16);
    expect(element.clientHeight).to.be.closeTo(most(), 1);
    const link = element.firstElementChild!;
    link.remove();
    expect(element.clientHeight).to.be.closeTo(most(), 1);
    expect(element.clientWidth).to.be.closeTo((most() * 9) / 16, 1);
    element.append(link);
    await run();
    expect(element.clientHeight).to.be.closeTo(most(), 1);
    expect(element.clientWidth).to.be.closeTo(most() * 0.8, 1);
  });

  for (const tag of Object.keys(cases) as (keyof typeof cases)[]) {
    it(`<${tag}>: nothing moves when the script comes`, async function () {
      if (!supported) this.skip();
      expect(await (await open(tag)).run()).to.equal(0);
    });
  }

  for (const tag of ['clip-list', 'clip-create', 'clip-videos'] as const) {
    it(`<${tag}>: without it, the page moves`, async function () {
      if (!supported) this.skip();
      expect(await (await open(tag, false)).run()).to.be.above(0);
    });
  }

  for (const tag of ['clip-create', 'clip-videos'] as const) {
    it(`<${tag}> has its height before any script`, async () => {
      const { element, run } = await open(tag);
      const before = element.clientHeight;
      await run();
      expect(element.clientHeight).to.be.closeTo(before, 1);
      if (tag === 'clip-videos') return;
      element.parentElement!.style.width = '480px';
      expect(element.clientHeight).to.be.closeTo(before, 1);
    });
  }

  for (const tag of ['clip-preview', 'clip-embed'] as const) {
    it(`<${tag}>: the poster and a link before any script, in the size of the element`, async () => {
      const { element, run } = await open(tag);
      const before = element.getBoundingClientRect();
      expect(before.width).to.equal(216);
      expect(before.height).to.equal(270);
      const { width, height } = element.querySelector('a')!.getBoundingClientRect();
      expect([width, height]).to.deep.equal([216, 270]);
      await run();
      const after = element.getBoundingClientRect();
      expect([after.width, after.height]).to.deep.equal([before.width, before.height]);
    });
  }

  it('a feed has its posters and links before any script, where the element shows them', async () => {
    const { page, element, run } = await open('clip-feed');
    element.parentElement!.style.width = 'auto';
    const boxes = (all: Iterable<Element>) =>
      Array.from(all, (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [left, top, width, height].map(Math.round);
      });
    const sizes = [400, 700].map((width) => {
      page.document.body.style.width = `${width}px`;
      return boxes(element.querySelectorAll('clip-preview > a'));
    });
    await run();
    for (const [at, width] of [400, 700].entries()) {
      page.document.body.style.width = `${width}px`;
      expect(boxes(element.shadowRoot!.querySelectorAll('[part=item]')), `${width}`).to.deep.equal(
        sizes[at],
      );
    }
  });

  it('the export button has its size before any script', async () => {
    const { element, run } = await open('clip-export-button');
    const before = element.getBoundingClientRect();
    await run();
    const after = element.getBoundingClientRect();
    expect(after.height).to.be.closeTo(before.height, 0.5);
    expect(after.width).to.be.closeTo(before.width, 1);
  });
});
