import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import 'media-chrome';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-preview.ts';
import type { ClipEmbed } from '../../src/elements/clip-embed.ts';
import type { ClipPreview } from '../../src/elements/clip-preview.ts';
import { frameNews, newWorld, reaches, until } from '../support/browser-world.ts';

const part = (element: Element, name: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(`[part="${name}"]`);

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
    await until(() => seen.news.length);
    return new URL(seen.news.at(-1)!.href);
  };

  beforeEach(async () => {
    frames = `${(await newWorld()).frames}/media`;
    seen = frameNews();
  });
  afterEach(() => seen.end());

  const preview = (loading = 'eager') =>
    fixture<ClipPreview>(
      html`<clip-preview project="a" player-url=${frames} loading=${loading}></clip-preview>`,
    );

  const clickable = () => preview('click');

  const embed = () =>
    fixture<ClipEmbed>(
      html`<clip-embed project="a" app-url=${frames} token="t" loading="eager"></clip-embed>`,
    );

  it('one click on a preview plays: the page is asked to play when it opens', async () => {
    const element = await clickable();
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

  it('autoplay, muted, loop, playsinline and lang are in the address of the page', async () => {
    const box = await fixture(
      html`<div lang="de">
        <clip-preview
          project="a"
          player-url=${`${frames}?v=1`}
          loading="eager"
          autoplay
          muted
          loop
          playsinline="false"
        ></clip-preview>
      </div>`,
    );
    const element = box.querySelector('clip-preview')!;
    expect(element.muted).to.equal(true);
    await reaches(element, 'ready');
    expect(Object.fromEntries((await opened()).searchParams)).to.deep.equal({
      v: '1',
      autoplay: '1',
      muted: '1',
      loop: '1',
      playsinline: '0',
      lang: 'de',
    });
  });

  it('play() loads, plays and resolves; time goes on; pause() pauses', async () => {
    const element = await clickable();
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

  it('sets time, volume, sound and speed, also before there is a player', async () => {
    const element = await clickable();
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
    expect(() => (element.volume = NaN)).to.throw(TypeError);
  });

  it('tells a page that comes to speak the protocol later what was set', async () => {
    const element = await fixture<ClipPreview>(
      html`<clip-preview project="late" player-url=${frames} loading="click"></clip-preview>`,
    );
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

  it('one preview at a time plays on a page, unless it is not exclusive', async () => {
    const [one, two, three] = await Promise.all([preview(), preview(), preview()]);
    three.exclusive = false;
    await one.play();
    await two.play();
    await until(() => one.paused);
    await three.play();
    await until(() => three.currentTime > 0.1);
    expect(two.paused).to.equal(false);
  });

  it('an embed has the same interface, and its token stays in the fragment', async () => {
    const element = await embed();
    element.muted = true;
    element.loop = true;
    await element.play();
    await until(() => element.currentTime > 0);
    expect((await opened()).hash).to.equal('#external_access_token=t');
    expect(element.exclusive).to.equal(false);
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
      const element = await fixture<ClipPreview>(
        html`<clip-preview
          project="a"
          player-url=${frames.replace('/media', '')}
          timeout="3000"
          loading="eager"
        ></clip-preview>`,
      );
      await reaches(element, 'ready');
      expect((await rejection(element.play())).code).to.equal('player-silent');
      element.pause();
      expect(element.paused).to.equal(true);
    });

    it('player-refused: the browser wants a click first', async () => {
      const element = await fixture<ClipPreview>(
        html`<clip-preview project="refuses" player-url=${frames} loading="eager"></clip-preview>`,
      );
      expect((await rejection(element.play())).code).to.equal('player-refused');
      expect(element.paused).to.equal(true);
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
      const element = await fixture<ClipPreview>(
        html`<clip-preview
          project="a"
          player-url=${frames.replace('/media', '/hang')}
          loading="click"
        ></clip-preview>`,
      );
      const played = rejection(element.play());
      await reaches(element, 'loading');
      element.remove();
      expect((await played).code).to.equal('player-silent');
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
    const element = await fixture<ClipPreview>(
      html`<clip-preview
        project="a"
        player-url=${frames}
        loading="click"
        width="1920"
        height="1080"
      ></clip-preview>`,
    );
    expect(shape(element)).to.be.closeTo(16 / 9, 0.02);
    element.style.setProperty('--clip-aspect-ratio', '1');
    expect(shape(element)).to.be.closeTo(1, 0.02);
  });

  it('is that of the clip as its page says it, otherwise 9 to 16', async () => {
    const element = await fixture<ClipPreview>(
      html`<clip-preview
        project="a"
        player-url="${frames}/wide"
        handshake="clip-ready"
        loading="click"
        width="none"
      ></clip-preview>`,
    );
    expect(shape(element)).to.be.closeTo(9 / 16, 0.02);
    element.activate();
    await reaches(element, 'ready');
    await element.updateComplete;
    expect(shape(element)).to.be.closeTo(4 / 3, 0.02);
  });
});

describe('addresses of other shapes', () => {
  it('{id} in player-url and app-url, {token} in a fragment', async () => {
    const { frames } = await newWorld();
    const seen = frameNews();
    const element = await fixture<ClipPreview>(
      html`<clip-preview
        project="a/b"
        player-url="${frames}/watch/{id}.html?x={id}"
        loading="eager"
      ></clip-preview>`,
    );
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
