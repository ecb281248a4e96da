import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import 'media-chrome';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-preview.ts';
import type { ClipEmbed } from '../../src/elements/clip-embed/clip-embed.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import {
  frameNews,
  mount,
  mountPreview,
  newWorld,
  part,
  reaches,
  until,
} from '../support/browser-world.ts';

async function rejection(promise: Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not reject.');
}

/** The page in the frames speaks player.js by the receiver of the npm package. */
describe('the media element’s interface', () => {
  let frames: string;
  let seen: ReturnType<typeof frameNews>;
  /** The address that the page was opened with. Its message may come after its load. */
  const opened = async () => {
    const loads = () => seen.news.filter(({ frame }) => frame === 'load');
    await until(() => loads().length);
    return new URL(loads().at(-1)!.href);
  };

  beforeEach(async () => {
    frames = `${(await newWorld()).frames}/media`;
    seen = frameNews();
  });
  afterEach(() => seen.end());

  const preview = (loading = 'eager', project = 'a') => mountPreview(frames, { loading, project });

  const embed = () =>
    mount('clip-embed', { project: 'a', 'app-url': frames, token: 't', loading: 'eager' });

  it('one click on a preview plays: the page is asked to play when it opens', async () => {
    const element = await preview('click');
    part(element, 'play')!.click();
    await reaches(element, 'ready');
    expect((await opened()).searchParams.get('autoplay')).to.equal('1');
    await until(() => !element.paused);
    expect(element.currentTime).to.be.at.least(0);
  });

  it('a preview that nobody has clicked is not asked to play', async () => {
    const element = await preview();
    await reaches(element, 'ready');
    expect((await opened()).search).to.equal('');
    expect(element.paused).to.equal(true);
  });

  it('the attribute is whether it is muted until a player says so', () => {
    const element = document.createElement('clip-preview');
    element.setAttribute('muted', '');
    expect(element.muted).to.equal(true);
  });

  it('autoplay, muted, loop, playsinline and no-controls are in the address of the page, the language is not', async () => {
    const box = await fixture(
      html`<div lang="de">
        <clip-preview
          project="a"
          player-url=${`${frames}?v=1`}
          loading="eager"
          autoplay
          muted
          loop
          playsinline
          no-controls
        ></clip-preview>
      </div>`,
    );
    const element = box.querySelector('clip-preview')!;
    await reaches(element, 'ready');
    expect(Object.fromEntries((await opened()).searchParams)).to.deep.equal({
      v: '1',
      autoplay: '1',
      muted: '1',
      loop: '1',
      playsinline: '1',
      controls: '0',
    });
  });

  it('the language is sent to the page, again when it changes, and a player need not know it', async () => {
    const box = await fixture<HTMLElement>(
      html`<div lang="de">
        <clip-preview project="a" player-url=${frames} loading="eager"></clip-preview>
      </div>`,
    );
    const element = box.querySelector('clip-preview')!;
    const languages = () => seen.news.filter(({ frame }) => frame === 'language');
    const errors: Event[] = [];
    element.addEventListener('error', (event) => errors.push(event));
    await until(() => languages().length === 1);
    await element.play();
    box.lang = 'fr';
    element.label = 'Drawn again';
    await until(() => languages().length === 2);
    expect(languages().map(({ href }) => href)).to.deep.equal(['de', 'fr']);
    // The answer to a later call comes after the one to this.
    element.pause();
    await until(() => element.paused);
    expect(errors).to.deep.equal([]);
    expect(element.error).to.equal(null);
  });

  it('the page of an embed gets it too, though its frame begins with an empty page', async () => {
    const box = await fixture(
      html`<div lang="de">
        <clip-embed project="a" app-url=${frames} token="t" loading="eager"></clip-embed>
      </div>`,
    );
    await reaches(box.querySelector('clip-embed')!, 'ready');
    const languages = () => seen.news.filter(({ frame }) => frame === 'language');
    await until(() => languages().length);
    expect(languages()[0]!.href).to.equal('de');
  });

  it('{lang} in the address is the language, for pages that take it there', async () => {
    const box = await fixture(
      html`<div lang="pt-BR">
        <clip-preview
          project="a"
          player-url=${`${frames}/{lang}?l={lang}`}
          loading="eager"
        ></clip-preview>
      </div>`,
    );
    await reaches(box.querySelector('clip-preview')!, 'ready');
    const { pathname, search } = await opened();
    expect([pathname, search]).to.deep.equal(['/frames/media/pt-BR/player/a', '?l=pt-BR']);
  });

  it('play() loads, plays and resolves; time goes on; pause() pauses', async () => {
    const element = await preview('click');
    const told: string[] = [];
    let loaded = 0;
    element.addEventListener('loadedmetadata', () => loaded++);
    for (const name of ['play', 'playing', 'pause', 'timeupdate', 'durationchange']) {
      element.addEventListener(name, (event) => {
        expect(event.bubbles).to.equal(false);
        if (told.at(-1) !== name) told.push(name);
      });
    }
    await element.play();
    expect(element.paused).to.equal(false);
    await until(() => element.currentTime > 0.1);
    expect(element.duration).to.equal(8);
    element.pause();
    await until(() => element.paused);
    expect(loaded).to.equal(1);
    expect(told.filter((name) => name !== 'timeupdate' && name !== 'durationchange')).to.deep.equal(
      ['play', 'pause'],
    );
  });

  it('plays in the task in which it was inserted', async () => {
    const element = document.createElement('clip-preview');
    element.project = 'a';
    element.playerUrl = frames;
    element.loading = 'click';
    document.body.append(element);
    await element.play();
    expect([element.status, element.paused]).to.deep.equal(['ready', false]);
    element.remove();
  });

  for (const loading of ['click', 'eager']) {
    it(`plays the clip that was set in the same task (loading=${loading})`, async () => {
      const element = await preview(loading);
      await element.play();
      element.project = 'b';
      await element.play();
      expect((await opened()).pathname).to.equal('/frames/media/player/b');
      expect([element.status, element.paused]).to.deep.equal(['ready', false]);
    });
  }

  it('pause() ends a play() that waits, and nothing plays', async () => {
    const element = await preview('click');
    const told: string[] = [];
    element.addEventListener('play', ({ type }) => told.push(type));
    const early = rejection(element.play());
    element.pause();
    expect((await early).code).to.equal('player-interrupted');
    expect(element.status).to.equal('idle');
    // The same while the frame loads, and when there is a player.
    const played = rejection(element.play());
    await element.updateComplete;
    expect(element.status).to.equal('loading');
    element.pause();
    expect((await played).code).to.equal('player-interrupted');
    await reaches(element, 'ready');
    await until(() => element.duration === 8);
    expect([element.paused, told]).to.deep.equal([true, []]);
    const late = rejection(element.play());
    await element.updateComplete;
    element.pause();
    expect((await late).code).to.equal('player-interrupted');
    await element.play();
    expect(element.paused).to.equal(false);
  });

  it('another clip ends a play() that waits for the one before', async () => {
    const element = await preview('click');
    const played = rejection(element.play());
    await element.updateComplete;
    expect(element.status).to.equal('loading');
    element.project = 'b';
    expect((await played).code).to.equal('player-interrupted');
  });

  it('a play() that waits survives a move within the document', async () => {
    const element = await preview('click');
    const played = element.play();
    await element.updateComplete;
    expect(element.status).to.equal('loading');
    document.body.append(element);
    await played;
    expect(element.paused).to.equal(false);
    element.remove();
  });

  it('sets time, volume, sound and speed, also before there is a player', async () => {
    const element = await preview('click');
    element.volume = 0.5;
    element.currentTime = 3;
    element.muted = true;
    expect([element.volume, element.currentTime, element.muted]).to.deep.equal([0.5, 3, true]);
    await element.play();
    await until(() => element.currentTime > 3.1);
    expect([element.volume, element.muted]).to.deep.equal([0.5, true]);
    const changed = oneEvent(element, 'volumechange');
    element.muted = false;
    await changed;
    expect(element.muted).to.equal(false);
    element.currentTime = 6;
    await oneEvent(element, 'seeked');
    await until(() => element.currentTime >= 6);
  });

  it('takes and refuses the same values as <video>', async () => {
    const element = await preview();
    const video = document.createElement('video');
    for (const name of ['currentTime', 'volume', 'playbackRate'] as const) {
      for (const value of [NaN, Infinity, 'abc', undefined, {}, '0.5', null, -1, 1.5]) {
        const outcome = (target: HTMLVideoElement | ClipPreview) => {
          try {
            target[name] = value as number;
          } catch (error) {
            return (error as Error).name;
          }
          return target[name];
        };
        // Without a clip, a video keeps no time, and WebKit's takes NaN; and it plays at no
        // negative rate.
        const number = Number(value);
        const wanted =
          name === 'playbackRate' && value === -1
            ? -1
            : name !== 'currentTime'
              ? outcome(video)
              : Number.isFinite(number)
                ? Math.max(0, number)
                : 'TypeError';
        expect(outcome(element), `${name} = ${value}`).to.equal(wanted);
      }
    }
  });

  it('tells a page that comes to speak the protocol later what was set', async () => {
    const element = await preview('click', 'late');
    element.currentTime = 3;
    const told = oneEvent(element, 'timeupdate');
    await element.play();
    await told;
    expect(element.currentTime).to.be.above(3);
  });

  it('ends, and then begins again if it loops', async () => {
    const element = await preview();
    await reaches(element, 'ready');
    element.currentTime = 7.9;
    await element.play();
    await oneEvent(element, 'ended');
    expect([element.ended, element.paused]).to.deep.equal([true, true]);
    element.loop = true;
    await element.updateComplete;
    element.currentTime = 7.9;
    await element.play();
    await until(() => element.currentTime < 1 && !element.paused);
    expect(element.ended).to.equal(false);
  });

  it('one preview at a time plays on a page, unless it has no-exclusive', async () => {
    const [one, two, three] = await Promise.all([preview(), preview(), preview()]);
    three.noExclusive = true;
    await one.play();
    await two.play();
    await until(() => one.paused);
    await three.play();
    await until(() => three.currentTime > 0.1);
    expect(two.paused).to.equal(false);
  });

  it('an embed and a preview pause each other', async () => {
    const [one, two] = await Promise.all([embed(), preview()]);
    await one.play();
    await two.play();
    await until(() => one.paused);
    await one.play();
    await until(() => two.paused);
  });

  it('keeps the sound that was set for the next clip', async () => {
    const element = await preview('click');
    element.muted = true;
    element.volume = 0.5;
    await element.play();
    element.project = 'b';
    await element.play();
    expect((await opened()).searchParams.get('muted')).to.equal('1');
    expect([element.muted, element.volume]).to.deep.equal([true, 0.5]);
  });

  it('an embed has the same interface, and its token stays in the fragment', async () => {
    const element = await embed();
    element.muted = true;
    element.loop = true;
    await element.play();
    await until(() => element.currentTime > 0);
    expect((await opened()).hash).to.equal('#external_access_token=t');
    const { load } = seen.news.at(-1)!;
    element.loop = false;
    element.token = 'next';
    await until(() => seen.news.at(-1)!.href.endsWith('next'));
    expect(seen.news.at(-1)!.load).to.equal(load, 'the same document');
    expect(element.paused).to.equal(false);
  });

  it('controls of media-chrome steer a preview', async () => {
    const controller = await fixture(
      html`<media-controller>
        <clip-preview slot="media" project="a" player-url=${frames} loading="eager"></clip-preview>
        <media-play-button></media-play-button>
        <media-mute-button></media-mute-button>
        <media-time-range></media-time-range>
      </media-controller>`,
    );
    const element = controller.querySelector('clip-preview')!;
    const control = (name: string) => controller.querySelector<HTMLElement>(name)!;
    const button = control('media-play-button');
    await reaches(element, 'ready');
    await until(() => control('media-time-range').hasAttribute('mediaduration'));
    button.click();
    await until(() => !element.paused);
    await until(() => !button.hasAttribute('mediapaused'));
    control('media-mute-button').click();
    await until(() => element.muted);
    button.click();
    await until(() => element.paused && button.hasAttribute('mediapaused'));
  });

  describe('what does not work is said', () => {
    it('player-silent: a page that does not speak player.js', async () => {
      const element = await mountPreview(frames.replace('/media', ''));
      // The page, which is loading, has its usual time for that, and little to answer.
      await until(() => element.shadowRoot!.querySelector('iframe'));
      element.timeout = 100;
      await reaches(element, 'ready');
      expect((await rejection(element.play())).code).to.equal('player-silent');
      element.pause();
      expect(element.paused).to.equal(true);
    });

    it('player-refused: the browser wants a click first', async () => {
      const element = await preview('eager', 'refuses');
      const heard = oneEvent(element, 'error');
      expect((await rejection(element.play())).code).to.equal('player-refused');
      await heard;
      expect(element.paused).to.equal(true);
      // The frame stays: its player says itself what is wrong.
      expect(element.error!.code).to.equal('player-refused');
      expect(element.status).to.equal('ready');
      await element.updateComplete;
      expect(element.shadowRoot!.querySelector('[part="frame"]')).to.not.equal(null);
    });

    it('an error of loading', async () => {
      const element = document.createElement('clip-preview');
      element.playerUrl = frames;
      document.body.append(element);
      await reaches(element, 'error');
      expect((await rejection(element.play())).code).to.equal('missing-project');
      element.remove();
    });

    it('an element that is removed while it waits', async () => {
      const element = await mountPreview(frames.replace('/media', '/hang'), { loading: 'click' });
      const played = rejection(element.play());
      await reaches(element, 'loading');
      element.remove();
      expect((await played).code).to.equal('player-interrupted');
    });

    it('an element that is in no document', async () => {
      const element = document.createElement('clip-preview');
      element.project = 'a';
      element.playerUrl = frames;
      expect((await rejection(element.play())).code).to.equal('player-detached');
      document.body.append(element);
      element.remove();
      expect((await rejection(element.play())).code).to.equal('player-detached');
    });
  });

  it('messages of other windows change nothing', async () => {
    const element = await preview();
    await reaches(element, 'ready');
    await until(() => element.duration === 8);
    const text = JSON.stringify({ context: 'player.js', event: 'play' });
    postMessage(text, '*');
    const settled = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
    await settled;
    expect(element.paused).to.equal(true);
  });
});

describe('the size of an element', () => {
  let frames: string;
  beforeEach(async () => {
    ({ frames } = await newWorld());
  });
  const shape = (element: Element): number => element.clientWidth / element.clientHeight;

  it('is that of width and height, before anything has loaded', async () => {
    const element = await mountPreview(frames, { loading: 'click', width: 1920, height: 1080 });
    expect(shape(element)).to.be.closeTo(16 / 9, 0.02);
    element.style.setProperty('--clip-aspect-ratio', '1');
    expect(shape(element)).to.be.closeTo(1, 0.02);
  });

  it('is bounded, whatever width and height are', async () => {
    const element = await mountPreview(frames, { loading: 'click' });
    for (const [width, height] of [
      [1, 100_000],
      [100_000, 1],
    ] as const) {
      Object.assign(element, { width, height });
      await element.updateComplete;
      expect(element.clientWidth).to.be.at.least(44);
      expect(element.clientHeight).to.be.at.least(44);
    }
  });

  const most = () => Math.min(0.8 * innerHeight, 46 * 16);

  for (const tag of ['clip-preview', 'clip-embed'] as const) {
    it(`<${tag}> in a wide column fits the window, and keeps its shape at the start`, async () => {
      const box = await fixture(html`<div style="width: 1280px"></div>`);
      const element = document.createElement(tag);
      Object.assign(element, { project: 'a', playerUrl: frames, appUrl: frames, token: 't' });
      element.loading = 'lazy';
      box.append(element);
      await element.updateComplete;
      const { height, left } = element.getBoundingClientRect();
      expect(height).to.be.closeTo(most(), 1);
      expect(left).to.equal(box.getBoundingClientRect().left);
      expect(shape(element)).to.be.closeTo(9 / 16, 0.02);
      Object.assign(element, { width: 1000, height: 1000 });
      await element.updateComplete;
      expect(element.clientHeight).to.be.closeTo(most(), 1);
      expect(shape(element)).to.be.closeTo(1, 0.02);
      element.style.setProperty('--clip-max-block-size', '200px');
      expect([element.clientWidth, element.clientHeight]).to.deep.equal([200, 200]);
      element.style.setProperty('--clip-max-block-size', 'none');
      expect(element.clientHeight).to.equal(1280);
    });
  }

  it('is that of the clip as its page says it, otherwise 9 to 16', async () => {
    const element = await mountPreview(`${frames}/wide`, {
      ...{ handshake: 'clip-ready', loading: 'click', width: 'none' },
    });
    expect(shape(element)).to.be.closeTo(9 / 16, 0.02);
    element.activate();
    await reaches(element, 'ready');
    expect(shape(element)).to.be.closeTo(4 / 3, 0.02);
  });
});

describe('addresses of other shapes', () => {
  it('{id} in player-url and app-url, {token} in a fragment', async () => {
    const { frames } = await newWorld();
    const seen = frameNews();
    const element = await mountPreview(`${frames}/watch/{id}.html?x={id}`, { project: 'a/b' });
    await reaches(element, 'ready');
    await until(() => seen.news.length);
    expect(seen.news.at(-1)!.href).to.equal(`${frames}/watch/a%2Fb.html?x=a%2Fb`);
    const embed = await fixture<ClipEmbed>(
      html`<clip-embed
        project="a"
        app-url=${`${frames}/e/{id}#jwt={token}&v=2`}
        token=${'a&b'}
        loading="eager"
      ></clip-embed>`,
    );
    await reaches(embed, 'ready');
    await until(() => seen.news.at(-1)!.href.includes('/e/'));
    expect(seen.news.at(-1)!.href).to.equal(`${frames}/e/a#jwt=a%26b&v=2`);
    seen.end();
  });
});
