import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../../src/define/clip-config.ts';
import '../../src/define/clip-preview.ts';
import { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import {
  frameNews,
  mount,
  mountPreview,
  newElement,
  newWorld,
  nextEvent,
  part,
  reaches,
  until,
} from '../support/browser-world.ts';

describe('<clip-preview>', () => {
  let frames: string;
  beforeEach(async () => {
    ({ frames } = await newWorld());
  });
  afterEach(() => {
    // Also after a failed test: what is left would take the next one's place near the viewport.
    for (const element of document.querySelectorAll('body > clip-preview')) element.remove();
  });

  const put = (more: Readonly<Record<string, string | number>> = {}) => mountPreview(frames, more);

  it('shows the player page of the project near the viewport, and says so', async () => {
    const seen = frameNews();
    const element = await mount('clip-preview', { project: 'clip 1/2', 'player-url': frames });
    await reaches(element, 'ready');
    expect(element.matches(':state(ready)')).to.equal(true);
    await until(() => seen.news.length);
    expect(seen.news[0]!.href).to.equal(`${frames}/player/clip%201%2F2`);
    seen.end();
    const frame = part(element, 'frame') as HTMLIFrameElement;
    expect(frame.title).to.equal('Clip preview');
    expect(frame.allow).to.contain('autoplay').and.contain('fullscreen');
    expect(frame.referrerPolicy).to.equal('strict-origin-when-cross-origin');
    expect(frame.hasAttribute('sandbox')).to.equal(false);
    await expect(element).to.be.accessible();
  });

  it('loads nothing far from the viewport, until it is scrolled to', async () => {
    const box = await fixture(
      html`<div>
        <div style="height: 5000px"></div>
        <clip-preview project="a" player-url=${frames}></clip-preview>
      </div>`,
    );
    const element = box.querySelector<ClipPreview>('clip-preview')!;
    // Observers are called in the order of their creation, so the element has been called by then.
    await new Promise((resolve) => new IntersectionObserver(resolve).observe(element));
    expect(element.status).to.equal('idle');
    element.scrollIntoView();
    await reaches(element, 'ready');
    scrollTo(0, 0);
  });

  it('passes allow, sandbox, referrerpolicy and label to the frame', async () => {
    const element = await put({
      allow: 'autoplay',
      sandbox: 'allow-scripts',
      referrerpolicy: 'no-referrer',
      label: 'Harbour at dawn',
    });
    await until(() => part(element, 'frame'));
    const frame = part(element, 'frame') as HTMLIFrameElement;
    expect(frame.allow).to.equal('autoplay');
    expect(frame.getAttribute('sandbox')).to.equal('allow-scripts');
    expect(frame.referrerPolicy).to.equal('no-referrer');
    expect(frame.title).to.equal('Harbour at dawn');
    element.label = 'Harbour at night';
    await element.updateComplete;
    expect(frame.title).to.equal('Harbour at night');
  });

  describe('loading="click"', () => {
    it('shows a poster with a named play button, and loads on activation by the keyboard', async () => {
      const element = await put({ loading: 'click', label: 'Harbour', poster: '/poster.jpg' });
      const play = part(element, 'play')!;
      expect(part(element, 'frame')).to.equal(null);
      expect(part(element, 'poster')!.getAttribute('src')).to.equal('/poster.jpg');
      expect(play.getAttribute('aria-label')).to.equal('Play: Harbour');
      await expect(element).to.be.accessible();
      const activated = nextEvent(element, 'clip-preview-activate');
      play.focus();
      play.click();
      await activated;
      await oneEvent(element, 'clip-preview-ready');
      // The focus follows a moment after the drawing.
      await until(() => element.shadowRoot!.activeElement === part(element, 'frame'));
    });

    it('warms the connection on hover, once', async () => {
      const element = await put({ loading: 'click' });
      const play = part(element, 'play')!;
      play.dispatchEvent(new PointerEvent('pointerenter'));
      play.dispatchEvent(new PointerEvent('pointerenter'));
      const links = document.head.querySelectorAll<HTMLLinkElement>(`link[rel="preconnect"]`);
      expect([...links].map(({ href }) => new URL(href).origin)).to.deep.equal([
        new URL(frames).origin,
      ]);
    });

    it('takes the poster and the play symbol from slots', async () => {
      const element = await fixture<ClipPreview>(
        html`<clip-preview project="a" loading="click" player-url=${frames}>
          <b slot="poster">P</b><i slot="play">Go</i><a href="/a">A plain link</a>
        </clip-preview>`,
      );
      expect(element.querySelector('b')!.assignedSlot).to.not.equal(null);
      expect(element.querySelector('i')!.assignedSlot).to.not.equal(null);
    });

    it('activate() loads it too, and only once', async () => {
      const element = await put({ loading: 'click' });
      let times = 0;
      element.addEventListener('clip-preview-activate', () => times++);
      element.activate();
      element.activate();
      await oneEvent(element, 'clip-preview-ready');
      expect(times).to.equal(1);
    });
  });

  describe('errors', () => {
    const cases = [
      ['missing-project', { project: '', 'player-url': '/frames' }],
      ['missing-player-url', { project: 'a' }],
      // Its page could neither play nor say that it is there.
      ['invalid-option', { project: 'a', 'player-url': '/frames', sandbox: 'allow-popups' }],
      ['invalid-project', { project: '..', 'player-url': '/frames' }],
      ['invalid-url', { project: 'a', 'player-url': 'javascript:alert(1)' }],
      ['invalid-url', { project: 'a', 'player-url': 'data:text/html,x' }],
      ['invalid-url', { project: 'a', 'player-url': 'http://example.com' }],
    ] as const;
    for (const [code, attributes] of cases) {
      it(`${code}: ${JSON.stringify(attributes)}`, async () => {
        const element = newElement('clip-preview', attributes);
        const failed = nextEvent(element, 'clip-preview-error');
        document.body.append(element);
        const { error } = await failed;
        expect(error.code).to.equal(code);
        expect(element.status).to.equal('error');
        expect(part(element, 'frame')).to.equal(null);
        expect(part(element, '.retry')).to.equal(null);
        await expect(element).to.be.accessible();
        element.remove();
      });
    }

    it('frame-timeout: with retry and a link; a late load does not make it ready', async () => {
      const element = await mountPreview(`${frames}/hang`, { timeout: 100 });
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('frame-timeout');
      expect(element.error!.retryable).to.equal(true);
      expect(part(element, '.open')!.getAttribute('href')).to.equal(`${frames}/hang/player/a`);
      await expect(element).to.be.accessible();
      const again = nextEvent(element, 'clip-preview-error');
      part(element, '.retry')!.click();
      expect(element.status).to.equal('loading');
      await again;
    });

    it('frame-blank: a page of this site that is not there', async function () {
      // An engine that does not report a page's status, such as WebKitGTK 2.50, accepts an error
      // page as the clip's.
      if (!('responseStatus' in PerformanceResourceTiming.prototype)) this.skip();
      const element = await put({ 'player-url': '/frames/missing' });
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('frame-blank');
      expect(part(element, '.retry')).to.not.equal(null);
      expect(part(element, '.open')!.getAttribute('href')).to.match(
        /\/frames\/missing\/player\/a$/,
      );
    });

    it('frame-blocked: this page’s own policy does not allow the frame', async () => {
      const page = document.createElement('iframe');
      const told = new Promise<string>((resolve) => {
        addEventListener('message', function listen({ data, source }) {
          if (source !== page.contentWindow) return;
          removeEventListener('message', listen);
          resolve((data as { code: string }).code);
        });
      });
      page.src = `/framing-policy?frames=${encodeURIComponent(frames)}`;
      document.body.append(page);
      expect(await told).to.equal('frame-blocked');
      page.remove();
    });

    it('is left behind when the cause goes', async () => {
      const element = await mount('clip-preview', { loading: 'eager', 'player-url': frames });
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('missing-project');
      element.project = 'a';
      await oneEvent(element, 'clip-preview-ready');
      expect(element.error).to.equal(null);
    });
  });

  describe('what a framework binds after connection', () => {
    const bindings: Record<string, (bind: () => void) => void> = {
      'in a microtask': (bind) => queueMicrotask(bind),
      'in some later microtask': (bind) =>
        void (async () => {
          for (let turn = 0; turn < 20; turn++) await null;
          bind();
        })(),
      'in the next task': (bind) => void setTimeout(bind),
    };
    for (const [when, later] of Object.entries(bindings)) {
      it(`is not reported as missing (${when})`, async () => {
        const element = document.createElement('clip-preview');
        const told: string[] = [];
        element.addEventListener('clip-preview-error', ({ error }) => told.push(error.code));
        document.body.append(element);
        later(() => Object.assign(element, { playerUrl: frames, project: 'a', loading: 'eager' }));
        await oneEvent(element, 'clip-preview-ready');
        expect(told).to.deep.equal([]);
        element.remove();
      });
    }

    it('is reported once when it stays missing', async () => {
      const element = document.createElement('clip-preview');
      const told: string[] = [];
      element.addEventListener('clip-preview-error', ({ error }) => told.push(error.code));
      element.playerUrl = frames;
      document.body.append(element);
      await reaches(element, 'error');
      element.label = 'Another look';
      await element.updateComplete;
      expect(told).to.deep.equal(['missing-project']);
    });
  });

  describe('the frame’s own attributes', () => {
    const loaded = async (attributes: Record<string, string> = {}) => {
      const element = await put(attributes);
      await reaches(element, 'ready');
      return element;
    };
    const changes = [
      ['sandbox', 'sandbox', 'allow-scripts allow-same-origin'],
      ['allow', 'allow', 'autoplay'],
      ['referrerPolicy', 'referrerpolicy', 'no-referrer'],
    ] as const;

    for (const [property, attribute, value] of changes) {
      it(`${property} set after the load holds for the frame, which is loaded again`, async () => {
        const seen = frameNews();
        const element = await loaded();
        const first = part(element, 'frame');
        await until(() => seen.news.length === 1);
        element[property] = value;
        expect(element.getAttribute(attribute)).to.equal(value);
        await oneEvent(element, 'clip-preview-ready');
        const frame = part(element, 'frame')!;
        expect(frame).to.not.equal(first);
        expect(frame.getAttribute(attribute)).to.equal(value);
        await until(() => seen.news.length === 2);
        if (property === 'referrerPolicy') expect(seen.news[1]!.referrer).to.equal('');
        element.setAttribute(attribute, value);
        element.label = 'The same again';
        await element.updateComplete;
        expect(part(element, 'frame')).to.equal(frame);
        seen.end();
      });
    }

    it('a sandbox that is taken away is gone', async () => {
      const element = await loaded({ sandbox: 'allow-scripts' });
      element.sandbox = null;
      await oneEvent(element, 'clip-preview-ready');
      expect(part(element, 'frame')!.hasAttribute('sandbox')).to.equal(false);
    });

    it('a clicked poster loads the frame again, and no poster', async () => {
      const element = await put({ loading: 'click' });
      element.activate();
      await reaches(element, 'ready');
      element.sandbox = 'allow-scripts';
      await oneEvent(element, 'clip-preview-ready');
      expect(part(element, 'frame')!.getAttribute('sandbox')).to.equal('allow-scripts');
    });
  });

  it('reflects what HTML would, so that selectors find it', async () => {
    const element = document.createElement('clip-preview');
    const set = {
      project: 'a',
      loading: 'click',
      poster: '/poster.gif',
      label: 'Harbour',
      allow: 'autoplay',
      sandbox: 'allow-scripts',
      referrerPolicy: 'no-referrer',
      timeout: 500,
      playerUrl: frames,
      handshake: 'clip-ready',
    } as const;
    Object.assign(element, set);
    const attributes = Object.fromEntries(
      [...element.attributes].map(({ name, value }) => [name, value]),
    );
    const { referrerPolicy, playerUrl, ...same } = set;
    expect(attributes).to.deep.equal({
      ...same,
      timeout: '500',
      referrerpolicy: referrerPolicy,
      'player-url': playerUrl,
    });
    expect(element.matches('[loading=click][project=a]')).to.equal(true);
    expect(element.timeout).to.equal(500);
    expect(Object.assign(document.createElement('clip-preview')).loading).to.equal('lazy');
  });

  describe('the poster', () => {
    const { setTimeout } = globalThis;
    let pauses: number[];
    beforeEach(() => {
      pauses = [];
      // Makes pauses before another try pass at once. They are random and not whole numbers.
      globalThis.setTimeout = ((work: () => void, ms = 0) => {
        const random = !Number.isInteger(ms);
        if (random) pauses.push(ms);
        return setTimeout(work, random ? 0 : ms);
      }) as typeof globalThis.setTimeout;
    });
    afterEach(() => {
      globalThis.setTimeout = setTimeout;
    });

    const poster = (failures: number) => `/frames/poster/${failures}/${crypto.randomUUID()}`;
    const withPoster = (src: string) => put({ loading: 'click', poster: src });

    it('is left out if it may not be loaded, and the clip plays', async () => {
      for (const address of ['http://elsewhere.example/a.jpg', 'javascript:1']) {
        const element = await withPoster(address);
        expect(part(element, 'poster')!.hasAttribute('src')).to.equal(false);
        // Otherwise Chromium draws a frame around nothing.
        expect(part(element, 'poster')!.hidden).to.equal(true);
        element.activate();
        await reaches(element, 'ready');
      }
    });

    it('comes from the poster-url around it, unless it has one of its own', async () => {
      const page = await fixture(html`
        <clip-config poster-url="/posters/{project}.jpg?l={lang}" lang="fr">
          <clip-preview project="a/b $$" loading="click" player-url=${frames}></clip-preview>
          <clip-preview
            project="c"
            poster="/own.jpg"
            loading="click"
            player-url=${frames}
          ></clip-preview>
          <clip-preview project=".." loading="click" player-url=${frames}></clip-preview>
          <clip-preview loading="click" player-url=${frames}></clip-preview>
        </clip-config>
      `);
      const sources = () =>
        [...page.querySelectorAll('clip-preview')].map((one) =>
          part(one, 'poster')?.getAttribute('src'),
        );
      expect(sources()).to.eql(['/posters/a%2Fb%20%24%24.jpg?l=fr', '/own.jpg', undefined, null]);
      page.setAttribute('poster-url', '/others/{id}.jpg');
      await until(() => sources()[0] === '/others/a%2Fb%20%24%24.jpg');
    });

    it('is shown, which :state(poster) tells', async () => {
      const element = await withPoster(poster(0));
      await until(() => element.matches(':state(poster)'));
      expect(element.matches(':state(idle)')).to.equal(true);
      expect(part(element, 'poster')!.hidden).to.equal(false);
      element.activate();
      await reaches(element, 'ready');
      expect(element.matches(':state(poster)')).to.equal(false);
    });

    it('is hidden while it fails, and asked for again with growing pauses until it comes', async () => {
      const element = await withPoster(poster(4));
      const image = part(element, 'poster')!;
      await oneEvent(image, 'error');
      expect(image.hidden).to.equal(true);
      expect(element.matches(':state(poster)')).to.equal(false);
      expect(part(element, 'play')!.checkVisibility()).to.equal(true);
      await until(() => element.matches(':state(poster)'));
      expect(image.hidden).to.equal(false);
      expect(image.getAttribute('src')).to.equal(element.poster);
      const [first, , , fourth] = pauses as [number, number, number, number];
      expect(pauses).to.have.length(4);
      expect(fourth).to.be.greaterThan(2 * first);
    });

    it('starts again with another address', async () => {
      const element = await withPoster(poster(1000));
      await until(() => pauses.length >= 4);
      element.poster = poster(1);
      await until(() => element.matches(':state(poster)'));
      expect(pauses.at(-1)).to.be.at.most(2000);
    });

    it('takes no late error of another address for its own', async () => {
      const element = await withPoster('/frames/hang/poster.gif');
      const image = part(element, 'poster')!;
      // As Firefox does.
      image.dispatchEvent(new Event('error'));
      expect(image.hidden).to.equal(false);
      element.poster = null;
      await element.updateComplete;
      image.dispatchEvent(new Event('error'));
      expect(pauses).to.have.length(0);
      element.poster = poster(0);
      await until(() => element.matches(':state(poster)'));
    });

    it('is not asked for any more once the element has left', async () => {
      const element = await withPoster(poster(1000));
      const image = part(element, 'poster')!;
      await until(() => pauses.length >= 2);
      element.remove();
      await new Promise((resolve) => setTimeout(resolve));
      let asked = 0;
      for (const type of ['error', 'load']) image.addEventListener(type, () => asked++);
      const before = pauses.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(pauses.length).to.be.at.most(before + 1);
      expect(asked).to.be.at.most(1);
    });

    it('is drawn while the frame loads, without being loaded twice', async () => {
      const element = await withPoster(poster(0));
      await until(() => element.matches(':state(poster)'));
      element.playerUrl = `${frames}/hang`;
      await element.updateComplete;
      const image = part(element, 'poster');
      element.activate();
      await element.updateComplete;
      expect(element.status).to.equal('loading');
      expect(part(element, 'poster')).to.equal(image);
      expect(element.matches(':state(poster)')).to.equal(true);
    });
  });

  describe('handshake', () => {
    const preview = (base: string, timeout = 1500) =>
      mountPreview(`${frames}/${base}`, { timeout, handshake: 'clip-ready' });

    it('ready is what the framed page says of itself', async () => {
      const element = await preview('handshakeData', 60_000);
      await reaches(element, 'ready');
    });

    for (const base of ['refused', 'missing']) {
      it(`frame-blank: a load alone is not taken for success (${base})`, async () => {
        const element = await preview(base);
        await reaches(element, 'error');
        // For an engine that fires no load for a refused page, only the time-out is left.
        expect(element.error!.code).to.match(/^frame-(blank|timeout)$/);
        expect(part(element, '.retry')).to.not.equal(null);
        expect(part(element, '.open')).to.not.equal(null);
      });
    }

    it('without the attribute, our own pages’ message counts before their load does', async () => {
      await reaches(await mountPreview(`${frames}/slow`, { timeout: 60_000 }), 'ready');
    });

    it('nobody else’s message counts', async () => {
      const element = await preview('hang');
      postMessage({ type: 'clip-ready' }, '*');
      postMessage('clip-ready', '*');
      await reaches(element, 'error');
      expect(element.error!.code).to.equal('frame-timeout');
    });
  });

  it('takes the frame away and ends its timer when it leaves the document', async () => {
    const element = Object.assign(document.createElement('clip-preview'), {
      project: 'a',
      loading: 'eager',
      timeout: 50,
      playerUrl: `${frames}/hang`,
    });
    let errors = 0;
    element.addEventListener('clip-preview-error', () => errors++);
    document.body.append(element);
    await element.updateComplete;
    expect(element.status).to.equal('loading');
    element.remove();
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(errors).to.equal(0);
    expect(element.status).to.equal('idle');
  });

  it('ignores what server rendering of frameworks writes for objects', async () => {
    const element = await put({ loading: 'click', label: '[object Object]' });
    expect(part(element, 'play')!.getAttribute('aria-label')).to.equal('Play: Clip preview');
  });

  it('keeps the shape it will have, 9:16', async () => {
    const element = await put({ style: 'width: 90px', loading: 'click' });
    expect(element.offsetHeight).to.equal(160);
  });

  it('speaks the nearest language, German here', async () => {
    const box = await fixture(
      html`<div lang="de-AT">
        <clip-preview project="a" loading="click" player-url=${frames}></clip-preview>
      </div>`,
    );
    const element = box.querySelector<ClipPreview>('clip-preview')!;
    await until(
      () => part(element, 'play')!.getAttribute('aria-label') === 'Abspielen: Vorschau des Clips',
    );
  });
});
