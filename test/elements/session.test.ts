/** Elements whose host knows the user by a session: signed in, out, and in as another user. */
import { aTimeout, expect } from '@open-wc/testing';
import '../../src/index.ts';
import { ClipExportButton } from '../../src/elements/clip-export-button/clip-export-button.ts';
import '../../src/define/clip-create.ts';
import '../../src/define/clip-feed.ts';
import '../../src/define/clip-list.ts';
import '../../src/define/clip-videos.ts';
import { makeAccountTag } from '../../packages/host/src/users/account-tag.ts';
import { configure } from '../../src/elements/settings/page-wide.ts';
import '../../src/upgrade/index.ts';
import {
  type BrowserWorld,
  newElement,
  newWorld,
  nextEvent,
  part,
  reaches,
  startUntil,
  until,
} from '../support/browser-world.ts';
import type { Behaviour, SessionBehaviour } from '../support/page-behaviour.ts';
import { sessionOf } from 'clip-testkit/site-session';
import { fileOf } from '../support/chosen-files.ts';

type Tag = keyof HTMLElementTagNameMap & `clip-${string}`;

describe('with a session', () => {
  const added: Element[] = [];
  beforeEach(() => {
    document.cookie = 'site=1; path=/';
  });
  afterEach(async () => {
    for (const element of added.splice(0)) element.remove();
    await aTimeout(0);
    localStorage.clear();
    document.cookie = 'site=; max-age=0; path=/';
    configure({ endpoint: null, session: null, getSession: null });
  });

  const worldOf = (session: Partial<SessionBehaviour> = {}, behaviour = {}) =>
    newWorld({ session: { user: 'ann', ...session }, ...behaviour });

  function add<Name extends Tag>(
    tag: Name,
    attributes: Record<string, string>,
    content = '',
  ): HTMLElementTagNameMap[Name] {
    const element = newElement(tag, attributes);
    element.innerHTML = content;
    added.push(element);
    document.body.append(element);
    return element;
  }

  const settings = ({ endpoint, frames }: BrowserWorld) => ({
    endpoint,
    session: `${endpoint}/_session`,
    'app-url': frames,
    'player-url': frames,
    project: 'clip-1',
  });

  /** Adds a button of a new world. */
  const open = async (session: Partial<SessionBehaviour> = {}, more = {}) => {
    const world = await worldOf(session);
    return { world, button: add('clip-export-button', { ...settings(world), ...more }) };
  };

  const signIn = async (world: BrowserWorld, user: string | null) => {
    await world.set({ session: { user } });
    dispatchEvent(new Event('clip-session-change'));
  };

  it('all elements share one, which is in every call, and no cookie is', async () => {
    const world = await worldOf({}, { clips: ['one'] });
    const all = settings(world);
    const button = add('clip-export-button', all);
    const embed = add('clip-embed', { ...all, loading: 'eager' });
    const list = add('clip-list', { ...all, project: '', folder: 'f' });
    await button.start();
    await Promise.all([reaches(button, 'ready'), reaches(embed, 'ready'), reaches(list, 'ready')]);
    const sent = await world.sent();
    expect(sent.length).to.be.greaterThan(3);
    expect(new Set(sent.map(({ session }) => session)).size).to.equal(1);
    expect(sent[0]!.session).to.match(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sent.every(({ cookie }) => !cookie)).to.equal(true);
    expect(await world.sessions()).to.equal(1);
  });

  it('without the setting, calls carry the cookie and no session', async () => {
    const world = await newWorld();
    const button = add('clip-export-button', { endpoint: world.endpoint, project: 'clip-1' });
    await button.start();
    const [start] = await world.sent('start');
    expect([start!.session, start!.cookie]).to.deep.equal([null, true]);
    expect(await world.sessions()).to.equal(0);
  });

  it('that has ended is renewed, and the start is sent once again with its key', async () => {
    const { world, button } = await open({ expired: 1 });
    await startUntil(button, 'ready');
    const starts = await world.sent('start');
    expect(starts).to.have.length(2);
    expect(starts[0]!.key).to.equal(starts[1]!.key);
    expect(starts[0]!.session).to.not.equal(starts[1]!.session);
  });

  describe('settings', () => {
    const startWith = async (world: BrowserWorld, set: () => unknown) => {
      set();
      const button = add('clip-export-button', { project: 'clip-1' });
      await startUntil(button, 'ready');
      return (await world.sent('start'))[0]!.session!;
    };

    it('come from configure()', async () => {
      const world = await worldOf();
      const { endpoint } = world;
      const session = `${endpoint}/_session`;
      await startWith(world, () => configure({ endpoint, session }));
      expect(await world.sessions()).to.equal(1);
    });

    it('come from <meta name="clip-config">', async () => {
      const world = await worldOf();
      const content = `endpoint=${world.endpoint}, session=${world.endpoint}/_session`;
      const meta = Object.assign(document.createElement('meta'), { name: 'clip-config', content });
      await startWith(world, () => document.head.append(meta));
      meta.remove();
      expect(await world.sessions()).to.equal(1);
    });

    it('may be a function, of which the newest is called', async () => {
      const world = await worldOf();
      const { endpoint } = world;
      configure({ endpoint, getSession: async () => sessionOf('old') });
      const mine = await sessionOf('ann');
      const sent = await startWith(world, () => configure({ getSession: async () => mine }));
      expect(sent).to.equal(`Bearer ${mine}`);
      expect(await world.sessions()).to.equal(0);
    });

    it('may be a function of a <clip-config>, also for a list in it', async () => {
      const world = await worldOf({}, { clips: ['one'] });
      const config = document.createElement('clip-config');
      added.push(config);
      Object.assign(config, { endpoint: world.endpoint, playerUrl: world.frames });
      config.getSession = async () => sessionOf('ann');
      const list = document.createElement('clip-list');
      list.folder = 'f';
      config.append(list);
      document.body.append(config);
      await reaches(list, 'ready');
      await until(() => list.shadowRoot!.querySelector('clip-export-button'));
      const button = list.shadowRoot!.querySelector('clip-export-button')!;
      await startUntil(button, 'ready');
      expect((await world.sent()).every(({ session }) => session)).to.equal(true);
    });

    it('begin with the session in the page, which is renewed at the address', async () => {
      const world = await worldOf({ expired: 1 });
      const block = document.createElement('script');
      added.push(block);
      Object.assign(block, { type: 'application/json', text: '' });
      block.setAttribute('data-clip-session', '');
      const session = await sessionOf('ann');
      block.textContent = JSON.stringify({ session });
      document.body.append(block);
      const button = add('clip-export-button', settings(world));
      await button.start();
      const sent = (await world.sent('start')).map((one) => one.session);
      expect(sent[0]).to.equal(`Bearer ${session}`);
      expect(sent).to.have.length(2);
      expect(await world.sessions()).to.equal(1);
    });

    for (const wrong of ['https://other.example/session', '/x/eyJhbGciOiJIUzI1NiJ9.eyJh.c2ln']) {
      it(`are refused before anything is sent: session="${wrong}"`, async () => {
        const { world, button } = await open({}, { session: wrong });
        await reaches(button, 'error');
        expect(button.error!.code).to.equal('invalid-config');
        expect(button.error!.message).to.contain('data-clip-session');
        expect(await world.sent()).to.deep.equal([]);
      });
    }
  });

  describe('when nobody is signed in', () => {
    for (const [tag, more] of [
      ['clip-export-button', {}],
      ['clip-embed', { loading: 'eager' }],
      ['clip-list', { project: '', folder: 'f' }],
      ['clip-feed', { folder: 'f' }],
      ['clip-create', {}],
    ] as const) {
      it(`<${tag}> is signed-out, with an event and a slot, and goes on without a reload`, async () => {
        const world = await worldOf({ user: null }, { clips: ['one'] });
        const events: string[] = [];
        const note = ({ type }: Event) => void events.push(type);
        const errors = ['export', 'embed', 'list', 'feed', 'create'].map(
          (name) => `clip-${name}-error`,
        );
        for (const type of ['clip-signed-out', ...errors]) addEventListener(type, note);
        const link = '<a slot="signed-out">Go</a>';
        const element = add(tag, { ...settings(world), ...more }, link);
        if (element instanceof ClipExportButton) void element.start();
        await reaches(element, 'signed-out');
        await until(() => element.matches(':state(signed-out)'));
        expect(element.error).to.equal(null);
        const slot = element.shadowRoot!.querySelector<HTMLSlotElement>('slot[name="signed-out"]')!;
        expect(slot.assignedElements()[0]!.textContent).to.equal('Go');
        expect(slot.textContent!.trim()).to.equal('Sign in to continue.');
        await until(() => events.length);
        expect(events).to.deep.equal(['clip-signed-out']);
        expect(await world.sent()).to.deep.equal([]);
        await signIn(world, 'ann');
        const goal = /button|create/.test(tag) ? 'idle' : 'ready';
        await reaches(element, goal);
        expect(element.matches(':state(signed-out)')).to.equal(false);
        for (const type of ['clip-signed-out', ...errors]) removeEventListener(type, note);
      });
    }

    it('a button starts nothing, and pays once after a click of a signed-in user', async () => {
      const { world, button } = await open({ user: null });
      await button.start();
      expect(button.status).to.equal('signed-out');
      await button.updateComplete;
      expect(part(button, '.retry')).to.equal(null);
      expect(part(button, 'status')!.textContent!.trim()).to.equal('Sign in to continue.');
      await world.set({ session: { user: 'ann' } });
      part(button, 'button')!.click();
      await reaches(button, 'ready');
      expect(await world.sent('start')).to.have.length(1);
    });

    it('all elements go on when one of them has got a session', async () => {
      const world = await worldOf({ user: null }, { clips: ['one'] });
      const list = add('clip-list', { ...settings(world), project: '', folder: 'f' });
      await reaches(list, 'signed-out');
      await world.set({ session: { user: 'ann' } });
      await add('clip-export-button', settings(world)).start();
      await reaches(list, 'ready');
    });

    it('what was shown is not shown any more, and comes back', async () => {
      const world = await worldOf({}, { clips: ['one'], task: { status: 'processing' } });
      const list = add('clip-list', { ...settings(world), project: '', folder: 'f', task: 't' });
      await until(() => list.clips.length === 1);
      await signIn(world, null);
      // The watch goes on with its next question.
      document.dispatchEvent(new Event('visibilitychange'));
      await reaches(list, 'signed-out');
      expect(list.clips).to.deep.equal([]);
      await signIn(world, 'ann');
      await until(() => list.clips.length === 1);
    });

    it('in the page’s language', async () => {
      const world = await worldOf({ user: null });
      document.documentElement.lang = 'de';
      const { registerLocale } = await import('../../src/elements/settings/page-wide.ts');
      registerLocale(
        'de',
        (await import('../../src/locales/de.json', { with: { type: 'json' } })).default,
      );
      const button = add('clip-export-button', settings(world));
      await button.start();
      await until(() => part(button, 'status')!.textContent!.includes('Melden Sie sich an'));
      document.documentElement.lang = 'en';
    });
  });

  describe('uploads', () => {
    const putIn = async (
      behaviour: Partial<Behaviour>,
      getSession: () => Promise<string | null>,
    ) => {
      const world = await newWorld({ session: { user: 'ann' }, ...behaviour });
      configure({ endpoint: world.endpoint, getSession });
      const element = add('clip-create', {});
      await element.choose([fileOf(300_000)]);
      void element.start();
      return { world, element };
    };

    it('wait while nobody is signed in, and go on as they were', async () => {
      let user: string | null = null;
      const { world, element } = await putIn({}, async () =>
        user === null ? null : sessionOf(user),
      );
      await reaches(element, 'signed-out');
      expect(element.error).to.equal(null);
      await until(() => element.matches(':state(signed-out)'));
      expect(element.shadowRoot!.querySelector('slot[name="signed-out"]')).to.not.equal(null);
      expect(await world.sent()).to.deep.equal([]);
      user = 'ann';
      dispatchEvent(new Event('focus'));
      await reaches(element, 'started');
      expect(await world.sent('POST', '/tasks/video-to-shorts')).to.have.length(1);
    });

    it('a list of videos waits too, and shows those of another person to nobody', async () => {
      let user: string | null = 'ann';
      const world = await newWorld({ session: { user: 'ann' } });
      await world.setTasks([{ id: 't', name: 'Mine', status: 'ready' }]);
      configure({
        endpoint: world.endpoint,
        getSession: async () => (user === null ? null : sessionOf(user)),
      });
      const videos = add('clip-videos', {});
      await until(() => videos.videos.length === 1);
      user = null;
      dispatchEvent(new Event('clip-session-change'));
      videos.reload();
      await reaches(videos, 'signed-out');
      expect(videos.videos).to.deep.equal([]);
      await until(() => videos.shadowRoot!.textContent!.includes('Sign in to continue.'));
      user = 'ben';
      dispatchEvent(new Event('focus'));
      await reaches(videos, 'ready');
      expect(videos.videos).to.deep.equal([]);
      user = 'ann';
      dispatchEvent(new Event('clip-session-change'));
      videos.reload();
      await until(() => videos.videos.length === 1);
    });
  });

  it('another person in the same browser sees and pays nothing of the first one', async () => {
    const { world, button } = await open();
    await startUntil(button, 'ready');
    await signIn(world, 'ben');
    button.watermark = { src_url: '/logo.png' };
    await until(() => part(button, '.again'));
    await button.start();
    await until(() => button.error?.code === 'account-changed');
    const starts = await world.sent('start');
    expect(starts).to.have.length(2);
    expect(starts[1]!.account).to.equal(makeAccountTag('ann'));
    await startUntil(button, 'ready');
    expect((await world.sent('start'))[2]!.account).to.equal(makeAccountTag('ben'));
  });

  describe('a download', () => {
    const saved: { href: string; name: string }[] = [];
    const { click } = HTMLAnchorElement.prototype;
    beforeEach(() => {
      saved.length = 0;
      HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
        saved.push({ href: this.href, name: this.download });
      };
    });
    afterEach(() => {
      HTMLAnchorElement.prototype.click = click;
    });

    it('asks for an address of the file at the click, and goes there', async () => {
      const { world, button } = await open({}, { 'download-name': 'my.mp4' });
      const ready = nextEvent(button, 'clip-export-ready');
      await button.start();
      expect((await ready).downloadUrl).to.equal(null);
      await button.updateComplete;
      expect(button.downloadUrl).to.equal(null);
      part(button, '.download')!.click();
      await until(() => saved.length);
      const asked = (await world.sent()).find(({ path }) => path.endsWith('/download'))!;
      expect([asked.method, asked.body]).to.deep.equal([
        'POST',
        { project_id: 'clip-1', name: 'my.mp4' },
      ]);
      expect(saved[0]!.name).to.equal('my.mp4');
      const file = await fetch(saved[0]!.href, { credentials: 'omit' });
      expect(await file.text()).to.contain('mp4 of');
      const [session = ''] = (await world.sent('start')).map((one) => one.session!.split(' ')[1]!);
      expect(saved[0]!.href).to.not.contain(session);
    });

    it('begins automatically with auto-download', async () => {
      const { button } = await open({}, { 'auto-download': '' });
      await button.start();
      await until(() => saved.length);
      expect(saved[0]!.href).to.contain('grant=');
    });

    it('says so when nobody is signed in any more', async () => {
      const { world, button } = await open();
      await startUntil(button, 'ready');
      await signIn(world, null);
      const signedOut = nextEvent(button, 'clip-signed-out');
      await button.download();
      await signedOut;
      await until(() => part(button, 'status')!.textContent!.includes('Sign in to continue.'));
      expect(saved).to.deep.equal([]);
    });
  });

  describe('an address that does not give one', () => {
    const faults: [NonNullable<SessionBehaviour['answers']>, RegExp][] = [
      [404, /answered 404/],
      [500, /answered 500/],
      ['page', /a page of HTML/],
      ['text', /no session/],
      ['redirect', /redirected to \/host\/other\/_login/],
    ];
    for (const [answers, message] of faults) {
      it(`is an error that says what to do: ${answers}`, async () => {
        const { world, button } = await open({ answers });
        await button.start();
        expect(button.error!.code).to.equal('session-failed');
        expect(button.error!.message).to.contain('Try again');
        expect((button.error!.cause as Error).message)
          .to.match(message)
          .and.match(/or 401 when no user/);
        expect(await world.sent()).to.deep.equal([]);
        await world.set({ session: { user: 'ann' } });
        await button.retry();
        await reaches(button, 'ready');
        expect(await world.sent('start')).to.have.length(1);
      });
    }

    it('and a session that the host refuses: with the host’s words', async () => {
      const { world, button } = await open({ isForeign: true });
      await button.start();
      expect(button.error!.code).to.equal('session-refused');
      expect(button.error!.message).to.contain('Try again');
      expect((button.error!.cause as Error).message).to.contain('another secret');
      expect(await world.sent('start')).to.have.length(2);
    });
  });

  it('it is in no attribute, address, storage, log, event or error', async () => {
    const world = await worldOf({}, { clips: ['one'] });
    const events: Event[] = [];
    const logs: unknown[] = [];
    const note = (event: Event) => void events.push(event);
    const names = ['ready', 'error', 'start', 'progress'].map((name) => `clip-export-${name}`);
    for (const type of [...names, 'clip-token-renewed', 'clip-signed-out']) {
      addEventListener(type, note);
    }
    const levels = ['log', 'info', 'warn', 'error'] as const;
    const real = levels.map((level) => console[level]);
    for (const level of levels)
      console[level] = (...values: unknown[]) => void logs.push(...values);
    const fetched: string[] = [];
    const { fetch: realFetch } = globalThis;
    globalThis.fetch = (input, init) => {
      fetched.push(input instanceof Request ? input.url : `${input}`);
      return realFetch(input, init);
    };
    try {
      const button = add('clip-export-button', settings(world));
      const list = add('clip-list', { ...settings(world), project: '', folder: 'f' });
      const embed = add('clip-embed', { ...settings(world), loading: 'eager' });
      await button.start();
      await Promise.all([
        reaches(button, 'ready'),
        reaches(list, 'ready'),
        reaches(embed, 'ready'),
      ]);
      await world.set({ session: { user: 'ann', isForeign: true } });
      dispatchEvent(new Event('clip-session-change'));
      const failed = add('clip-export-button', { ...settings(world), project: 'clip-2' });
      await failed.start();
      const sessions = new Set(
        (await world.sent()).map(({ session }) => session!.replace('Bearer ', '')),
      );
      expect(sessions.size).to.be.greaterThan(1);
      const places: Record<string, unknown> = {
        markup: document.documentElement.outerHTML,
        trees: [button, list, embed, failed].map(({ shadowRoot }) => shadowRoot!.innerHTML),
        storage: JSON.stringify([localStorage, sessionStorage, document.cookie]),
        addresses: [location.href, ...fetched],
        frames: performance.getEntriesByType('resource').map(({ name }) => name),
        logs: logs.map(String),
        events: events.map((event) => JSON.stringify(event, [...deepNames(event)])),
        errors: [failed.error!.message, failed.error!.stack, JSON.stringify(failed.error)],
      };
      for (const [place, content] of Object.entries(places)) {
        for (const session of sessions) {
          expect(JSON.stringify(content).includes(session), place).to.equal(false);
        }
      }
    } finally {
      globalThis.fetch = realFetch;
      levels.forEach((level, at) => (console[level] = real[at]!));
      for (const type of [...names, 'clip-token-renewed', 'clip-signed-out']) {
        removeEventListener(type, note);
      }
    }
  });
});

/** The names of the own properties of an event and of what it holds. */
function deepNames(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  if (value instanceof Node || value instanceof Window) return names;
  for (const [name, inner] of Object.entries(value)) {
    if (names.has(name)) continue;
    names.add(name);
    deepNames(inner, names);
  }
  return names;
}
