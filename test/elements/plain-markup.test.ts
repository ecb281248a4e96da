import { expect, fixture, html } from '@open-wc/testing';
import '../../src/cdn/clip-kit.ts';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-videos.ts';
import { findLinkedElement } from '../../src/elements/linked-element.ts';
import { configure } from '../../src/elements/settings/page-wide.ts';
import { newWorld, reaches, until } from '../support/browser-world.ts';

const base = () => `http://localhost:${location.port}/frames`;

async function add(markup: string): Promise<HTMLElement> {
  const box = await fixture<HTMLElement>(html`<div></div>`);
  // As a CMS or a library inserts it.
  box.innerHTML = markup;
  // Observers are called before the next task.
  await new Promise((resolve) => setTimeout(resolve));
  return box;
}

/** What is said in the console meanwhile. */
async function consoleDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { error } = console;
  const said: string[] = [];
  console.error = (...all: unknown[]) => said.push(all.slice(0, 2).join(' '));
  try {
    await work();
  } finally {
    console.error = error;
  }
  return said;
}

describe('plain markup that the script upgrades', () => {
  beforeEach(() => configure({ playerUrl: base(), appUrl: base() }));
  after(() => configure({ playerUrl: null, appUrl: null, endpoint: null }));

  it('<div data-clip-preview="ID">: the element is in it, and has its content', async () => {
    const box = await add(
      '<div class="wide" data-clip-preview="a" data-clip-loading="click"><a href="/x">Watch</a></div>',
    );
    const preview = box.querySelector('div.wide > clip-preview')!;
    expect(preview.getAttribute('project')).to.equal('a');
    expect(preview.getAttribute('loading')).to.equal('click');
    expect(preview.querySelector('a')!.textContent).to.equal('Watch');
    expect(preview.shadowRoot!.querySelectorAll('button').length).to.equal(1);
  });

  it('<div data-clip-create> and <div data-clip-videos> find what they are for', async () => {
    const box = await add(
      `<div data-clip-videos="plain-clips" id="plain-videos"></div>
      <div data-clip-create="plain-videos" data-clip-options="count"></div>
      <div data-clip-list id="plain-clips"></div>`,
    );
    const create = box.querySelector('clip-create')!;
    expect([create.for, create.options]).to.deep.equal(['plain-videos', 'count']);
    expect(findLinkedElement(create, create.for, 'clip-videos')).to.equal(
      box.querySelector('div > clip-videos'),
    );
    const videos = box.querySelector('clip-videos')!;
    expect(findLinkedElement(videos, videos.for, 'clip-list')).to.equal(
      box.querySelector('clip-list'),
    );
  });

  describe('a link without a mark', () => {
    const meta = Object.assign(document.createElement('meta'), {
      name: 'clip-links',
      content: 'clip-preview',
    });
    afterEach(() => meta.remove());
    const markup = () =>
      `<p><a href="${base()}/player/a">Harbour</a></p>
      <p>See <a href="${base()}/player/b">this one</a>.</p>
      <p><a href="/elsewhere">Elsewhere</a></p>
      <clip-preview project="c"><a href="${base()}/player/c">Dawn</a></clip-preview>`;
    const projects = (box: Element) =>
      [...box.querySelectorAll('clip-preview')].map(({ project, label }) => [project, label]);

    it('stays a link', async () => {
      expect(projects(await add(markup()))).to.deep.equal([['c', null]]);
    });

    it('that stands alone becomes a preview, where the site wants it', async () => {
      document.head.append(meta);
      const said = await consoleDuring(async () => {
        const box = await add(markup());
        expect(projects(box)).to.deep.equal([
          ['a', 'Harbour'],
          ['c', null],
        ]);
        expect(box.querySelector('clip-preview > a')!.textContent).to.equal('Harbour');
      });
      expect(said).to.deep.equal([]);
    });

    it('stays one if only the content of the page wants it', async () => {
      const box = await add(`<meta name="clip-links" content="clip-preview">${markup()}`);
      expect(projects(box)).to.deep.equal([['c', null]]);
    });
  });

  it('<a data-clip-preview>: the id is that of its address, the link is kept in the element', async () => {
    const box = await add(
      `<p><a data-clip-preview data-clip-loading="eager" href="${base()}/player/a%20b?share=1#t=2">Harbour</a></p>`,
    );
    const preview = box.querySelector('clip-preview')!;
    expect(preview.project).to.equal('a b');
    expect(preview.label).to.equal('Harbour');
    expect(preview.firstElementChild!.localName).to.equal('a');
    await reaches(preview, 'ready');
    expect(preview.shadowRoot!.querySelector('iframe')!.title).to.equal('Harbour');
  });

  it('finds the id by any form of the configured address', async () => {
    configure({ playerUrl: 'https://x.example/watch?v={id}&mode=2' });
    const box = await add(
      '<a data-clip-preview href="https://x.example/watch?v=abc&mode=2">Watch</a>',
    );
    expect(box.querySelector('clip-preview')!.project).to.equal('abc');
  });

  it('a value wins over the address', async () => {
    const box = await add('<a data-clip-preview="b" href="https://other.example/">Watch</a>');
    expect(box.querySelector('clip-preview')!.project).to.equal('b');
  });

  it('a link that leads elsewhere stays a link, and the console says why', async () => {
    let box!: HTMLElement;
    const said = await consoleDuring(async () => {
      box = await add('<a data-clip-preview href="https://other.example/player/a">Watch</a>');
    });
    expect(box.innerHTML).to.match(/^<a data/);
    expect(said).to.have.length(1);
    expect(said[0]).to.include('not that of a clip by player-url or app-url');
  });

  it('waits for settings that come later', async () => {
    configure({ playerUrl: null, appUrl: null });
    let box!: HTMLElement;
    await consoleDuring(async () => {
      box = await add(`<a data-clip-embed href="${base()}/embed/a">Watch</a>`);
      expect(box.querySelectorAll('clip-embed').length).to.equal(0);
      configure({ appUrl: base() });
    });
    expect(box.querySelector('clip-embed')!.project).to.equal('a');
  });

  it('all elements: embed, export button and list', async () => {
    const world = await newWorld();
    configure({ endpoint: world.endpoint });
    const box = await add(`
      <div data-clip-embed="a" data-clip-loading="eager"></div>
      <div data-clip-export-button="a" data-clip-folder="f" data-clip-watermark-src="/w.png"
        data-clip-watermark-x="0.9">Get it</div>
      <section data-clip-list="f" data-clip-page-size="2"></section>`);
    const button = box.querySelector('clip-export-button')!;
    expect(button.textContent).to.equal('Get it');
    button.shadowRoot!.querySelector('button')!.click();
    await reaches(button, 'ready');
    await reaches(box.querySelector('clip-embed')!, 'ready');
    const [start, ...more] = await world.sent('start');
    expect(more).to.deep.equal([]);
    expect(start!.body).to.deep.include({
      project_id: 'a',
      folder_id: 'f',
    });
    expect(JSON.stringify(start!.body)).to.include('"pos_x":0.9');
    const list = box.querySelector('clip-list')!;
    expect([list.folder, list.project, list.pageSize]).to.deep.equal(['f', null, 2]);
  });

  it('a link becomes an export button with its text', async () => {
    const world = await newWorld();
    configure({ endpoint: world.endpoint });
    const box = await add(`<a data-clip-export-button href="${base()}/player/a">Export it</a>`);
    const button = box.querySelector('clip-export-button')!;
    expect(!!button.querySelector('a')!.assignedSlot).to.equal(false);
    expect(button.lastChild!.textContent).to.equal('Export it');
    expect(button.project).to.equal('a');
  });

  for (const [what, option, why] of [
    ['a misspelt option', 'data-clip-watermark-scr="/w.png"', 'data-clip-watermark-scr'],
    ['an address of requests', 'data-clip-endpoint="https://evil.example"', 'data-clip-endpoint'],
    ['a token', 'data-clip-csrf-token="x"', 'data-clip-csrf-token'],
    ['two kinds', 'data-clip-preview="a"', 'data-clip-'],
  ] as const) {
    it(`${what} is refused: nothing becomes an export button`, async () => {
      let box!: HTMLElement;
      const said = await consoleDuring(async () => {
        box = await add(`<div data-clip-export-button="a" ${option}>Get it</div>`);
      });
      expect(box.querySelectorAll('clip-export-button').length).to.equal(0);
      expect(box.textContent).to.equal('Get it');
      expect(said.join()).to.include(`${why}`);
    });
  }

  it('an option that cannot be read stops the start', async () => {
    const world = await newWorld();
    configure({ endpoint: world.endpoint });
    const box = await add(
      '<div data-clip-export-button="a" data-clip-watermark="undefined"></div>',
    );
    const button = box.querySelector('clip-export-button')!;
    await button.start();
    await until(() => button.error?.code === 'invalid-watermark');
    expect(await world.sent('start')).to.deep.equal([]);
  });

  it('not in an editable area, nor in a widget inside of one; but once it stops being editable', async () => {
    const box = await add(
      '<div contenteditable><p data-clip-preview="a">A</p><div contenteditable="false"><p data-clip-preview="b">B</p></div></div>',
    );
    expect(box.querySelectorAll('clip-preview').length).to.equal(0);
    box.firstElementChild!.removeAttribute('contenteditable');
    await until(() => box.querySelectorAll('clip-preview').length === 2);
  });

  it('a restored copy of the page gets no second element', async () => {
    const box = await add(
      `<div data-clip-preview="a"></div><a data-clip-preview href="${base()}/player/b">B</a>`,
    );
    const copy = await add(box.innerHTML);
    expect(copy.querySelectorAll('clip-preview').length).to.equal(2);
    expect(copy.innerHTML).to.equal(box.innerHTML);
  });

  it('content that was replaced is upgraded again', async () => {
    const box = await add('<div data-clip-preview="a">A</div>');
    box.firstElementChild!.textContent = 'New';
    await until(() => box.querySelector('clip-preview')?.textContent === 'New');
  });

  it('follows changes of its attributes', async () => {
    const box = await add('<div data-clip-preview="a" data-clip-loading="click"></div>');
    const source = box.firstElementChild as HTMLElement;
    const preview = box.querySelector('clip-preview')!;
    source.dataset['clipPreview'] = 'b';
    source.dataset['clipPoster'] = '/frames/poster/0/x';
    await until(() => preview.project === 'b' && preview.poster === '/frames/poster/0/x');
    delete source.dataset['clipPoster'];
    await until(() => preview.poster === null);
  });

  it('an attribute that is set later marks it', async () => {
    const box = await add('<div></div>');
    (box.firstElementChild as HTMLElement).dataset['clipPreview'] = 'a';
    await until(() => box.querySelector('clip-preview'));
  });
});
