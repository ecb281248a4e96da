import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../../src/define/clip-config.ts';
import '../../src/define/clip-embed.ts';
import type { ClipEmbed } from '../../src/elements/clip-embed/clip-embed.ts';
import type { Behaviour } from '../support/page-behaviour.ts';
import {
  type BrowserWorld,
  type FrameNews,
  frameNews,
  mount,
  newElement,
  newWorld,
  nextEvent,
  part,
  reaches,
  until,
} from '../support/browser-world.ts';

const tokenIn = (news: FrameNews) =>
  new URLSearchParams(new URL(news.href).hash.slice(1)).get('external_access_token');

/** A JWT without a valid signature: `exp` and `iat` in seconds from now. */
function jwt(exp: number, iat: number) {
  const now = Date.now() / 1000;
  return `h.${btoa(JSON.stringify({ exp: now + exp, iat: now + iat }))}.s`;
}

/** Adds an element of a new world, with other properties than it has by default. */
async function embed(
  settings: Partial<ClipEmbed> | ((world: BrowserWorld) => Partial<ClipEmbed>) = {},
  behaviour: Partial<Behaviour> = {},
): Promise<{ world: BrowserWorld; element: ClipEmbed }> {
  const world = await newWorld(behaviour);
  const { endpoint, frames: appUrl } = world;
  const element = Object.assign(document.createElement('clip-embed'), {
    ...{ project: 'a', loading: 'eager', endpoint, appUrl },
    ...(typeof settings === 'function' ? settings(world) : settings),
  });
  (await fixture(html`<div></div>`)).append(element);
  return { world, element };
}

describe('<clip-embed>', () => {
  let seen: ReturnType<typeof frameNews>;
  beforeEach(() => {
    seen = frameNews();
  });
  afterEach(() => seen.end());

  it('asks the endpoint for a token and opens the embed page with it in the fragment', async () => {
    const world = await newWorld();
    const element = await mount('clip-embed', {
      project: 'a/b',
      endpoint: world.endpoint,
      'app-url': `${world.frames}/`,
    });
    const states: string[] = [element.status];
    await until(() => {
      if (states.at(-1) !== element.status) states.push(element.status);
      return element.status === 'ready';
    });
    await until(() => seen.news.length);
    const [news] = seen.news;
    expect(news!.href).to.match(/\/embed\/a%2Fb#external_access_token=eyJ/);
    expect(await world.sent('token')).to.have.length(1);
    expect((await world.sent('token'))[0]!.body).to.deep.equal({ project_id: 'a/b' });
    expect(states).to.include('ready').and.not.include('error');
    expect(element.matches(':state(ready)')).to.equal(true);
    await expect(element).to.be.accessible();
  });

  describe('with `edit`', () => {
    const opened = async (frames: string, attributes: Record<string, string> = { edit: '' }) => {
      const all = { project: 'a', 'app-url': frames, token: 't', loading: 'eager', ...attributes };
      const element = await mount('clip-embed', all);
      await reaches(element, 'ready');
      await until(() => seen.news.length);
      const { contentWindow } = part(element, 'frame') as HTMLIFrameElement;
      const post = (message: unknown) => contentWindow!.postMessage(message, '*');
      return { element, post, say: (message: unknown) => post({ say: message }) };
    };

    it('opens the page with the query `edit`, beside what app-url and the player have', async () => {
      const { frames } = await newWorld();
      await opened(frames);
      expect(seen.news[0]!.href).to.match(/\/embed\/a\?edit#external_access_token=t$/);
      seen.news.length = 0;
      await opened(`${frames}/x?theme=dark`, { edit: '', muted: '' });
      expect(seen.news[0]!.href).to.match(/\/embed\/a\?theme=dark&edit&muted=1#external/);
      seen.news.length = 0;
      await opened(frames, {});
      expect(seen.news[0]!.href).to.match(/\/embed\/a#external_access_token=t$/);
    });

    it('a change loads the frame again, with the same token', async () => {
      const world = await newWorld();
      const { element } = await opened(world.frames, { token: '', endpoint: world.endpoint });
      element.edit = true;
      await until(() => seen.news.length === 2);
      expect(tokenIn(seen.news[1]!)).to.equal(tokenIn(seen.news[0]!));
      expect(seen.news[1]!.href).to.contain('/embed/a?edit#');
      element.edit = false;
      await until(() => seen.news.length === 3);
      expect(seen.news[2]!.href).to.contain('/embed/a#');
      expect(await world.sent('token')).to.have.length(1);
    });

    it('passes on what the page’s editor says', async () => {
      const { element, say } = await opened((await newWorld()).frames);
      say({ type: 'clip-edit', revision: 7, saved: true });
      const edit = await nextEvent(element, 'clip-edit');
      const { project, folder, revision, saved, bubbles, composed } = edit;
      expect([project, folder, revision, saved]).to.deep.equal(['a', null, 7, true]);
      expect([bubbles, composed]).to.deep.equal([true, true]);
      for (const [sent, read] of [
        [undefined, false],
        // The service's page says when.
        ['2026-01-31T10:00:00.000Z', true],
      ]) {
        say({ type: 'clip-edit', project: 'a', revision: 7, saved: sent });
        expect((await nextEvent(element, 'clip-edit')).saved).to.equal(read);
      }
      say({ type: 'clip-edit-error', status: 412, message: 'Another user was faster.' });
      const { error } = await nextEvent(element, 'clip-edit-error');
      expect([error.code, error.status]).to.deep.equal(['edit-failed', 412]);
      expect(error.message).to.equal('Another user was faster.');
      expect(element.status).to.equal('ready');
    });

    it('hears nobody else, and nothing that it cannot read', async () => {
      const { element, say, post } = await opened((await newWorld()).frames);
      const events: number[] = [];
      element.addEventListener('clip-edit', ({ revision }) => events.push(revision));
      for (const revision of [null, '7', 7.5, NaN, {}]) {
        say({ type: 'clip-edit', revision, saved: true });
      }
      for (const odd of [null, 'clip-edit', 7, ['clip-edit'], { type: {} }]) say(odd);
      postMessage({ type: 'clip-edit', revision: 8, saved: true }, '*');
      say({ type: 'clip-edit', revision: 9, saved: true });
      await nextEvent(element, 'clip-edit');
      expect(events).to.deep.equal([9]);
      // The frame follows a link to another site, which may say what it wants.
      const other = new URL(`http://x.localhost:${location.port}/frames/embed/b`);
      const before = seen.news.length;
      post({ go: other.href });
      await until(() => seen.news.length > before);
      say({ type: 'clip-edit', revision: 10, saved: true });
      say({ frame: 'load', href: 'said' });
      await until(() => seen.news.at(-1)!.href === 'said');
      expect(events).to.deep.equal([9]);
    });
  });

  describe('what the frame may use', () => {
    const features = ['autoplay', 'fullscreen', 'picture-in-picture', 'clipboard-write'];
    const opened = async (allow?: string) => {
      const { frames } = await newWorld();
      const element = await fixture<ClipEmbed>(html`
        <clip-embed project="a" app-url=${frames} token="t" loading="eager" .allow=${allow}>
        </clip-embed>
      `);
      await reaches(element, 'ready');
      await until(() => seen.news.length);
      const frame = part(element, 'frame') as HTMLIFrameElement;
      return { origin: new URL(frames).origin, frame, allowed: seen.news[0]!.features };
    };

    it('the page of another origin may use every feature of a player', async () => {
      const { origin, frame, allowed } = await opened();
      expect(origin).not.to.equal(location.origin);
      for (const feature of features) expect(frame.allow).to.contain(`${feature} ${origin}`);
      if ('featurePolicy' in document) expect(allowed).to.include.members(features);
    });

    it('`allow` without an origin is for the origin of the page; others stay', async () => {
      const { origin, frame, allowed } = await opened(
        "fullscreen;autoplay 'none'; picture-in-picture https://x.example;",
      );
      expect(frame.allow).to.equal(
        `fullscreen ${origin};autoplay 'none'; picture-in-picture https://x.example;`,
      );
      if (!('featurePolicy' in document)) return;
      expect(allowed).to.include('fullscreen');
      expect(allowed).to.not.include('autoplay').and.not.include('picture-in-picture');
    });
  });

  it('keeps the token out of everything but the frame’s fragment', async () => {
    const written: unknown[] = [];
    const { log, error } = console;
    console.log = console.error = (...words: unknown[]) => written.push(...words);
    const { world, element } = await embed();
    const events: Event[] = [];
    for (const name of ['clip-embed-ready', 'clip-token-renewed'] as const) {
      element.addEventListener(name, (event) => events.push(event));
    }
    await oneEvent(element, 'clip-embed-ready');
    element.renewToken();
    await oneEvent(element, 'clip-token-renewed');
    await until(() => seen.news.length >= 2);
    Object.assign(console, { log, error });
    const attributes = [element, ...element.shadowRoot!.querySelectorAll('*')].flatMap((one) =>
      [...one.attributes].map(({ value }) => value),
    );
    const properties: string[] = [];
    for (const key in element) {
      properties.push(String((element as unknown as Record<string, unknown>)[key]));
    }
    for (const key of Object.getOwnPropertyNames(element)) {
      properties.push(String((element as unknown as Record<string, unknown>)[key]));
    }
    const inEvents = events.flatMap((event) => [
      JSON.stringify(event),
      ...Object.keys(event).map((key) =>
        String((event as unknown as Record<string, unknown>)[key]),
      ),
    ]);
    const everything = JSON.stringify([
      attributes,
      properties,
      inEvents,
      written.map(String),
      { ...localStorage },
      { ...sessionStorage },
      await world.sent(),
      location.href,
      performance.getEntriesByType('resource').map(({ name }) => name.replace(/#.*/, '')),
      element.shadowRoot!.innerHTML,
    ]);
    expect(seen.news.map(tokenIn).filter(Boolean)).to.have.length(2);
    expect(everything).to.not.contain('eyJ');
  });

  it('adds no entry to the history', async () => {
    const before = history.length;
    const { element } = await embed();
    await reaches(element, 'ready');
    element.renewToken();
    await oneEvent(element, 'clip-token-renewed');
    await until(() => seen.news.length >= 2);
    expect(history.length).to.equal(before);
  });

  it('many embeds of a project ask once', async () => {
    const world = await newWorld({ tokenDelay: 50 });
    const box = await fixture(html`
      <clip-config endpoint=${world.endpoint} app-url=${world.frames}>
        <clip-embed project="a" loading="eager"></clip-embed>
        <clip-embed project="a" loading="eager"></clip-embed>
        <clip-embed project="a" loading="eager"></clip-embed>
      </clip-config>
    `);
    const embeds = [...box.querySelectorAll('clip-embed')];
    await until(() => embeds.every(({ status }) => status === 'ready'));
    expect(await world.sent('token')).to.have.length(1);
  });

  it('a refused token is shown with a retry, and the next request is a new one', async () => {
    const { world, element } = await embed({}, { failTokens: 1 });
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('service-error');
    expect(element.error!.status).to.equal(503);
    await expect(element).to.be.accessible();
    part(element, '.retry')!.click();
    await oneEvent(element, 'clip-embed-ready');
    expect(await world.sent('token')).to.have.length(2);
  });

  it('takes a token from its attribute, and empties it', async () => {
    const world = await newWorld();
    const element = await mount('clip-embed', {
      project: 'a',
      token: 'given-token',
      loading: 'eager',
      'app-url': world.frames,
    });
    await reaches(element, 'ready');
    await until(() => seen.news.length);
    expect(tokenIn(seen.news[0]!)).to.equal('given-token');
    expect(element.getAttribute('token')).to.equal('');
    expect(element.token).to.equal(null);
    expect(await world.sent()).to.have.length(0);
  });

  it('hands over a token that the page sets later, without a reload', async () => {
    const { element } = await embed({ endpoint: null });
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('missing-endpoint');
    element.token = 'first';
    await oneEvent(element, 'clip-embed-ready');
    element.token = 'second';
    await until(() => seen.news.length >= 2);
    expect(seen.news.map(tokenIn)).to.deep.equal(['first', 'second']);
    expect(seen.news[1]!.frame).to.equal('hashchange');
  });

  it('getToken wins over the endpoint', async () => {
    const asked: string[] = [];
    const { world, element } = await embed({
      getToken: async ({ project, signal }) => {
        asked.push(`${project} ${signal.aborted}`);
        return 'own';
      },
    });
    await oneEvent(element, 'clip-embed-ready');
    await until(() => seen.news.length);
    expect(asked).to.deep.equal(['a false']);
    expect(tokenIn(seen.news[0]!)).to.equal('own');
    expect(await world.sent('token')).to.have.length(0);
  });

  it('renews with the getToken that is set by then', async () => {
    const { element } = await embed({ endpoint: null, getToken: async () => 'first' });
    await oneEvent(element, 'clip-embed-ready');
    element.getToken = async () => 'second';
    element.renewToken();
    await until(() => seen.news.some((news) => tokenIn(news) === 'second'));
    expect(element.status).to.equal('ready');
  });

  describe('a token is good for its clip and its source only', () => {
    const shown = async (settings: Partial<ClipEmbed> = {}) => {
      const shown = await embed(settings);
      await reaches(shown.element, 'ready');
      return shown;
    };
    const opened = () =>
      seen.news.map((news) => `${new URL(news.href).pathname.at(-1)} ${tokenIn(news)}`);

    it('another clip with getToken is not opened with the first one’s', async () => {
      const { element } = await shown();
      element.getToken = async ({ project }) => `own-${project}`;
      element.project = 'b';
      await oneEvent(element, 'clip-embed-ready');
      await until(() => seen.news.length >= 2);
      expect(opened()[1]).to.equal('b own-b');
      element.project = 'c';
      await oneEvent(element, 'clip-embed-ready');
      await until(() => seen.news.length >= 3);
      expect(opened()[2]).to.equal('c own-c');
    });

    it('a getToken that is set after a load through the endpoint is asked', async () => {
      const { world, element } = await shown();
      element.getToken = async () => 'own';
      await until(() => opened().includes('a own'));
      element.renewToken();
      await nextEvent(element, 'clip-token-renewed');
      expect(await world.sent('token')).to.have.length(1);
    });

    it('a given token goes with the project that is set in the same task, in any order', async () => {
      const { element } = await shown({ endpoint: null, token: 'for-a' });
      element.token = 'for-b';
      element.project = 'b';
      await oneEvent(element, 'clip-embed-ready');
      await until(() => seen.news.length >= 2);
      expect(opened()).to.deep.equal(['a for-a', 'b for-b']);
    });

    it('a given token does not open another clip', async () => {
      const { world, element } = await shown({ endpoint: null, token: 'for-a' });
      element.project = 'b';
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('missing-endpoint');
      element.endpoint = world.endpoint;
      await oneEvent(element, 'clip-embed-ready');
      await until(() => seen.news.length >= 2);
      expect(opened()[1]).to.match(/^b eyJ/);
    });

    it('the first clip’s renewal ends with it', async () => {
      let answer: ((token: string) => void) | undefined;
      const { element } = await shown({ endpoint: null, getToken: async () => 'first' });
      element.getToken = () => new Promise((resolve) => (answer = resolve));
      element.renewToken();
      await until(() => answer);
      Object.assign(element, { project: 'b', token: 'for-b' });
      await oneEvent(element, 'clip-embed-ready');
      answer!('late-for-a');
      await until(() => seen.news.length >= 2);
      await element.updateComplete;
      expect(opened()).to.deep.equal(['a first', 'b for-b']);
    });
  });

  it('opens the page in a new tab, with the token, if only its frame is refused', async () => {
    const tabs: string[] = [];
    const { open } = window;
    window.open = (url) => {
      tabs.push(String(url));
      return null;
    };
    const hanging = { timeout: 50, token: 'given', endpoint: null };
    const { element } = await embed(({ frames }) => ({ ...hanging, appUrl: `${frames}/hang` }));
    await reaches(element, 'error');
    part(element, '.open')!.click();
    window.open = open;
    expect(tabs).to.have.length(1);
    expect(tabs[0]).to.match(/\/embed\/a#external_access_token=given$/);
  });

  it('getToken that throws is token-failed, and its cause is kept', async () => {
    const cause = new Error('no');
    const { element } = await embed({ getToken: () => Promise.reject(cause) });
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('token-failed');
    expect(element.error!.cause).to.equal(cause);
  });

  describe('renewal', () => {
    it('by fragment: the frame is not loaded again', async () => {
      const { world, element } = await embed();
      await reaches(element, 'ready');
      const hour = 3_600_000;
      const asked = Date.now();
      element.renewToken();
      const { expiresAt } = await nextEvent(element, 'clip-token-renewed');
      // The time of an answer is read from a header with whole seconds.
      expect(expiresAt!.getTime()).to.be.within(asked + hour - 2000, Date.now() + hour + 2000);
      await until(() => seen.news.length >= 2);
      expect(seen.news.map(({ frame }) => frame)).to.deep.equal(['load', 'hashchange']);
      expect(seen.news[0]!.load).to.equal(seen.news[1]!.load);
      expect(tokenIn(seen.news[1]!)).to.match(/^eyJ/).and.not.equal(tokenIn(seen.news[0]!));
      // The element does not ask for a token that the host may have cached.
      const [first, second] = await world.sent('token');
      expect(first!.cacheControl ?? '').to.not.contain('no-cache');
      expect(second!.cacheControl).to.contain('no-cache');
    });

    it('reload() loads with a fresh token', async () => {
      const { element } = await embed();
      await reaches(element, 'ready');
      await until(() => seen.news.length === 1);
      element.reload();
      await oneEvent(element, 'clip-embed-ready');
      await until(() => seen.news.length >= 2);
      expect(seen.news.map(({ frame }) => frame)).to.deep.equal(['load', 'load']);
      expect(tokenIn(seen.news[1]!)).to.match(/^eyJ/).and.not.equal(tokenIn(seen.news[0]!));
    });

    it('a given token is renewed at the endpoint before its JWT ends', async () => {
      const { world, element } = await embed({ token: jwt(11, -10) });
      await nextEvent(element, 'clip-token-renewed');
      expect(await world.sent('token')).to.have.length(1);
    });
  });

  it('frame-timeout: a retry asks for a fresh token, and a new tab is offered', async () => {
    const { world, element } = await embed(({ frames }) => ({
      timeout: 80,
      appUrl: `${frames}/hang`,
    }));
    await reaches(element, 'error');
    expect(element.error!.code).to.equal('frame-timeout');
    expect(part(element, '.open')!.hasAttribute('href')).to.equal(false);
    await expect(element).to.be.accessible();
    const again = nextEvent(element, 'clip-embed-error');
    part(element, '.retry')!.click();
    await again;
    expect(await world.sent('token')).to.have.length(2);
  });

  it('removal aborts the token request, and nothing is loaded or told', async () => {
    const { world, element } = await embed({}, { tokenDelay: 60_000 });
    const told: string[] = [];
    element.addEventListener('clip-embed-ready', () => told.push('ready'));
    element.addEventListener('clip-embed-error', () => told.push('error'));
    let open = 0;
    while (!open) open = await world.open();
    element.remove();
    while (open) open = await world.open();
    expect(told).to.deep.equal([]);
    expect(element.status).to.equal('idle');
    expect(part(element, 'frame')).to.equal(null);
  });

  it('moved within the document it is shown again without another token', async () => {
    const { world, element } = await embed();
    await reaches(element, 'ready');
    const other = await fixture(html`<div></div>`);
    other.append(element);
    await oneEvent(element, 'clip-embed-ready');
    expect(await world.sent('token')).to.have.length(1);
  });

  it('renews a token against cross-site requests once', async () => {
    const { world, element } = await embed(
      ({ endpoint }) => ({ csrfToken: 'old', csrfUrl: `${endpoint}/_csrf` }),
      { csrf: 'good' },
    );
    await reaches(element, 'ready');
    expect(await world.sent('token')).to.have.length(2);
  });

  describe('errors of configuration', () => {
    const cases = [
      ['missing-project', { endpoint: '/host/x', 'app-url': '/frames' }],
      ['missing-app-url', { project: 'a', endpoint: '/host/x' }],
      ['missing-endpoint', { project: 'a', 'app-url': '/frames' }],
      ['invalid-url', { project: 'a', endpoint: 'javascript:1', 'app-url': '/frames' }],
      ['invalid-url', { project: 'a', endpoint: '/host/x', 'app-url': 'ftp://example.com' }],
    ] as const;
    for (const [code, attributes] of cases) {
      it(`${code}: ${JSON.stringify(attributes)}`, async () => {
        const element = newElement('clip-embed', attributes);
        const failed = nextEvent(element, 'clip-embed-error');
        document.body.append(element);
        expect((await failed).error.code).to.equal(code);
        expect(part(element, 'frame')).to.equal(null);
        element.remove();
      });
    }
  });

  it('covers the frame with a slot while it loads', async () => {
    const world = await newWorld({ tokenDelay: 60_000 });
    const element = await fixture<ClipEmbed>(
      html`<clip-embed
        project="a"
        loading="eager"
        endpoint=${world.endpoint}
        app-url=${world.frames}
        ><b slot="loading">Wait</b></clip-embed
      >`,
    );
    await until(() => element.status === 'authorizing');
    expect(part(element, '.loading')!.getAttribute('role')).to.equal('status');
    expect(element.querySelector('b')!.assignedSlot).to.not.equal(null);
    await expect(element).to.be.accessible();
  });
});
