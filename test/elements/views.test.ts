import { expect, waitUntil } from '@open-wc/testing';
import '../../src/cdn/clip-kit.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import { configure } from '../../src/elements/settings/page-wide.ts';
import { stallMs } from 'clip-testkit/stall-ms';
import {
  mount,
  mountPreview,
  newWorld,
  nextEvent,
  until,
  type BrowserWorld,
} from '../support/browser-world.ts';

/** The clip in the frames has eight seconds. */
describe('the views that a page sends', () => {
  let world: BrowserWorld;

  beforeEach(async () => {
    world = await newWorld();
  });
  afterEach(() => configure({ views: null, viewsPlace: null }));

  const preview = () => mountPreview(`${world.frames}/media`, { loading: 'click', muted: '' });

  const view = async (element: ClipPreview, seconds = 0) => {
    element.currentTime = seconds;
    const viewed = nextEvent(element, 'clip-view');
    await element.play();
    await viewed;
    // What sends it has loaded by then.
    const { currentTime } = element;
    await until(() => element.currentTime > currentTime + 0.5);
  };

  /** As the browser tells a page that is left. */
  const leave = () => dispatchEvent(new Event('pagehide'));

  const sent = async () => (await world.sent()).filter(({ path }) => path === '/views');

  /** The records of all batches that the host has taken, once there are this many batches. */
  async function records(batches: number) {
    let taken: Awaited<ReturnType<BrowserWorld['batches']>> = [];
    await waitUntil(
      async () => (taken = await world.batches()).length >= batches,
      'The batches did not come.',
      { interval: 20, timeout: stallMs },
    );
    return taken.flatMap(({ views }) => views);
  }

  it('are what was watched, where and how: no session, no account, nothing of the visitor', async () => {
    configure({ views: `${world.endpoint}/views`, viewsPlace: 'home' });
    const element = await preview();
    await view(element);
    expect(await sent()).to.deep.equal([]);
    await until(() => element.currentTime > 4);
    leave();
    expect(await records(1)).to.deep.equal([
      { project_id: 'a', muted: true, place: 'home', begins: true, marks: [0] },
    ]);
    const [{ method, query, session, account, key }] = (await sent()) as [
      Awaited<ReturnType<typeof sent>>[0],
    ];
    expect([method, query, session, account, key]).to.deep.equal(['POST', '', null, null, null]);
  });

  it('come again with what was watched since, and do not begin again', async () => {
    configure({ views: `${world.endpoint}/views` });
    const element = await preview();
    await view(element);
    leave();
    leave();
    await until(() => element.currentTime > 4.5);
    element.remove();
    await element.updateComplete;
    const other = await preview();
    await view(other, 5.2);
    leave();
    expect(await records(2)).to.deep.equal([
      { project_id: 'a', muted: true, begins: true, marks: [] },
      { project_id: 'a', muted: true, begins: false, marks: [0] },
      { project_id: 'a', muted: true, begins: true, marks: [] },
    ]);
  });

  for (const [name, sendBeacon] of [
    ['has no beacons', undefined],
    ['refuses a beacon', () => false],
  ] as const) {
    it(`are sent by a browser that ${name}, now or the next time`, async () => {
      configure({ views: `${world.endpoint}/views` });
      const { fetch } = window;
      Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: sendBeacon });
      try {
        await view(await preview());
        let refused = 0;
        window.fetch = () => Promise.reject(new TypeError(`Too much at once, ${++refused}`));
        leave();
        window.fetch = fetch;
        await until(() => refused);
        leave();
        expect(await records(1)).to.deep.equal([
          { project_id: 'a', muted: true, begins: true, marks: [] },
        ]);
      } finally {
        window.fetch = fetch;
        Reflect.deleteProperty(navigator, 'sendBeacon');
      }
    });
  }

  it('are set by <clip-config> and by <meta>, the nearest first', async () => {
    const meta = Object.assign(document.createElement('meta'), {
      name: 'clip-config',
      content: `views=${world.endpoint}/views, views-place=page`,
    });
    document.head.append(meta);
    const config = await mount('clip-config', { 'views-place': 'sidebar' });
    const element = await preview();
    config.append(element);
    await view(element);
    leave();
    meta.remove();
    expect((await records(1)).map(({ place }) => place)).to.deep.equal(['sidebar']);
  });

  for (const [signal, value] of [
    ['globalPrivacyControl', true],
    ['doNotTrack', '1'],
  ] as const) {
    it(`are not sent with ${signal}, and what sends them is not loaded`, async () => {
      Object.defineProperty(navigator, signal, { configurable: true, value });
      try {
        configure({ views: `${world.endpoint}/views` });
        const element = await preview();
        await view(element);
        await until(() => element.currentTime > 4);
        leave();
      } finally {
        Reflect.deleteProperty(navigator, signal);
      }
      // A later one, which is sent, shows that nothing came before it.
      const next = await preview();
      next.project = 'next';
      await next.updateComplete;
      await view(next);
      leave();
      expect(await records(1)).to.deep.equal([
        { project_id: 'next', muted: true, begins: true, marks: [] },
      ]);
    });
  }

  it('are not sent anywhere by a page that does not say where, or not rightly', async () => {
    const element = await preview();
    await view(element);
    leave();
    configure({ views: `${world.endpoint}/views`, viewsPlace: 'not a word' });
    await view(await preview());
    leave();
    configure({ viewsPlace: 'word' });
    await view(await preview());
    leave();
    expect(await records(1)).to.deep.equal([
      { project_id: 'a', muted: true, place: 'word', begins: true, marks: [] },
    ]);
  });
});
