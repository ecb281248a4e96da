import { expect } from '@open-wc/testing';
import '../../src/define/clip-embed.ts';
import '../../src/define/clip-preview.ts';
import {
  frameNews,
  mount,
  mountPreview,
  newWorld,
  reaches,
  until,
} from '../support/browser-world.ts';

/** The page in the frames reports what it is sent. */
describe('the look of a site in the frames of its elements', () => {
  let frames: string;
  let seen: ReturnType<typeof frameNews>;
  let sheet: HTMLStyleElement;

  beforeEach(async () => {
    frames = `${(await newWorld()).frames}/media`;
    seen = frameNews();
    sheet = document.createElement('style');
    document.head.append(sheet);
  });
  afterEach(() => {
    seen.end();
    sheet.remove();
    document.documentElement.className = '';
  });

  const sent = (): Record<string, unknown>[] =>
    seen.news
      .filter(({ frame }) => frame === 'appearance')
      .map(({ href }) => JSON.parse(href) as Record<string, unknown>);
  const receives = (check: (last: Record<string, unknown>) => boolean) =>
    until(() => {
      const last = sent().at(-1);
      return last && check(last);
    });

  const preview = async () => {
    const element = await mountPreview(frames);
    await reaches(element, 'ready');
    return element;
  };

  const site = `:root {
    color-scheme: light;
    --clip-accent: hsl(0 100% 50%);
    --clip-on-accent: color-mix(in oklab, white, white);
    --clip-surface: rgb(255 255 255 / 0.9);
    --clip-text: #123;
    --clip-radius: 0.5rem;
    --clip-font: 'Open Sans', "Noto Sans", sans-serif;
  }`;
  const expected = {
    scheme: 'light',
    accent: [255, 0, 0],
    onAccent: [255, 255, 255],
    surface: [255, 255, 255],
    text: [17, 34, 51],
    radius: 8,
    font: ['Open Sans', 'Noto Sans', 'sans-serif'],
  };

  it('comes with the handshake, as values', async () => {
    sheet.textContent = site;
    await preview();
    await receives((last) => !!last);
    expect(sent()[0]).to.deep.equal(expected);
  });

  it('comes to an embed too', async () => {
    sheet.textContent = site;
    await mount('clip-embed', { project: 'a', 'app-url': frames, token: 't', loading: 'eager' });
    await receives((last) => !!last);
    expect(sent()[0]).to.deep.equal(expected);
  });

  it('says whether an embed leaves out the header of the editor', async () => {
    const embed = { project: 'a', 'app-url': frames, token: 't', loading: 'eager', header: 'none' };
    const element = await mount('clip-embed', embed);
    await receives(({ header }) => header === 'none');
    element.header = null;
    await receives(({ header }) => header === undefined);
    element.setAttribute('header', 'none');
    await receives(({ header }) => header === 'none');
  });

  it('is not sent by a page that says nothing', async () => {
    await preview();
    sheet.textContent = 'body { --clip-accent: lime }';
    await receives(({ accent }) => String(accent) === '0,255,0');
    expect(sent()).to.deep.equal([{ accent: [0, 255, 0] }]);
    sheet.textContent = '';
    await receives((last) => Object.keys(last).length === 0);
  });

  it('follows a class on html, a style sheet, a style of an element around and of itself', async () => {
    sheet.textContent = ':root { --clip-accent: red } :root.dark { --clip-accent: blue }';
    const element = await preview();
    const accent = (text: string) => receives((last) => String(last['accent']) === text);
    await accent('255,0,0');
    document.documentElement.className = 'dark';
    await accent('0,0,255');
    sheet.textContent += ':root.dark { --clip-accent: white }';
    await accent('255,255,255');
    element.parentElement!.style.setProperty('--clip-accent', 'black');
    await accent('0,0,0');
    element.style.setProperty('--clip-accent', 'lime');
    await accent('0,255,0');
  });

  it('follows the colour scheme, and colours that follow it', async () => {
    sheet.textContent =
      ':root { color-scheme: light; --clip-text: light-dark(#000, #fff) } ' +
      ':root.dark { color-scheme: dark }';
    await preview();
    await receives(({ text }) => String(text) === '0,0,0');
    document.documentElement.className = 'dark';
    await receives(({ text, scheme }) => String(text) === '255,255,255' && scheme === 'dark');
    sheet.textContent = ':root.dark { color-scheme: light dark }';
    await receives(({ text, scheme }) => !text && scheme === 'light dark');
  });

  it('is sent when an element is shown again, if it has changed meanwhile', async () => {
    sheet.textContent = ':root { --clip-accent: red }';
    const element = await preview();
    element.hidden = true;
    await element.updateComplete;
    sheet.textContent = ':root { --clip-accent: blue }';
    // The style of the hidden element is computed without it.
    expect(getComputedStyle(element).display).to.equal('none');
    element.hidden = false;
    await receives(({ accent }) => String(accent) === '0,0,255');
  });

  it('follows a typeface alone', async () => {
    sheet.textContent = ':root { --clip-font: Inter }';
    await preview();
    await receives(({ font }) => String(font) === 'Inter');
    sheet.textContent = ':root { --clip-font: Lato, serif }';
    if (!CSS.supports('transition-behavior', 'allow-discrete')) return;
    await receives(({ font }) => String(font) === 'Lato,serif');
  });

  it('has no style text in it, whatever the page has written', async () => {
    sheet.textContent = `:root {
      --clip-accent: url(https://x.example/a.png);
      --clip-text: transparent;
      --clip-radius: 50%;
      --clip-font: 'a";}b{', 'url(https://x.example)', Inter;
      --clip-surface: lime;
    }`;
    await preview();
    await receives(({ font }) => String(font) === 'Inter');
    expect(sent().at(-1)).to.deep.equal({ surface: [0, 255, 0], font: ['Inter'] });
  });

  it('nothing is left in an element without a frame', async () => {
    const element = await preview();
    const probes = () => element.shadowRoot!.querySelectorAll('span[style]').length;
    expect(probes()).to.equal(1);
    const box = element.parentElement!;
    element.remove();
    await until(() => probes() === 0);
    element.setAttribute('loading', 'click');
    box.append(element);
    await element.updateComplete;
    expect(probes()).to.equal(0);
  });
});
