/** The editor in Firefox and WebKit: `npm run test:firefox`, `test:webkit`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editDocumentSchema, type EditDocument, type Project } from 'clip-kit/contract';
import { waitFor } from 'clip-testkit/wait-for';
import { openTab, untilTrue, type Tab } from 'clip-testkit/any-tab';
import { World } from 'clip-testkit/world';

const editor = `document.querySelector('clip-editor')`;
const top = (selector: string): string => `${editor}?.shadowRoot.querySelector('${selector}')`;
const part = (name: string, selector: string): string =>
  `${top(`clip-${name}`)}?.shadowRoot.querySelector('${selector}')`;

/** Notes what goes wrong in the page from now on. */
const noteProblems = `(() => {
  const problems = (window.problems = []);
  const { error } = console;
  console.error = (...all) => (problems.push(all.join(' ')), error(...all));
  addEventListener('error', ({ message }) => problems.push(message));
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
  addEventListener('securitypolicyviolation', (event) =>
    problems.push(event.violatedDirective + ' ' + event.blockedURI));
})()`;

/** How much of a part of the picture is other than when it was kept, and its brightest pixel. */
const seen = (from: number, to: number): string => `(() => {
  const canvas = ${part('picture', 'canvas')};
  const { width, height } = canvas;
  const [first, last] = [Math.round(height * ${from}), Math.round(height * ${to})];
  const { data } = canvas.getContext('2d').getImageData(0, first, width, last - first);
  const kept = ((window.kept ??= {})['${from}'] ??= data);
  let [other, brightest] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    brightest = Math.max(brightest, data[at + 1]);
    if (Math.abs(data[at + 1] - kept[at + 1]) > 40) other++;
  }
  return { other: (4 * other) / data.length, brightest };
})()`;

interface Seen {
  /** Share of the pixels. */
  other: number;
  /** 0 to 255. */
  brightest: number;
}

describe('the editor in another engine', () => {
  let world: World;
  let user: string;
  let clip: Project;
  let tab: Tab;

  before(async () => {
    world = await World.start();
    user = await world.user();
    const [first] = await world.makeShorts(user, {
      target_clip_count: 1,
      dimensions: { width: 108, height: 192 },
      editing_options: { captions: true, reframe: true },
    });
    clip = first!;
    tab = await openTab();
  });

  after(async () => {
    await tab?.close();
    await world?.close();
  });

  const storedAs = (isSo: (document: EditDocument) => boolean): Promise<EditDocument> =>
    waitFor('the change', async () => {
      const { body } = await world.get(`/projects/${clip.id}/edit`, { as: user });
      const document = editDocumentSchema.parse(body);
      return isSo(document) && document;
    });
  const look = async (from: number, to: number): Promise<Seen> =>
    (await tab.evaluate(seen(from, to))) as Seen;

  it('opens, draws picture and captions as the export does, and saves what is changed', async () => {
    const token = await world.token(user);
    await tab.go(`${world.service.url}/embed/${clip.id}#external_access_token=${token}`);
    const button = `document.querySelector('.edit:not([hidden])')`;
    await untilTrue(tab, button);
    await tab.evaluate(noteProblems);
    await tab.click(button);
    await untilTrue(tab, `${part('picture', 'canvas')} && !${part('picture', '.over')}`);
    // Until then it is drawn from the source itself, whose colours differ a little.
    const video = part('picture', 'video');
    await untilTrue(
      tab,
      `${video}.currentSrc.includes('/files/proxies/') && ${video}.readyState === 4 && !${video}.seeking`,
    );
    assert.equal(await tab.evaluate(`${part('picture', '.hint')} ?? null`), null, 'libass draws');
    await waitFor('a picture', async () => (await look(0.1, 0.4)).brightest > 100);
    await look(0.6, 1);

    const before = await storedAs(() => true);
    const place = before.words.findIndex(({ start }) => start >= before.ranges[0]!.start);
    const word = part('words', `[data-index="${place}"]`);
    await tab.evaluate(`${word}.focus()`);
    await tab.press('Enter');
    await untilTrue(tab, part('words', 'input'));
    for (const letter of 'Corrected') await tab.press(letter);
    await tab.press('Enter');
    const { key } = before.words[place]!;
    await storedAs(({ changes }) => changes.words?.[key] === 'Corrected');
    await waitFor('the corrected caption', async () => (await look(0.6, 1)).other > 0.01);
    const upper = await look(0.1, 0.4);
    assert.ok(upper.other < 0.001, `the picture stays: ${JSON.stringify(upper)}`);

    await tab.drag(part('timeline', '[data-handle=end]'), -120);
    await storedAs(({ duration }) => duration < before.duration - 0.3);

    await tab.click(top('[data-tool=style]'));
    await tab.click(part('style', '[data-preset=punch]'));
    const { changes } = await storedAs((document) => document.style_preset_id === 'punch');
    assert.equal(changes.words?.[key], 'Corrected');
    assert.ok(changes.end! < before.ranges.at(-1)!.end);
    assert.deepEqual(await tab.evaluate('problems'), []);
  });

  it('plays over a cut, to the end', async () => {
    const { words, ranges } = await storedAs(() => true);
    const place = words.findIndex(({ start }) => start >= ranges[0]!.start);
    await tab.click(top('[data-tool=words]'));
    await untilTrue(tab, part('words', `[data-index="${place + 1}"]`));
    await tab.click(part('words', `[data-index="${place + 1}"]`));
    await untilTrue(tab, part('words', '[data-do=remove]'));
    await tab.click(part('words', '[data-do=remove]'));
    await storedAs((document) => document.ranges.length > ranges.length);
    await tab.click(part('words', `[data-index="${place}"]`));
    const play = part('picture', '.play');
    await untilTrue(tab, `${play}.disabled === false`);
    await tab.click(play);
    const time = `${part('picture', '.time')}.textContent.split(' / ')`;
    await untilTrue(tab, `${time}[0] === ${time}[1] && ${play}.ariaLabel === 'Play'`);
    // The second video has played what is behind the cut.
    const second = part('picture', 'video + video');
    assert.ok(Number(await tab.evaluate(`${second}.played.length`)) > 0);
    assert.deepEqual(await tab.evaluate('problems'), []);
  });
});
