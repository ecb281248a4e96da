import { expect, fixture } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/define/clip-feed.ts';
import type { ClipFeed } from '../../src/elements/clip-feed/clip-feed.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import {
  newElement,
  newWorld,
  nextEvent,
  part,
  parts,
  reaches,
  until,
} from '../support/browser-world.ts';
import { findFaults } from '../support/axe.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `Clip ${at}`);

describe('<clip-feed>', () => {
  let main: HTMLElement;
  const query = matchMedia;
  beforeEach(() => {
    document.documentElement.lang = 'en';
    sessionStorage.clear();
    main = document.createElement('main');
    main.style.background = 'Canvas';
    document.body.prepend(main);
  });
  afterEach(() => {
    main.remove();
    globalThis.matchMedia = query;
    document.documentElement.style.colorScheme = '';
  });

  const frames = (feed: ClipFeed) => [
    ...feed.shadowRoot!.querySelectorAll<ClipPreview>('clip-preview'),
  ];
  const framed = (feed: ClipFeed) => frames(feed).map(({ project }) => project);
  const playing = (feed: ClipFeed) =>
    frames(feed)
      .filter(({ paused }) => !paused)
      .map(({ project }) => project);
  const plays = (feed: ClipFeed, id: string) =>
    until(() => `${playing(feed)}` === id, `${id} plays`);
  const heard = (feed: ClipFeed) =>
    feed.shadowRoot!.querySelector('[role=status]')!.textContent!.trim();
  const box = (feed: ClipFeed) => part(feed, '.feed')!;

  /** Puts a feed into the page: clips of the world's folder unless other ones are given. */
  async function put(
    attributes: Record<string, string> = {},
    {
      content = '',
      pages = 'media',
      ...host
    }: Partial<Behaviour> & { content?: string; pages?: string } = {},
  ): Promise<ClipFeed> {
    const world = await newWorld({ clips: names(6), ...host });
    const feed = document.createElement('clip-feed');
    const all: Record<string, string> = {
      endpoint: world.endpoint,
      'player-url': `${world.frames}/${pages}`,
      style: 'block-size: 500px',
      ...(!attributes['projects'] && !content && { folder: 'f' }),
      ...attributes,
    };
    for (const [name, value] of Object.entries(all)) feed.setAttribute(name, value);
    feed.innerHTML = content;
    main.append(feed);
    await reaches(feed, 'ready');
    return feed;
  }

  /** Clips whose pages do not come. */
  const missing = {
    pages: 'missing',
    content: ['a', 'b']
      .map((id) => `<clip-preview project="${id}" timeout="300"></clip-preview>`)
      .join(''),
  };

  /** Scrolls as a swipe does: natively, with the snap that follows. */
  async function swipe(feed: ClipFeed, by = 1): Promise<void> {
    const [first, second] = parts(feed, '.item') as [HTMLElement, HTMLElement];
    const changed = nextEvent(feed, 'clip-change');
    const step = second.offsetTop - first.offsetTop;
    box(feed).scrollTo({ top: box(feed).scrollTop + by * step, behavior: 'smooth' });
    await changed;
  }

  describe('which clips', () => {
    it('are those of a folder, with their titles', async () => {
      const feed = await put();
      expect(parts(feed, 'title').map(({ textContent }) => textContent)).to.deep.equal(names(6));
      expect(feed.index).to.equal(0);
    });

    it('are those of projects, without a host', async () => {
      const feed = await put({
        projects: 'b a  c',
        endpoint: '/no-host',
        'poster-url': '/p/{project}.jpg',
      });
      expect(parts(feed, 'poster').map((image) => image.getAttribute('src'))).to.deep.equal([
        '/p/b.jpg',
        '/p/a.jpg',
        '/p/c.jpg',
      ]);
      await plays(feed, 'b');
    });

    it('are those in the markup, each with the options of its own element', async () => {
      const feed = await put(
        {},
        {
          content: `
            <clip-preview project="a" label="Harbour" poster="/a.jpg" timeout="9000"></clip-preview>
            <clip-preview project="b"><a href="/b"><img src="/b.jpg" alt="Dawn"></a></clip-preview>`,
        },
      );
      expect(parts(feed, 'title').map(({ textContent }) => textContent)).to.deep.equal([
        'Harbour',
        'Dawn',
      ]);
      expect(parts(feed, 'poster').map((image) => image.getAttribute('src'))).to.deep.equal([
        '/a.jpg',
        '/b.jpg',
      ]);
      await plays(feed, 'a');
      await until(() => frames(feed).length === 2);
      expect(frames(feed).map(({ timeout }) => timeout)).to.deep.equal([9000, 15000]);
      // What is written is only read: it loads nothing of its own.
      for (const written of feed.querySelectorAll('clip-preview')) {
        expect(written.shadowRoot!.querySelector('iframe')).to.equal(null);
      }
    });

    it('are those in the markup first, and then those of the folder', async () => {
      const feed = await put(
        { folder: 'f' },
        { content: '<clip-preview project="first" label="First"></clip-preview>' },
      );
      expect(parts(feed, 'title').map(({ textContent }) => textContent)).to.deep.equal([
        'First',
        ...names(6),
      ]);
    });

    it('none: says so; no folder and none: an error', async () => {
      const empty = await put({}, { clips: [] });
      expect(part(empty, 'empty')!.textContent).to.contain('There are no clips yet.');
      expect(empty.matches(':state(empty)')).to.equal(true);
      const feed = document.createElement('clip-feed');
      main.append(feed);
      await reaches(feed, 'error');
      expect(feed.error!.code).to.equal('missing-folder');
    });

    it('a folder that cannot be read is an error, which can be tried again', async () => {
      const world = await newWorld({ clips: null });
      const feed = newElement('clip-feed', { endpoint: world.endpoint, folder: 'f' });
      const failed = nextEvent(feed, 'clip-feed-error');
      main.append(feed);
      expect((await failed).error.code).to.equal('clip-not-found');
      await world.set({ clips: names(2) });
      feed.reload();
      await reaches(feed, 'ready');
    });

    it('stay when the folder cannot be read again, which is said over them', async () => {
      const world = await newWorld({ clips: names(3) });
      const feed = await put({ endpoint: world.endpoint, 'player-url': `${world.frames}/media` });
      await plays(feed, feed.project!);
      await world.set({ clips: null });
      const failed = nextEvent(feed, 'clip-feed-error');
      feed.reload();
      await failed;
      const error = part(feed, 'error')!;
      expect(error.textContent).to.contain('not found');
      expect(error.offsetHeight).to.be.below(box(feed).offsetHeight / 3);
      expect(playing(feed)).to.deep.equal([feed.project]);
      await world.set({ clips: names(3) });
      feed.reload();
      await until(() => !part(feed, 'error'));
      expect(playing(feed)).to.deep.equal([feed.project]);
    });

    it('more are drawn before the last three', async () => {
      const feed = await put({}, { clips: names(30) });
      expect(parts(feed, '.item')).to.have.length(12);
      await swipe(feed, 9);
      await until(() => parts(feed, '.item').length === 24);
    });
  });

  describe('frames', () => {
    for (const layout of ['feed', 'modal']) {
      it(`lie below their clips (${layout})`, async () => {
        const feed = await put({ start: 'id-Clip 1', layout });
        if (layout === 'modal') feed.open();
        await until(() => frames(feed).length === 3);
        await feed.updateComplete;
        const boxes = (nodes: readonly Element[]) =>
          nodes.map((node) => node.getBoundingClientRect().toJSON() as object);
        const below = framed(feed).map((id) => parts(feed, '.item')[Number(id!.at(-1))]!);
        expect(boxes(frames(feed))).to.deep.equal(boxes(below));
      });
    }

    it('are three at most, used again without being moved', async () => {
      const feed = await put();
      await until(() => framed(feed).length === 2);
      await swipe(feed);
      await until(() => framed(feed).length === 3);
      const first = frames(feed);
      await until(() => first.every(({ status }) => status === 'ready'));
      const pages = first.map((preview) => preview.shadowRoot!.querySelector('iframe'));
      for (let at = 2; at < 5; at++) {
        const before = feed.project!;
        await swipe(feed);
        await plays(feed, feed.project!);
        await until(() => frames(feed).every(({ status }) => status === 'ready'));
        expect(frames(feed)).to.deep.equal(first);
        expect(framed(feed)).to.include.members([before, feed.project!]);
      }
      await until(() => !pages.some((page) => page!.isConnected));
    });

    it('the page of a clip beside the current one is there before it is swiped to', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      await until(() => frames(feed)[1]?.status === 'ready');
      const page = frames(feed)[1]!.shadowRoot!.querySelector('iframe');
      await swipe(feed);
      await plays(feed, feed.project!);
      expect(frames(feed)[1]!.shadowRoot!.querySelector('iframe')).to.equal(page);
    });

    it('the poster is shown until the picture moves', async () => {
      const feed = await put({ 'poster-url': '/demo/pages/public/favicon.svg?{project}' });
      await until(() => parts(feed, '.item')[0]!.classList.contains('open'));
      const visibility = (at: number) => getComputedStyle(parts(feed, 'poster')[at]!).visibility;
      expect(visibility(0)).to.equal('hidden');
      await until(() => frames(feed)[1]?.status === 'ready');
      expect(visibility(1)).to.equal('visible');
    });

    it('a page that does not come: its error can be pressed, and the next clip is loaded', async () => {
      const feed = await put({ handshake: 'clip-ready' }, missing);
      await until(() => frames(feed)[0]?.status === 'error');
      await feed.updateComplete;
      const [preview] = frames(feed);
      expect(preview!.inert).to.equal(false);
      const { left, width, top, height } = preview!
        .shadowRoot!.querySelector('.retry')!
        .getBoundingClientRect();
      expect(feed.shadowRoot!.elementFromPoint(left + width / 2, top + height / 2)).to.equal(
        preview,
      );
      expect(framed(feed)).to.deep.equal(['a', 'b']);
    });

    it('a page that does not play its clip: its error is shown, and the others play', async () => {
      const content = ['silent', 'b']
        .map((id) => `<clip-preview project="${id}" timeout="300"></clip-preview>`)
        .join('');
      const feed = await put({}, { content });
      await until(() => frames(feed)[0]?.status === 'error');
      await feed.updateComplete;
      expect(frames(feed)[0]!.inert).to.equal(false);
      expect(frames(feed)[0]!.error!.code).to.equal('frame-blank');
      frames(feed)[0]!.shadowRoot!.querySelector<HTMLElement>('.retry')!.click();
      await until(() => frames(feed)[0]?.status === 'ready');
      await until(() => frames(feed)[0]?.status === 'error');
      await swipe(feed);
      await plays(feed, 'b');
    });
  });

  it('shows a page that cannot play its video, and plays the others', async () => {
    const feed = await put({ projects: 'broken b' });
    await until(() => parts(feed, '.item')[0]!.classList.contains('failed'));
    expect(frames(feed)[0]!.inert).to.equal(false);
    expect(getComputedStyle(parts(feed, 'poster')[0]!).visibility).to.equal('hidden');
    expect(part(feed, '.symbol')).to.equal(null);
    await swipe(feed);
    await plays(feed, 'b');
  });

  describe('plays', () => {
    it('the clip in the box, muted, and no other', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      expect(frames(feed)[0]!.muted).to.equal(true);
      expect(frames(feed)[0]!.noControls).to.equal(true);
      await swipe(feed);
      expect(feed.index).to.equal(1);
      await plays(feed, feed.project!);
    });

    it('with sound once the visitor has turned it on, for the rest of the visit', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      part(feed, '.sound')!.click();
      await until(() => frames(feed).every(({ muted }) => !muted));
      await swipe(feed);
      await plays(feed, feed.project!);
      expect(frames(feed).every(({ muted }) => !muted)).to.equal(true);
      feed.remove();
      const other = await put();
      await plays(other, other.project!);
      expect(frames(other)[0]!.muted).to.equal(false);
      part(other, '.sound')!.click();
      await other.updateComplete;
      expect(other.matches(':state(muted)')).to.equal(true);
    });

    it('not outside the viewport', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      main.style.paddingTop = '400vh';
      await plays(feed, '');
      main.style.paddingTop = '';
      await plays(feed, feed.project!);
    });

    it('not in a hidden tab', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      const hide = (hidden: boolean) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      };
      hide(true);
      await plays(feed, '');
      hide(false);
      await plays(feed, feed.project!);
      delete (document as { hidden?: boolean }).hidden;
    });

    it('not while another player of the page plays, until the visitor wants it again', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      const other = await fixture<ClipPreview>(document.createElement('clip-preview') as never);
      other.playerUrl = feed.playerUrl;
      other.project = 'other';
      await other.play();
      await plays(feed, '');
      part(feed, '.play')!.click();
      await plays(feed, feed.project!);
      await until(() => other.paused);
    });

    it('not while a video of the page plays with sound; one without sound changes nothing', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      const video = await fixture<HTMLVideoElement>(document.createElement('video') as never);
      video.muted = true;
      video.dispatchEvent(new Event('play'));
      await feed.updateComplete;
      expect(playing(feed)).to.deep.equal([feed.project]);
      video.muted = false;
      video.dispatchEvent(new Event('play'));
      await plays(feed, '');
    });

    it('nothing before a click where the visitor wants little motion', async () => {
      globalThis.matchMedia = (text) =>
        text.includes('reduced-motion') ? ({ matches: true } as MediaQueryList) : query(text);
      const feed = await put();
      await until(() => frames(feed)[0]?.status === 'ready');
      await until(() => frames(feed).length === 2);
      expect(playing(feed)).to.deep.equal([]);
      expect(part(feed, '.symbol')).not.to.equal(null);
      parts(feed, '.item')[0]!.click();
      await plays(feed, feed.project!);
      await swipe(feed);
      await plays(feed, '');
    });

    it('muted where the browser refuses sound, and not at all where it refuses that, too', async () => {
      sessionStorage.setItem('clip-feed-sound', 'on');
      const feed = await put({ projects: 'refuses' });
      await until(() => part(feed, '.symbol'));
      expect(feed.matches(':state(muted)')).to.equal(true);
      expect(playing(feed)).to.deep.equal([]);
    });

    it('from the beginning again at the end, and says so', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      const ended = nextEvent(feed, 'clip-end');
      frames(feed)[0]!.currentTime = 7.9;
      const { project, index } = await ended;
      expect([project, index]).to.deep.equal([feed.project, 0]);
      await plays(feed, feed.project!);
      await until(() => frames(feed)[0]!.currentTime < 7);
    });
  });

  describe('moves', () => {
    it('by the keyboard', async () => {
      const feed = await put();
      box(feed).focus();
      for (const [key, index] of [
        ['ArrowDown', 1],
        ['PageDown', 2],
        ['ArrowUp', 1],
        ['End', 5],
        ['PageUp', 4],
        ['Home', 0],
      ] as const) {
        const changed = nextEvent(feed, 'clip-change');
        await sendKeys({ press: key });
        expect((await changed).index, key).to.equal(index);
      }
      await plays(feed, feed.project!);
      await sendKeys({ press: ' ' });
      await plays(feed, '');
      await sendKeys({ press: ' ' });
      await plays(feed, feed.project!);
      await sendKeys({ press: 'm' });
      await until(() => frames(feed).every(({ muted }) => !muted));
      // As with Caps Lock.
      await sendKeys({ press: 'M' });
      await until(() => frames(feed).every(({ muted }) => muted));
    });

    it('not by what is typed into the page’s own fields', async () => {
      const feed = await put();
      const field = document.createElement('input');
      field.slot = `actions-${feed.project}`;
      feed.append(field);
      field.focus();
      await sendKeys({ press: 'm' });
      await sendKeys({ press: 'End' });
      expect(field.value).to.equal('m');
      expect(feed.matches(':state(muted)')).to.equal(true);
      expect(feed.index).to.equal(0);
    });

    it('to the clip that is clicked below it', async () => {
      const feed = await put();
      const changed = nextEvent(feed, 'clip-change');
      parts(feed, '.item')[1]!.click();
      expect((await changed).index).to.equal(1);
    });

    it('begins at start', async () => {
      const first = await put({ projects: 'a b c d', start: 'c' });
      await plays(first, 'c');
      expect(first.index).to.equal(2);
      const step = parts(first, '.item')[1]!.offsetTop - parts(first, '.item')[0]!.offsetTop;
      expect(box(first).scrollTop).to.be.closeTo(2 * step, 1);
    });

    it('begins at the address’s clip with history, and the address follows', async () => {
      const before = location.href;
      const url = new URL(before);
      url.searchParams.set('clip', 'b');
      history.replaceState(null, '', url);
      const { length } = history;
      const feed = await put({ projects: 'a b c', history: 'replace' });
      expect(feed.index).to.equal(1);
      await swipe(feed);
      await until(() => new URL(location.href).searchParams.get('clip') === 'c');
      expect(history.length).to.equal(length);
      history.replaceState(null, '', before);
    });

    it('where the browser refuses a change of the address; only one feed changes it', async () => {
      const before = location.href;
      const { warn } = console;
      const { replaceState } = history;
      const warned: unknown[] = [];
      const written: string[] = [];
      console.warn = (text) => warned.push(text);
      history.replaceState = (_state, _title, url) => {
        written.push(new URL(url!).searchParams.get('clip')!);
        throw new DOMException('100 times per 30 seconds', 'SecurityError');
      };
      try {
        const one = await put({ projects: 'a b c', history: 'replace' });
        const other = await put({ projects: 'd e f', history: 'replace' });
        await swipe(other);
        for (const _ of 'bc') await swipe(one);
        expect(one.project).to.equal('c');
        await until(() => written.at(-1) === 'c');
        expect(written.join('')).to.match(/^b?c$/);
        expect(warned).to.have.length(1);
      } finally {
        console.warn = warn;
        history.replaceState = replaceState;
      }
      expect(location.href).to.equal(before);
    });

    it('by as many clips as a key is pressed', async () => {
      const feed = await put({}, { clips: names(30) });
      const indexes: number[] = [];
      feed.addEventListener('clip-change', ({ index }) => indexes.push(index));
      box(feed).focus();
      for (let press = 0; press < 12; press++) {
        box(feed).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      }
      await until(() => feed.index === 12);
      expect(indexes).to.deep.equal([12]);
      feed.previous();
      await until(() => feed.index === 11);
    });

    it('stays at its clip when others come before it', async () => {
      const feed = await put({ projects: 'a b c' });
      await swipe(feed);
      feed.projects = 'x y a b c';
      await until(() => feed.index === 3);
      const step = parts(feed, '.item')[1]!.offsetTop - parts(feed, '.item')[0]!.offsetTop;
      await until(() => Math.abs(box(feed).scrollTop - 3 * step) < 2);
      expect(feed.project).to.equal('b');
    });
  });

  describe('plays the clip that is in view, and no other,', () => {
    const isInView = async (feed: ClipFeed, at: number): Promise<void> => {
      const step = () => parts(feed, '.item')[1]!.offsetTop - parts(feed, '.item')[0]!.offsetTop;
      await until(() => Math.abs(box(feed).scrollTop - at * step()) < 2, `scrolled to ${at}`);
      await plays(feed, feed.project!);
      expect(feed.index).to.equal(at);
    };
    const moves: Record<string, (feed: ClipFeed, panel: HTMLElement) => unknown> = {
      'is moved': (feed, panel) => panel.append(feed),
      ...('moveBefore' in Element.prototype && {
        'is moved with its state': (feed: ClipFeed, panel: HTMLElement) =>
          (panel as unknown as { moveBefore(node: Node, child: null): void }).moveBefore(
            feed,
            null,
          ),
      }),
      'is put back some microtasks after it was removed': async (feed, panel) => {
        feed.remove();
        for (let turn = 0; turn < 9; turn++) await null;
        panel.append(feed);
      },
      'is in a panel that is hidden and shown': async (feed) => {
        main.hidden = true;
        await plays(feed, '');
        main.hidden = false;
      },
      'is in a panel that collapses and opens': async (feed) => {
        feed.style.blockSize = '0';
        await plays(feed, '');
        feed.style.blockSize = '500px';
      },
    };
    for (const [what, move] of Object.entries(moves)) {
      it(`when it ${what}`, async () => {
        const feed = await put();
        const changes: number[] = [];
        await swipe(feed, 2);
        feed.addEventListener('clip-change', ({ index }) => changes.push(index));
        const panel = document.createElement('section');
        main.append(panel);
        await move(feed, panel);
        await isInView(feed, 2);
        expect(changes).to.deep.equal([]);
      });
    }

    it('when it is moved while it scrolls', async () => {
      const feed = await put();
      box(feed).scrollTo({ top: 300, behavior: 'smooth' });
      await until(() => box(feed).scrollTop > 0);
      main.append(document.createElement('section'));
      main.lastElementChild!.append(feed);
      await isInView(feed, 0);
      await until(() => frames(feed)[1]?.status === 'ready');
    });

    it('when it starts in a panel that is hidden', async () => {
      main.hidden = true;
      const feed = await put({ projects: 'a b c', start: 'c' });
      main.hidden = false;
      await isInView(feed, 2);
    });

    it('when the one in view has left the list: its neighbour, which is announced', async () => {
      const feed = await put({ projects: 'a b c d', start: 'b' });
      await plays(feed, 'b');
      for (const [projects, id, index] of [
        ['e a c d', 'c', 2],
        ['e a', 'a', 1],
      ] as const) {
        const changed = nextEvent(feed, 'clip-change');
        feed.projects = projects;
        const { project, index: place } = await changed;
        expect([project, place]).to.deep.equal([id, index]);
        await isInView(feed, index);
      }
    });
  });

  describe('for the page', () => {
    it('tells of each clip that is drawn, whose slot is over its picture', async () => {
      const seen: unknown[] = [];
      main.addEventListener('clip-feed-item', ({ project, index, clip }) => {
        seen.push([index, clip!.name]);
        const link = document.createElement('a');
        link.slot = `actions-${project}`;
        link.href = '#here';
        link.textContent = 'Share';
        link.onclick = () => false;
        (main.firstElementChild as ClipFeed).append(link);
      });
      const feed = await put();
      await until(() => seen.length === 6);
      expect(seen[2]).to.deep.equal([2, 'Clip 2']);
      const [link] = feed.querySelectorAll('a');
      const { left, top } = link!.getBoundingClientRect();
      expect(document.elementFromPoint(left + 2, top + 2)).to.equal(link);
      await plays(feed, feed.project!);
      link!.click();
      await feed.updateComplete;
      expect(playing(feed)).to.deep.equal([feed.project]);
    });

    it('is as large as the page makes it, and a column where it is wide', async () => {
      const feed = await put();
      feed.style.inlineSize = '360px';
      feed.style.blockSize = '640px';
      const size = () => {
        const { width, height } = parts(feed, '.item')[0]!.getBoundingClientRect();
        return [Math.round(width), Math.round(height)];
      };
      expect(size()).to.deep.equal([360, 640]);
      feed.style.inlineSize = '700px';
      const [width, height] = size() as [number, number];
      expect(height).to.be.below(640);
      expect(width / height).to.be.closeTo(9 / 16, 0.01);
      // The next clip can be seen below it.
      expect(parts(feed, '.item')[1]!.getBoundingClientRect().top).to.be.below(
        feed.getBoundingClientRect().bottom,
      );
    });

    it('ends all work when it leaves the page, and begins again where it comes back', async () => {
      const feed = await put();
      await plays(feed, feed.project!);
      feed.remove();
      await until(() => feed.status === 'idle');
      await until(() => !frames(feed).length);
      main.append(feed);
      await reaches(feed, 'ready');
      await plays(feed, feed.project!);
    });
  });

  describe('the modal form', () => {
    it('opens from a strip of posters, closes by Escape, and returns the focus', async () => {
      const feed = await put({ layout: 'strip' });
      expect(frames(feed)).to.have.length(0);
      const third = parts(feed, '.strip-item')[2]!;
      third.focus();
      await sendKeys({ press: 'Enter' });
      await until(() => part(feed, 'dialog')?.matches(':modal'));
      expect(feed.index).to.equal(2);
      await plays(feed, feed.project!);
      expect(feed.shadowRoot!.activeElement).to.equal(box(feed));
      await sendKeys({ press: 'Escape' });
      await until(() => !part(feed, 'dialog'));
      expect(feed.shadowRoot!.activeElement).to.equal(third);
      expect(frames(feed)).to.have.length(0);
      expect(feed.matches(':state(open)')).to.equal(false);
    });

    it('opens and closes by a script, and takes no place before', async () => {
      const feed = await put({ layout: 'modal', style: '' });
      expect(feed.offsetHeight).to.equal(0);
      feed.open();
      await until(() => part(feed, 'dialog')?.matches(':modal'));
      await plays(feed, feed.project!);
      part(feed, '.close')!.click();
      await until(() => !part(feed, 'dialog'));
      feed.open();
      await until(() => part(feed, 'dialog')?.matches(':modal'));
      feed.close();
      await until(() => !part(feed, 'dialog'));
    });
  });

  it('fills the height that the page gives a strip, and is as wide as set without one', async () => {
    const feed = await put({ layout: 'strip', style: '' });
    const poster = parts(feed, '.strip-item')[0]!;
    expect(poster.offsetWidth).to.be.closeTo(144, 1);
    expect(poster.offsetHeight).to.be.closeTo(256, 1);
    feed.style.blockSize = '480px';
    expect(poster.offsetHeight).to.be.closeTo(480, 1);
    expect(poster.offsetWidth).to.be.closeTo(270, 1);
  });

  it('stays modal when it is moved, and leaves no scrolling to a page that a strip fills', async () => {
    const feed = await put({ layout: 'strip' });
    main.style.overflow = 'auto';
    expect(main.scrollWidth).to.equal(main.clientWidth);
    parts(feed, '.strip-item')[0]!.click();
    await until(() => part(feed, 'dialog')?.matches(':modal'));
    main.append(feed);
    await until(() => part(feed, 'dialog')?.matches(':modal'));
    await plays(feed, feed.project!);
    feed.close();
    await until(() => !part(feed, 'dialog'));
  });

  describe('Back', () => {
    it('closes the modal form, and no other way to close it leaves an entry', async () => {
      const { href } = location;
      // The entry of a test before leaves after its dialog.
      await until(() => !Object.keys(Object(history.state) as object).length);
      history.replaceState({ router: 1 }, '');
      const feed = await put({ layout: 'modal' });
      const isOpen = () => !!part(feed, 'dialog')?.matches(':modal');
      const popped: unknown[] = [];
      const listener = () => popped.push(history.state);
      addEventListener('popstate', listener);
      feed.open();
      await until(isOpen);
      history.back();
      await until(() => !part(feed, 'dialog'));
      expect(history.state).to.deep.equal({ router: 1 });
      feed.open();
      await until(isOpen);
      await sendKeys({ press: 'Escape' });
      // Again before its entry has left.
      await until(() => !part(feed, 'dialog'));
      feed.open();
      await until(isOpen);
      await until(() => Object(history.state)['clip-feed']);
      history.back();
      await until(() => !part(feed, 'dialog'));
      expect(location.href).to.equal(href);
      expect(history.state).to.deep.equal({ router: 1 });
      expect(popped).to.deep.equal([]);
      removeEventListener('popstate', listener);
      history.replaceState(null, '');
    });
  });

  describe('for screen readers', () => {
    it('is a list of clips with their place, and says which one has come', async () => {
      const feed = await put();
      const labels = parts(feed, '.item').map((item) => item.getAttribute('aria-label'));
      expect(labels[2]).to.equal('Clip 3 of 6: Clip 2');
      expect(heard(feed)).to.equal('');
      await swipe(feed);
      await feed.updateComplete;
      expect(heard(feed)).to.equal('Clip 2 of 6: Clip 1');
      expect(feed.shadowRoot!.querySelector('[role=status]')!.ariaLive).to.equal(null);
      const untitled = await put({ projects: 'a b' });
      expect(parts(untitled, '.item')[0]!.getAttribute('aria-label')).to.equal('Clip 1 of 2');
    });

    it('speaks the language of the page, from right to left too', async () => {
      document.documentElement.lang = 'ar';
      document.documentElement.dir = 'rtl';
      const feed = await put();
      await until(
        () => part(feed, '.play')!.title === 'تشغيل' || part(feed, '.play')!.title === 'إيقاف مؤقت',
      );
      const sound = part(feed, '.sound')!.getBoundingClientRect();
      const play = part(feed, '.play')!.getBoundingClientRect();
      expect(sound.right).to.be.below(play.left);
      document.documentElement.dir = '';
    });

    for (const layout of ['feed', 'strip', 'modal', 'failed'] as const) {
      it(`has no fault that axe finds (${layout})`, async () => {
        const feed = await put(
          { layout, handshake: 'clip-ready' },
          layout === 'failed' ? missing : {},
        );
        if (layout === 'modal') {
          feed.open();
          await until(() => part(feed, 'dialog'));
        }
        if (layout === 'failed') await until(() => frames(feed)[0]?.status === 'error');
        else if (layout !== 'strip') await plays(feed, feed.project!);
        expect(await findFaults(feed)).to.deep.equal([]);
      });
    }
  });
});
