import { expect } from '@open-wc/testing';
import '../../src/define/clip-videos.ts';
import { newWorld, reaches, until } from '../support/browser-world.ts';
import { mainOfSuite } from '../support/suite-main.ts';

/** Left edges of the letters of a text, in the order of the text. */
function placesOf(element: Element): number[] {
  const [text] = [...element.childNodes].filter(
    (node): node is Text => node instanceof Text && node.data.trim() !== '',
  );
  return Array.from({ length: text!.length }, (_, at) => {
    const range = document.createRange();
    range.setStart(text!, at);
    range.setEnd(text!, at + 1);
    return range.getBoundingClientRect().left;
  });
}

describe('a file name in the other direction', () => {
  const main = mainOfSuite();

  async function put(lang: string, dir: string, name: string) {
    document.documentElement.lang = lang;
    main.dir = dir;
    const world = await newWorld();
    await world.setTasks([{ id: 'one', name, status: 'ready', clip_count: 2 }]);
    const videos = document.createElement('clip-videos');
    videos.setAttribute('endpoint', world.endpoint);
    main.append(videos);
    await reaches(videos, 'ready');
    return videos;
  }
  const find = (element: Element, selector: string) =>
    element.shadowRoot!.querySelector<HTMLElement>(selector)!;

  for (const [lang, dir, name] of [
    ['en', 'ltr', 'שלום (2).mp4'],
    ['he', 'rtl', 'harbour (2).mp4'],
  ] as const) {
    it(`is isolated in the sentences of a page in ${lang}: ${name}`, async () => {
      const videos = await put(lang, dir, name);
      const button = find(videos, '.delete');
      await until(() => lang === 'en' || !button.ariaLabel!.startsWith('Delete'));
      expect(button.ariaLabel).to.contain(`\u2068${name}\u2069`);
      button.click();
      await videos.updateComplete;
      expect(find(videos, '.question span').textContent).to.contain(`\u2068${name}\u2069`);
      find(videos, '.confirm').click();
      await until(() =>
        find(videos, '[role="status"]').textContent.includes(`\u2068${name}\u2069`),
      );
    });

    it(`stands alone in its own direction in a page in ${lang}: ${name}`, async () => {
      const videos = await put(lang, dir, name);
      const places = placesOf(find(videos, '[part="title"] bdi'));
      const [first, second] = places as [number, number];
      // The extension comes after the name, whichever way that is read.
      if (lang === 'he') expect(first).to.be.below(second);
      else expect(first).to.be.above(second);
      const isAfter = (at: number) => (lang === 'he' ? at > first : at < first);
      expect(places.slice(name.indexOf('.')).every(isAfter)).to.equal(true);
    });
  }

  it('has no isolates where all is written from left to right', async () => {
    const videos = await put('en', 'ltr', 'harbour.mp4');
    expect(find(videos, '.delete').ariaLabel).to.equal('Delete harbour.mp4');
  });
});
