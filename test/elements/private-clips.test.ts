import { expect } from '@open-wc/testing';
import '../../src/cdn/clip-kit.ts';
import '../../src/define/clip-feed.ts';
import '../../src/define/clip-list.ts';
import { configure } from '../../src/elements/settings/page-wide.ts';
import {
  frameNews,
  mount,
  newWorld,
  reaches,
  until,
  type BrowserWorld,
} from '../support/browser-world.ts';

const signed = /\?(?:[^#]*&)?expires=\d+&signature=[\w-]{43}/;

describe('private clips', () => {
  let world: BrowserWorld;
  let pages: ReturnType<typeof frameNews>;
  const { now } = Date;

  beforeEach(async () => {
    world = await newWorld({ clips: ['a', 'b'] });
    pages = frameNews();
    configure({ endpoint: world.endpoint, links: 'signed' });
  });
  afterEach(() => {
    Date.now = now;
    pages.end();
    configure({ endpoint: null, links: null });
  });

  const settings = (kind = 'media') => ({ 'player-url': `${world.frames}/${kind}` });
  const preview = (more: Record<string, string> = {}) =>
    mount('clip-preview', { project: 'id-a', loading: 'eager', ...settings(), ...more });
  const main = () => [...document.querySelectorAll('clip-preview')];
  const asked = async () =>
    (await world.sent()).filter(({ path }) => path.endsWith('/links')).map(({ path }) => path);
  /** The addresses that frames were loaded with. */
  const loads = () => pages.news.filter(({ frame }) => frame === 'load').map(({ href }) => href);

  it('are loaded with a link of the host, which the elements of the page share', async () => {
    const [element, other] = await Promise.all([preview(), preview()]);
    await reaches(element, 'ready');
    await reaches(other, 'ready');
    await until(() => loads().length === 2);
    for (const href of loads()) expect(href).to.match(signed);
    expect(await asked()).to.deep.equal(['/projects/id-a/links']);
    expect(element.outerHTML).not.to.contain('signature');
  });

  it('keep the parameters of their player', async () => {
    await reaches(await preview({ muted: '', playsinline: '' }), 'ready');
    await until(() => loads().length);
    const { searchParams } = new URL(loads()[0]!);
    expect([...searchParams.keys()]).to.deep.equal([
      'expires',
      'signature',
      'muted',
      'playsinline',
    ]);
  });

  it('cost public ones no request', async () => {
    configure({ links: null });
    await reaches(await preview(), 'ready');
    await until(() => loads().length);
    expect(loads()[0]).not.to.contain('signature');
    expect(await asked()).to.deep.equal([]);
  });

  it('play on over a renewal: the page gets the new link, and does not reload', async () => {
    const element = await preview({ muted: '' });
    await reaches(element, 'ready');
    await element.play();
    let pauses = 0;
    element.addEventListener('pause', () => pauses++);
    // As after fifty-five minutes.
    Date.now = () => now() + 55 * 60_000;
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => pages.news.some(({ frame }) => frame === 'hashchange'));
    const [first, renewed] = pages.news;
    expect(renewed!.load).to.equal(first!.load);
    expect(renewed!.length).to.equal(first!.length);
    const [before, after] = renewed!.href.split('#');
    expect(before).to.equal(first!.href);
    expect(`?${after}`).to.match(signed);
    expect(before).not.to.contain(new URLSearchParams(after).get('signature'));
    const { currentTime } = element;
    await until(() => element.currentTime > currentTime + 0.3);
    expect([pauses, element.paused]).to.deep.equal([0, false]);
  });

  it('come back with the connection, whether it was lost before or after they were loaded', async () => {
    const { fetch } = window;
    const wake = () => document.dispatchEvent(new Event('visibilitychange'));
    try {
      const early = await preview();
      await reaches(early, 'ready');
      window.fetch = () => Promise.reject(new TypeError('offline'));
      const late = await preview({ project: 'id-b' });
      await reaches(late, 'error');
      expect(late.error!.code).to.equal('network');
      // As after two hours.
      Date.now = () => now() + 2 * 60 * 60_000;
      await until(() => {
        wake();
        return early.status === 'error';
      });
      expect(early.error!.code).to.equal('network');
    } finally {
      window.fetch = fetch;
    }
    dispatchEvent(new Event('online'));
    for (const element of main()) await reaches(element, 'ready');
    expect(new Set(await asked())).to.deep.equal(
      new Set(['/projects/id-a/links', '/projects/id-b/links']),
    );
  });

  it('are loaded once more with a new link if their page is missing, and then it is said', async () => {
    const element = await preview();
    await reaches(element, 'ready');
    const say = () =>
      element
        .shadowRoot!.querySelector('iframe')!
        .contentWindow!.postMessage({ say: { type: 'clip-missing' } }, '*');
    say();
    await until(() => loads().length === 2);
    await reaches(element, 'ready');
    expect(await asked()).to.have.length(2);
    expect(loads()[1]).not.to.equal(loads()[0]);
    say();
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('clip-not-found');
    expect(element.shadowRoot!.querySelector('[part="error"]')!.textContent!.trim()).not.to.equal(
      '',
    );
    element.shadowRoot!.querySelector<HTMLButtonElement>('.retry')!.click();
    await reaches(element, 'ready');
    expect(await asked()).to.have.length(3);
  });

  it('of others are not shown, and it is said', async () => {
    const element = await preview({ project: 'of-another' });
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('clip-not-found');
    expect(loads()).to.deep.equal([]);
  });

  it('are shown to nobody who is not signed in', async () => {
    await world.set({ unauthenticated: true });
    const element = await preview();
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('unauthenticated');
    expect(loads()).to.deep.equal([]);
  });

  it('of one user are gone when another one has signed in', async () => {
    const element = await preview();
    await reaches(element, 'ready');
    await world.set({ account: 'ben', clips: [] });
    dispatchEvent(new Event('clip-session-change'));
    await reaches(element, 'error');
    expect(element.shadowRoot!.querySelector('iframe')).to.equal(null);
    expect(element.error!.code).to.be.oneOf(['account-changed', 'clip-not-found']);
  });

  it('need the settings of a list only around it', async () => {
    const list = await mount('clip-list', { folder: 'f', ...settings() });
    await reaches(list, 'ready');
    expect(await asked()).to.deep.equal([]);
    const first = list.shadowRoot!.querySelector('clip-preview')!;
    first.activate();
    await reaches(first, 'ready');
    await until(() => loads().length);
    expect(loads()[0]).to.match(signed);
    expect(await asked()).to.have.length(1);
  });

  it('play in a feed, with its own settings', async () => {
    configure({ endpoint: null, links: null });
    const feed = await mount('clip-feed', {
      ...{ folder: 'f', endpoint: world.endpoint, links: 'signed' },
      ...settings(),
    });
    await until(() => loads().length > 0);
    for (const href of loads()) expect(href).to.match(signed);
    expect(feed.status).to.equal('ready');
  });
});
