import { expect } from '@open-wc/testing';
import '../../src/define/clip-list.ts';
import type { ClipListItemEvent } from '../../src/elements/clip-list/clips-controller.ts';
import type { ClipList } from '../../src/elements/clip-list/clip-list.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import {
  type BrowserWorld,
  newElement,
  newWorld,
  nextEvent,
  part,
  parts,
  reaches,
  until,
} from '../support/browser-world.ts';
import { findFaults } from '../support/axe.ts';
import { mainOfSuite } from '../support/suite-main.ts';

const running = (stage: string, share: number): Partial<Behaviour> => ({
  task: { status: 'processing', progress: { stage, share, seconds_left: 40 } },
});
const done: Partial<Behaviour> = { task: { status: 'ready' } };
const names = (count: number) => Array.from({ length: count }, (_, at) => `clip ${at}`);

describe('<clip-list>', () => {
  const main = mainOfSuite();

  const wordsOf = ({ textContent }: Element) => textContent!.trim();
  const titles = (list: ClipList) => parts(list, 'title').map(wordsOf);
  const heard = (list: ClipList) => wordsOf(list.shadowRoot!.querySelector('[role=status]')!);

  /** Puts a list into the page. */
  async function put(
    host: Partial<Behaviour>,
    attributes: Record<string, string> = {},
    before: (list: ClipList) => void = () => {},
  ): Promise<{ list: ClipList; world: BrowserWorld }> {
    const world = await newWorld(host);
    const list = newElement('clip-list', {
      folder: 'f',
      endpoint: world.endpoint,
      'player-url': world.frames,
      ...attributes,
    });
    before(list);
    main.append(list);
    return { list, world };
  }

  it('shows the clips of a folder: title, score, reason, preview, export', async () => {
    const { list, world } = await put({
      clips: ['Harbour', 'Dawn'],
      clip: {
        poster_url: 'http://localhost/poster.gif',
        width: 1080,
        height: 1350,
        notes: [{ code: 'letters-missing', message: 'No font has some of its letters.' }],
      },
    });
    await reaches(list, 'ready');
    expect(titles(list)).to.deep.equal(['Harbour', 'Dawn']);
    expect(part(list, 'reason')!.textContent!.trim()).to.equal('Why Harbour.');
    expect(part(list, 'score')!.getAttribute('aria-label')).to.equal('Score: 74 of 100');
    expect(part(list, '.note')!.textContent!.trim()).to.equal('No font has some of its letters.');
    const preview = list.shadowRoot!.querySelector('clip-preview')!;
    expect(preview.loading).to.equal('click');
    expect(preview.label).to.equal('Harbour');
    expect(preview.poster).to.equal('http://localhost/poster.gif');
    expect(preview.getAttribute('width')).to.equal('1080');
    expect(preview.getAttribute('height')).to.equal('1350');
    const button = list.shadowRoot!.querySelector('clip-export-button')!;
    expect([button.project, button.folder]).to.deep.equal(['id-Harbour', 'f']);
    const sent = await world.sent();
    expect(sent.map(({ method, path, query }) => `${method} ${path}${query}`)).to.deep.equal([
      'GET /projects?folder_id=f',
    ]);
    expect(list.clips.map(({ name }) => name)).to.deep.equal(['Harbour', 'Dawn']);
  });

  it('a clip that cannot be read is one broken card, and the others are shown', async () => {
    const { list, world } = await put({ clips: ['Harbour', 'Dawn'], brokenClips: 1 });
    await reaches(list, 'ready');
    expect(titles(list)).to.deep.equal(['Harbour', 'Dawn']);
    expect(parts(list, '.broken').map(wordsOf)).to.deep.equal([
      'This site gave an answer that could not be read.',
    ]);
    expect(part(list, 'error')).to.equal(null);
    await expect(list).to.be.accessible();
    await world.set({ brokenClips: 0 });
    list.reload();
    await until(() => !part(list, '.broken'));
    expect(titles(list)).to.deep.equal(['Harbour', 'Dawn']);
  });

  it('a poster on plain http is left out, and the preview plays', async () => {
    const { list } = await put({
      clips: ['Harbour'],
      clip: { poster_url: 'http://elsewhere.example/a.jpg' },
    });
    await reaches(list, 'ready');
    const preview = list.shadowRoot!.querySelector('clip-preview')!;
    await preview.updateComplete;
    preview.activate();
    await reaches(preview, 'ready');
  });

  it('the name of each export button says which clip, in the language of the page', async () => {
    const { list } = await put({ clips: ['Harbour', 'Dawn'] });
    await reaches(list, 'ready');
    const named = () =>
      [...list.shadowRoot!.querySelectorAll('clip-export-button')].map((button) =>
        wordsOf(button.shadowRoot!.querySelector('[part="button"]')!),
      );
    const label = () =>
      list
        .shadowRoot!.querySelector('clip-export-button')!
        .shadowRoot!.querySelector<HTMLSlotElement>('[part="button"] > slot')!
        .textContent!.trim();
    expect([label(), ...named()]).to.deep.equal(['Export', 'Export: Harbour', 'Export: Dawn']);
    document.documentElement.lang = 'ja';
    const { list: other } = await put({ clips: ['Harbour'] });
    await reaches(other, 'ready');
    const button = () => other.shadowRoot!.querySelector('clip-export-button')!;
    await until(() => button().shadowRoot!.textContent.includes('エクスポート: Harbour'));
  });

  it('a clip that goes gives its focus to its neighbour', async () => {
    const { list, world } = await put({ clips: ['a', 'b', 'c'] });
    await reaches(list, 'ready');
    const focused = () => list.shadowRoot!.activeElement?.querySelector('[part="title"]');
    list.shadowRoot!.querySelectorAll('clip-preview')[1]!.focus();
    await world.set({ clips: ['a', 'c'] });
    list.reload();
    await until(() => titles(list).length === 2);
    expect(focused()?.querySelector('bdi')?.textContent).to.equal('c');
    await world.set({ clips: ['a'] });
    list.reload();
    await until(() => titles(list).length === 1);
    expect(focused()?.querySelector('bdi')?.textContent).to.equal('a');
  });

  it('a card is as wide as its preview, which fits the window', async () => {
    const { list } = await put({ clips: ['a', 'b'] });
    main.style.width = '480px';
    await reaches(list, 'ready');
    const preview = list.shadowRoot!.querySelector('clip-preview')!;
    expect(preview.clientWidth).to.equal(part(list, 'item')!.clientWidth);
    expect(preview.clientHeight).to.be.at.most(Math.min(0.8 * innerHeight, 46 * 16) + 1);
  });

  it('is a list, with headings of the level that the page needs', async () => {
    const { list } = await put({ clips: ['a'] }, { 'heading-level': '4', label: 'My talks' });
    await reaches(list, 'ready');
    const ul = part(list, 'list')!;
    expect([ul.getAttribute('role'), ul.getAttribute('aria-label')]).to.deep.equal([
      'list',
      'My talks',
    ]);
    expect(part(list, 'item')!.getAttribute('role')).to.equal('listitem');
    const title = part(list, 'title')!;
    expect([title.getAttribute('role'), title.getAttribute('aria-level')]).to.deep.equal([
      'heading',
      '4',
    ]);
  });

  it('shows one clip that is in no folder', async () => {
    const { list, world } = await put(
      { clips: ['a', 'b'], clip: { folder_id: null } },
      { folder: '', project: 'id-b' },
    );
    await reaches(list, 'ready');
    expect(titles(list)).to.deep.equal(['b']);
    expect((await world.sent())[0]!.path).to.equal('/projects/id-b');
  });

  it('starts no export, and a press exports the clip of its item', async () => {
    const { list, world } = await put({ clips: ['a', 'b'] });
    await reaches(list, 'ready');
    const [, second] = list.shadowRoot!.querySelectorAll('clip-export-button');
    await until(() => second!.shadowRoot?.querySelector('button'));
    expect(await world.sent('start')).to.deep.equal([]);
    second!.shadowRoot!.querySelector('button')!.click();
    await reaches(second!, 'ready');
    expect((await world.sent('start')).map(({ body }) => body)).to.deep.equal([
      { project_id: 'id-b', folder_id: 'f' },
    ]);
  });

  describe('while its task runs', () => {
    it('shows the progress, then clips as they come, and ends with held requests only', async () => {
      const { list, world } = await put({ clips: null, ...running('scan', 0.2) }, { task: 't' });
      await reaches(list, 'processing');
      expect(list.matches(':state(empty)')).to.equal(true);
      expect(part(list, 'progress')!.getAttribute('aria-valuenow')).to.equal('0.2');
      expect(part(list, '.time-left')!.textContent!.trim()).to.equal('About 40 seconds left');
      expect(parts(list, '.skeleton').length).to.be.greaterThan(0);

      const working = () => part(list, '.working')!.querySelector('span')!.textContent;
      expect(working()).to.equal('Making clips…');
      const download = { stage: 'speech-model', share: 0.4, bytes: 4e7, total_bytes: 161e6 };
      await world.set({ task: { status: 'processing', progress: download } });
      await until(() => working() === 'Downloading the speech model, once: 40 of 161 MB');

      await world.set({ clips: ['b'], ...running('preview', 0.5) });
      await until(() => titles(list).length === 1);
      expect(parts(list, '.skeleton')).to.deep.equal([]);
      await until(() => heard(list) === 'Clips: 1');
      await world.set({ clips: ['a', 'b', 'c'], ...done });
      await reaches(list, 'ready');
      expect(titles(list)).to.deep.equal(['a', 'b', 'c']);
      expect(heard(list)).to.equal('All clips are there.');
      expect(part(list, 'progress')).to.equal(null);

      const asked = (await world.sent()).filter(({ path }) => path === '/tasks/t');
      const [first, ...later] = asked.map(({ prefer }) => prefer?.split(';')[0] ?? null);
      expect(first).to.equal(null);
      expect(new Set(later)).to.deep.equal(new Set(['wait=25']));
      const count = (await world.sent()).length;
      list.requestUpdate();
      await list.updateComplete;
      expect((await world.sent()).length).to.equal(count);
    });

    it('keeps the focus and the nodes of clips when others come before them', async () => {
      const { list, world } = await put({ clips: ['b'], ...running('scan', 0.2) }, { task: 't' });
      await until(() => titles(list).length === 1);
      const preview = list.shadowRoot!.querySelector('clip-preview')!;
      await until(() => preview.shadowRoot?.querySelector('button'));
      preview.focus();
      await world.set({ clips: ['a', 'b'], ...running('preview', 0.5) });
      await until(() => titles(list).length === 2);
      expect(list.shadowRoot!.querySelectorAll('clip-preview')[1]).to.equal(preview);
      expect(list.shadowRoot!.activeElement).to.equal(preview);
    });

    it('says that the task failed, with its clips so far', async () => {
      const { list, world } = await put(
        { clips: ['a'], ...running('preview', 0.2) },
        { task: 't' },
      );
      await reaches(list, 'processing');
      const failed = nextEvent(list, 'clip-list-error');
      const failure = { code: 'source-lost', message: 'The video is no longer there.' };
      await world.set({ task: { status: 'error', failure } });
      expect((await failed).error.code).to.equal('task-failed');
      await list.updateComplete;
      expect(part(list, 'error')!.textContent).to.contain('The video is no longer there.');
      expect(part(list, '.retry')).to.equal(null);
      expect(titles(list)).to.deep.equal(['a']);
    });

    it('keeps its clips when it is refused, and goes on with a retry', async () => {
      const { list, world } = await put({ clips: ['a'], ...running('scan', 0.2) }, { task: 't' });
      await reaches(list, 'processing');
      await world.set({ unauthenticated: true, ...running('scan', 0.3) });
      await until(() => list.status === 'error' || list.progress === 0.3);
      await reaches(list, 'error');
      expect(list.error!.code).to.equal('unauthenticated');
      expect(titles(list)).to.deep.equal(['a']);
      await world.set({ unauthenticated: false });
      part(list, '.retry')!.click();
      await list.updateComplete;
      expect([part(list, 'error'), ...parts(list, '.skeleton')]).to.deep.equal([null]);
      await reaches(list, 'processing');
    });

    it('goes on without a host that holds, and without one that knows the task', async () => {
      const { list, world } = await put(
        { clips: [], holds: false, ...running('scan', 0.2) },
        { task: 't' },
      );
      await reaches(list, 'processing');
      await world.set({ clips: ['a'], ...done });
      await reaches(list, 'ready');
      expect(list.clips.length).to.equal(1);
      list.task = 'another';
      await world.set({ task: null });
      list.reload();
      await reaches(list, 'ready');
    });

    it('tells the page: progress, changes, the end', async () => {
      const events: string[] = [];
      const { world } = await put({ clips: [], ...running('scan', 0.2) }, { task: 't' }, (one) => {
        for (const name of ['change', 'progress', 'ready', 'item', 'error']) {
          one.addEventListener(`clip-list-${name}`, () => events.push(name));
        }
      });
      await until(() => events.includes('progress'));
      await world.set({ clips: ['a'], ...done });
      await until(() => events.includes('ready'));
      expect(events).to.deep.equal(['change', 'progress', 'item', 'change', 'progress', 'ready']);
    });

    it('asks no more once it has left the page', async () => {
      const { list, world } = await put({ clips: [], ...running('scan', 0.2) }, { task: 't' });
      await reaches(list, 'processing');
      await until(async () => (await world.sent()).some(({ prefer }) => prefer));
      list.remove();
      await reaches(list, 'idle');
      let open = 1;
      await until(() => (void world.open().then((now) => (open = now)), open === 0));
    });
  });

  it('does not ask for the clip of a running task before it can be there', async () => {
    const host = { clips: ['a'], clip: { folder_id: null }, ...running('scan', 0.2) };
    const { list, world } = await put(host, { task: 't', folder: '', project: 'id-a' });
    await reaches(list, 'processing');
    expect(list.clips).to.deep.equal([]);
    expect((await world.sent()).filter(({ path }) => path !== '/tasks/t')).to.deep.equal([]);
    await world.set(running('preview', 0.5));
    await until(() => list.clips.length === 1);
  });

  describe('many clips', () => {
    it('mounts only what is shown, and more on demand, with the focus on the first of them', async () => {
      const { list } = await put({ clips: names(500) });
      await reaches(list, 'ready');
      expect(parts(list, 'item').length).to.equal(12);
      expect(list.shadowRoot!.querySelectorAll('clip-preview, clip-export-button').length).to.equal(
        24,
      );
      const more = part(list, '.more')!;
      expect(more.textContent!.trim()).to.equal('Show more (488)');
      more.click();
      await until(() => parts(list, 'item').length === 24);
      expect(list.shadowRoot!.activeElement).to.equal(parts(list, 'item')[12]);
      list.pageSize = 1000;
      list.showMore();
      await list.updateComplete;
      expect(parts(list, 'item').length).to.equal(500);
      expect(part(list, '.more')).to.equal(null);
    });

    it('those that were watched most come first, if it is sorted by views', async () => {
      const host = { clips: ['a', 'b', 'c', 'd'], views: [1, 0, 5], ...done };
      const { list } = await put(host, { sort: 'views', 'page-size': '3' });
      await reaches(list, 'ready');
      expect(titles(list)).to.deep.equal(['c', 'a', 'b']);
      list.sort = null;
      await until(() => titles(list).join() === 'a,b,c');
    });

    it('what is shown stays when better clips come', async () => {
      const host = { clips: ['c', 'd', 'e'], ...running('preview', 0.3) };
      const { list, world } = await put(host, { task: 't', 'page-size': '2' });
      await until(() => titles(list).length === 2);
      await world.set({ clips: ['a', 'c', 'd', 'e'], ...done });
      await reaches(list, 'ready');
      expect(titles(list)).to.deep.equal(['a', 'c', 'd']);
    });
  });

  it('says that a folder is empty', async () => {
    const { list } = await put({ clips: [] });
    await reaches(list, 'ready');
    expect(list.matches(':state(empty)')).to.equal(true);
    expect(part(list, 'empty')!.textContent!.trim()).to.equal('There are no clips yet.');
  });

  it('shows an error with a button that reads again', async () => {
    const { list } = await put({ clips: ['a'], failLists: 1 });
    await reaches(list, 'error');
    expect(list.error!.code).to.equal('service-error');
    part(list, '.retry')!.click();
    await reaches(list, 'ready');
    expect(part(list, 'error')).to.equal(null);
    expect(titles(list)).to.deep.equal(['a']);
  });

  for (const [title, host, attributes, code] of [
    ['an unknown folder', { clips: null }, {}, 'clip-not-found'],
    ['nobody is signed in', { unauthenticated: true }, {}, 'unauthenticated'],
    ['another server answers', { elsewhere: true }, {}, 'endpoint-not-found'],
    ['no folder', {}, { folder: '' }, 'missing-folder'],
    ['no endpoint', {}, { endpoint: '' }, 'missing-endpoint'],
  ] as const) {
    it(`an error: ${title}`, async () => {
      const { list } = await put(host, attributes);
      await reaches(list, 'error');
      expect(list.error!.code).to.equal(code);
    });
  }

  it('its elements take their settings from it, or from around it', async () => {
    const { list, world } = await put({ clips: ['a'] });
    await reaches(list, 'ready');
    const config = document.createElement('clip-config');
    config.playerUrl = world.frames;
    config.endpoint = world.endpoint;
    config.handshake = 'clip-ready';
    main.append(config);
    const inside = document.createElement('clip-list');
    inside.folder = 'f';
    config.append(inside);
    await reaches(inside, 'ready');
    for (const one of [list, inside]) {
      const preview = one.shadowRoot!.querySelector('clip-preview')!;
      await until(() => preview.status === 'idle' && preview.shadowRoot?.querySelector('button'));
      const button = one.shadowRoot!.querySelector('clip-export-button')!;
      await until(() => button.status === 'idle' && button.shadowRoot?.querySelector('button'));
    }
  });

  it('lets the page set options of a clip before it is connected, and fill its slots', async () => {
    const { list, world } = await put({ clips: ['a', 'b'] }, {}, (one) => {
      one.addEventListener('clip-list-item', ({ clip, exportButton }: ClipListItemEvent) => {
        expect(exportButton.isConnected).to.equal(false);
        if (clip.name === 'b') exportButton.presetId = 'card';
      });
      one.innerHTML = '<b slot="title-id-a">Mine</b><i slot="actions-id-a">More</i>';
    });
    await reaches(list, 'ready');
    const slot = part(list, 'title')!.querySelector('slot')!;
    expect(slot.assignedElements()).to.deep.equal([list.querySelector('b')]);
    const [, button] = list.shadowRoot!.querySelectorAll('clip-export-button');
    await button!.start();
    expect((await world.sent('start'))[0]!.body).to.have.property('preset_id', 'card');
  });

  it('speaks the language of the page, from right to left', async () => {
    main.lang = 'ar';
    main.dir = 'rtl';
    const { list } = await put({ clips: names(13), ...running('preview', 0.5) }, { task: 't' });
    await reaches(list, 'processing');
    await until(() => part(list, '.more')?.textContent?.trim().startsWith('عرض المزيد'));
    const bar = part(list, 'progress')!;
    expect(getComputedStyle(bar.firstElementChild!).transformOrigin.split(' ')[0]).to.equal(
      `${bar.clientWidth}px`,
    );
  });

  it('asks for the poster again once it is made', async () => {
    const host = { clips: ['a'], clip: { poster_url: 'http://localhost/p.jpg?v=1' } };
    const { list, world } = await put({ ...host, ...running('preview', 0.5) }, { task: 't' });
    await reaches(list, 'processing');
    const preview = list.shadowRoot!.querySelector('clip-preview')!;
    expect(preview.poster).to.equal('http://localhost/p.jpg?v=1');
    await world.set(done);
    await reaches(list, 'ready');
    expect(preview.poster).to.equal('http://localhost/p.jpg?v=1&made');
  });

  it('shows another folder when it is set', async () => {
    const { list, world } = await put({ clips: ['a'] });
    await reaches(list, 'ready');
    await world.set({ clips: ['b'], clip: { folder_id: 'g' } });
    list.folder = 'g';
    await until(() => titles(list)[0] === 'b');
    expect(titles(list)).to.deep.equal(['b']);
  });

  for (const [name, host, attributes, status] of [
    ['clips', { clips: names(13) }, {}, 'ready'],
    ['an empty folder', { clips: [] }, {}, 'ready'],
    ['a running task', { clips: [], ...running('scan', 0.2) }, { task: 't' }, 'processing'],
    ['an error', { failLists: 1 }, {}, 'error'],
  ] as const) {
    it(`accessible: ${name}`, async () => {
      const { list } = await put(host, attributes);
      await reaches(list, status);
      expect(await findFaults(list)).to.deep.equal([]);
    });
  }

  for (const width of [216, 390, 1280]) {
    it(`fits into ${width} px`, async () => {
      main.style.width = `${width}px`;
      const { list } = await put({
        clips: ['a', 'A-rather-long-name-without-a-space-in-it-anywhere'],
      });
      await reaches(list, 'ready');
      for (const item of parts(list, 'item')) {
        expect(item.scrollWidth).to.be.at.most(item.clientWidth);
        expect(item.getBoundingClientRect().right).to.be.at.most(
          list.getBoundingClientRect().right,
        );
      }
    });
  }
});
