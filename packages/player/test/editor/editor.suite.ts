import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { editDocumentSchema, type EditDocument, type Project } from 'clip-kit/contract';
import type { Edit } from 'clip-engine/drawing';
import type { Browser, Page } from 'puppeteer-core';
import { waitFor } from 'clip-testkit/wait-for';
import { forceColours, launchBrowser, newPage, openPage } from 'clip-testkit/browser';
import { click, killTab, openEditor, part, top } from '../support/editor-page.ts';
import { probe } from 'clip-testkit/footage';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { World } from 'clip-testkit/world';
import type { EditorModel } from '../../src/editor/editor-model.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('the editor', () => {
  let world: World;
  let browser: Browser;
  let user: string;
  let token: string;
  before(async () => {
    [world, browser] = await Promise.all([World.start({ ingestWaitMs: 200 }), launchBrowser()]);
    user = await world.user();
    token = await world.token(user);
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  /** A clip that begins with the last sentence of the talk. */
  async function makeClip(more: Record<string, unknown> = {}): Promise<Project> {
    const dimensions = { width: 108, height: 192 };
    const editing_options = { captions: true, intro_title: true, reframe: true };
    const [first] = await world.makeShorts(user, {
      target_clip_count: 1,
      dimensions,
      editing_options,
      ...more,
    });
    return first!;
  }
  const address = (clip: Project, more = ''): string =>
    `${world.service.url}/embed/${clip.id}?edit${more}#external_access_token=${token}`;
  const stored = async (clip: Project): Promise<EditDocument> =>
    editDocumentSchema.parse((await world.get(`/projects/${clip.id}/edit`, { as: user })).body);
  const storedAs = (clip: Project, isSo: (document: EditDocument) => boolean) =>
    waitFor('the change', async () => {
      const document = await stored(clip);
      return isSo(document) && document;
    });
  const open = (page: Page, clip: Project, more = ''): Promise<void> =>
    openEditor(page, address(clip, more));
  /** The word of the transcript with this text. */
  const word = (page: Page, text: string) =>
    page.evaluateHandle((text) => {
      const words = document
        .querySelector('clip-editor')!
        .shadowRoot!.querySelector('clip-words')!.shadowRoot!;
      return [...words.querySelectorAll<HTMLElement>('.word')].find(
        (one) => one.textContent?.trim() === text,
      )!;
    }, text);

  it('tells the page around it which revision is shown, and what is stored', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await page.goto(`${world.service.url}/healthz`);
      await page.evaluate((src) => {
        const [heard, opened]: [unknown[], unknown[]] = [[], []];
        addEventListener('message', ({ data }) => {
          if (data?.type === 'clip-editor') opened.push([data.project, data.open]);
          else if (String(data?.type).startsWith('clip-edit')) heard.push(data);
        });
        const frame = document.createElement('iframe');
        frame.src = src;
        frame.width = '1200';
        frame.height = '760';
        document.body.replaceChildren(frame);
        Object.assign(window, { heard, opened });
      }, address(clip));
      const heard = async (count: number) => {
        const all = await page.waitForFunction(
          (count) => {
            const { heard } = window as unknown as { heard: Record<string, unknown>[] };
            return heard.length >= count && heard;
          },
          {},
          count,
        );
        return (await all.jsonValue()) as Record<string, unknown>[];
      };
      const [opened] = await heard(1);
      assert.deepEqual([opened!['type'], opened!['revision']], ['clip-edit', 1]);
      const frame = page.frames().find((one) => one.url().includes('/embed/'))!;
      await (await frame.waitForSelector(top('[data-tool=style]')))!.click();
      await (await frame.waitForSelector(part('style', '[data-preset=punch]')))!.click();
      const [, saved] = await heard(2);
      assert.deepEqual(
        [saved!['type'], saved!['project'], saved!['revision']],
        ['clip-edit', clip.id, 2],
      );
      assert.equal((await stored(clip)).revision, 2);
      await frame.locator(top('.done')).click();
      const openings = await page.waitForFunction(() => {
        const { opened } = window as unknown as { opened: unknown[] };
        return opened.length > 1 && opened;
      });
      assert.deepEqual(await openings.jsonValue(), [
        [clip.id, true],
        [clip.id, false],
      ]);
    } finally {
      await close();
    }
  });

  it('has the corners of the page around it, and leaves the header to it', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await page.goto(`${world.service.url}/healthz`);
      await page.evaluate((src) => {
        const frame = document.createElement('iframe');
        Object.assign(frame, { src, width: '1200', height: '760' });
        document.body.replaceChildren(frame);
      }, address(clip));
      const frame = await waitFor('the frame', () =>
        page.frames().find((one) => one.url().includes('/embed/')),
      );
      await frame.waitForSelector(top('.done'), { visible: true });
      const value = { header: 'none', radius: 24 };
      await page.evaluate((value) => {
        const message = { context: 'player.js', method: 'clip-setAppearance', value };
        window.frames[0]!.postMessage(JSON.stringify(message), '*');
      }, value);
      await frame.waitForSelector(top('.done'), { hidden: true });
      await frame.waitForSelector(top('.undo'), { visible: true });
      await frame.waitForSelector(top('[data-tool=export]'), { visible: true });
      const radius = await frame.$eval(top('.tools'), (one) => getComputedStyle(one).borderRadius);
      assert.equal(radius, '24px');
      await frame.focus(top('.tab'));
      await page.keyboard.press('Escape');
      await frame.waitForSelector(top('.undo'), { visible: true });
    } finally {
      await close();
    }
  });

  it('lets a handle be pulled again and again', async () => {
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      const handle = (await page.waitForSelector(part('timeline', '[data-handle=end]')))!;
      const { duration } = await stored(clip);
      const pull = async (by: number): Promise<void> => {
        const box = (await handle.boundingBox())!;
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        for (const share of [0.3, 0.6, 1]) {
          await page.mouse.move(box.x + box.width / 2 + share * by, box.y + box.height / 2);
        }
        await page.mouse.up();
      };
      await pull(-120);
      const shorter = await storedAs(clip, (document) => document.duration < duration - 0.3);
      await pull(90);
      const longer = await storedAs(clip, (document) => document.duration > shorter.duration + 0.3);
      await pull(-90);
      await storedAs(clip, (document) => document.duration < longer.duration - 0.3);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('moves each window of a split screen on its own', async () => {
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      await click(page, top('[data-tool=layout]'));
      await click(page, part('layout', '[data-mode=stack]'));
      await storedAs(clip, ({ changes }) => changes.shots?.[0]?.mode === 'stack');
      const canvas = (await page.waitForSelector(part('picture', 'canvas')))!;
      const box = (await canvas.boundingBox())!;
      const before = (await stored(clip)).shots[0]!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.8);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.8, { steps: 4 });
      await page.mouse.up();
      const { shots } = await storedAs(clip, ({ changes }) => !!changes.shots?.[0]?.below);
      assert.ok(shots[0]!.below!.x < before.below!.x - 0.05, JSON.stringify(shots));
      assert.ok(Math.abs(shots[0]!.x! - before.x!) < 0.01, 'the upper one stays');
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('changes a clip and exports it', async () => {
    const clip = await makeClip();
    const first = await stored(clip);
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      const sentence = first.words.findIndex(({ start }) => start >= first.ranges[0]!.start);
      const starts = first.words.filter(
        (_, index) => index === 0 || /[.?!]$/.test(first.words[index - 1]!.text),
      );
      const at = starts.findIndex(({ key }) => key === first.words[sentence]!.key);
      assert.ok(at >= 2, 'two sentences are before the clip');

      // The edge goes back by two sentences.
      await (await page.waitForSelector(part('timeline', '[data-handle=start]')))!.focus();
      for (let step = 0; step < 2; step += 1) {
        await page.keyboard.down('Shift');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.up('Shift');
      }
      await storedAs(clip, ({ changes }) => changes.start !== undefined);
      // The sentence between is taken out.
      const between = starts[at - 1]!;
      const times = await page.$$(part('words', '.at'));
      await times[at - 1]!.click();
      await page.keyboard.press('Delete');
      await storedAs(clip, ({ changes }) => changes.removed?.length === 1);
      // A word is corrected.
      const wrong = first.words.find(({ start }) => start > starts[at - 2]!.start)!;
      const button = await word(page, wrong.text);
      await button.focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector(part('words', 'input'));
      await page.keyboard.type('Corrected');
      await page.keyboard.press('Enter');
      // Another style, and the window moved to the left.
      await click(page, top('[data-tool=style]'));
      await click(page, part('style', '[data-preset=punch]'));
      await click(page, top('[data-tool=layout]'));
      await click(page, part('layout', '[data-mode=crop]'));
      await page.waitForSelector(part('layout', '[data-window=zoom]'));
      const canvas = (await page.waitForSelector(part('picture', 'canvas')))!;
      const box = (await canvas.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();

      const document = await storedAs(
        clip,
        ({ changes }) => changes.shots?.[0]?.x !== undefined && changes.words !== undefined,
      );
      const { changes } = document;
      assert.deepEqual(changes.words, { [wrong.key]: 'Corrected' });
      assert.equal(changes.style_preset_id, 'punch');
      assert.ok(changes.shots![0]!.x! < 0.5, JSON.stringify(changes.shots));
      assert.ok(Math.abs(changes.removed![0]!.start - between.start) < 0.01);
      assert.ok(document.duration > first.duration + 2);

      await click(page, top('[data-tool=export]'));
      await click(page, part('export', '.start'));
      const link = (await page.waitForSelector(part('export', '.download')))!;
      await page
        .browserContext()
        .overridePermissions(world.service.url, ['clipboard-read', 'clipboard-write']);
      await click(page, part('export', '.copy-all'));
      await page.waitForFunction(
        async (text) => (await navigator.clipboard.readText()).startsWith(text),
        {},
        document.title || document.titles[0]!,
      );
      const downloadPath = join(world.directory, 'downloads');
      const session = await browser.target().createCDPSession();
      await session.send('Browser.setDownloadBehavior', {
        ...{ behavior: 'allow', downloadPath },
        browserContextId: page.browserContext().id!,
      });
      await link.click();
      const names = await waitFor('the file', async () => {
        const all = await readdir(downloadPath).catch(() => []);
        return all.some((name) => name.endsWith('.mp4')) && all;
      });
      assert.deepEqual(names, [`${clip.name}.mp4`]);
      const url = await link.evaluate((one) => (one as HTMLAnchorElement).href);
      const file = await probe(url);
      assert.ok(Math.abs(file.seconds - document.duration) < 0.2, `${file.seconds}`);
      assert.deepEqual([file.width, file.height], [108, 192]);
      const exports = await world.get(`/exports?project_id=${clip.id}`, { as: user });
      assert.equal(exports.body.length, 1);
      assert.equal(exports.body[0].revision, (await stored(clip)).revision);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('has the texts for a post, which a person changes and copies', async () => {
    const clip = await makeClip({ min_duration: 8, max_duration: 16, target_duration: 12 });
    const renamed = { changes: { title: 'Mine' } };
    const anyRevision = { as: user, headers: { 'If-Match': '*' } };
    await world.call('PATCH', `/projects/${clip.id}/edit`, renamed, anyRevision);
    const made = await stored(clip);
    const { page, problems, close } = await openPage(browser, { width: 390, height: 844 });
    try {
      await page
        .browserContext()
        .overridePermissions(world.service.url, ['clipboard-read', 'clipboard-write']);
      await open(page, clip);
      await click(page, top('[data-tool=post]'));
      const copied = async (name: string): Promise<string> => {
        await click(page, part('post', name));
        await page.waitForSelector(part('post', '[role=status]:not(:empty)'));
        return page.evaluate(() => navigator.clipboard.readText());
      };
      assert.equal(await copied('[data-copy=title]'), 'Mine');
      assert.notEqual(made.description, '');
      assert.equal(await copied('[data-copy=description]'), made.description);

      await click(page, part('post', '.suggestion'));
      const { title } = await storedAs(clip, (document) => document.title !== 'Mine');
      assert.equal(title, made.titles[0]);
      const write = async (field: string, text: string): Promise<void> => {
        const element = (await page.waitForSelector(part('post', field)))!;
        await element.evaluate((one) => (one as HTMLInputElement).select());
        await element.type(text);
        await page.keyboard.press('Tab');
      };
      await write('#description', 'Two lines,\nof mine.');
      await write('#tags', '#Bees, how they dance, bees');
      const written = await storedAs(clip, ({ changes }) => changes.tags !== undefined);
      assert.equal(written.description, 'Two lines,\nof mine.');
      assert.deepEqual(written.tags, ['Bees', 'how they dance']);
      const field = (await page.waitForSelector(part('post', '#tags')))!;
      const shown = await field.evaluate((one) => (one as HTMLInputElement).value);
      assert.equal(shown, 'Bees, how they dance');
      assert.equal(
        await copied('.copy-all'),
        `${title}\n\nTwo lines,\nof mine.\n\n#Bees #howtheydance`,
      );
      await click(page, part('post', '.use-frame'));
      await click(page, part('post', '.titled'));
      const covered = await storedAs(clip, ({ cover }) => cover?.title === true);
      const { time } = covered.cover!;
      assert.ok(time >= covered.ranges[0]!.start && time < covered.ranges[0]!.end, String(time));
      await page.waitForSelector(part('timeline', '.cover:not([hidden])'));
      await page.waitForSelector(part('post', 'img:not(.stale)'));
      await click(page, part('post', '.auto'));
      await storedAs(clip, ({ cover }) => cover === null);
      await click(page, part('post', '[data-restore=description]'));
      await storedAs(clip, ({ description }) => description === made.description);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  describe('with a token that limits it', () => {
    const limitedAddress = async (clip: Project, editor: object): Promise<string> => {
      const body = { permissions: ['view', 'edit'], editor };
      const issued = await world.post(`/users/${user}/tokens`, body);
      assert.equal(issued.status, 201, JSON.stringify(issued.body));
      return `${world.service.url}/embed/${clip.id}?edit#external_access_token=${issued.body.external_access_token}`;
    };
    /** What is there of the editor, by the names in its markup; of the panel that is shown. */
    const listParts = (page: Page) =>
      page.evaluate(() => {
        const editor = document.querySelector('clip-editor')!.shadowRoot!;
        const [panel] = editor.querySelectorAll('#panel > *');
        const list = (root: ParentNode | null | undefined, selector: string, name: string) =>
          [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].map(
            (one) => one.dataset[name],
          );
        return {
          tabs: list(editor, '.tab', 'tool'),
          handles: list(
            editor.querySelector('clip-timeline')!.shadowRoot,
            '[data-handle]',
            'handle',
          ),
          actions: list(panel?.shadowRoot, '[data-do]', 'do'),
          brackets: list(panel?.shadowRoot, '[data-edge]', 'edge'),
          presets: list(panel?.shadowRoot, '[data-preset]', 'preset'),
          options: list(panel?.shadowRoot, '[data-option]', 'option'),
          fields: panel?.shadowRoot?.querySelectorAll('.field, .speaker[placeholder]').length ?? 0,
          disabled: panel?.shadowRoot?.querySelectorAll(':disabled').length ?? 0,
        };
      });
    const none = { handles: [], actions: [], brackets: [], presets: [], options: [], fields: 0 };

    it('has the tools and styles that it names, and nothing of the others', async () => {
      const clip = await makeClip();
      const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
      try {
        const limits = { tools: ['words', 'style'], presets: ['punch'] };
        await openEditor(page, await limitedAddress(clip, limits));
        const tabs = ['words', 'style'];
        const words = { ...none, tabs, actions: ['edit-text', 'mute'], disabled: 0 };
        assert.deepEqual(await listParts(page), words);
        // A key is no way around it.
        await page.focus(part('words', '.word[tabindex="0"]'));
        for (const key of ['Delete', '[', ']'] as const) await page.keyboard.press(key);
        await click(page, top('[data-tool=style]'));
        await page.waitForSelector(part('style', '#title'));
        assert.deepEqual(await listParts(page), {
          ...{ ...none, tabs, disabled: 0 },
          presets: ['punch'],
          options: ['captions', 'intro_title', 'emojis'],
          fields: 1,
        });
        await click(page, part('style', '[data-preset=punch]'));
        const { changes } = await storedAs(clip, (document) => document.revision > 1);
        assert.deepEqual(changes, { style_preset_id: 'punch' });
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    });

    it('shows texts to read and to copy, where none may be written', async () => {
      const clip = await makeClip();
      const { page, problems, close } = await openPage(browser, { width: 390, height: 844 });
      try {
        await page.setBypassCSP(true);
        const limits = { tools: ['cut', 'words', 'post'], text: false };
        await openEditor(page, await limitedAddress(clip, limits));
        const edges = ['start', 'end'];
        const tabs = ['words', 'post'];
        const words = { ...none, tabs, handles: edges, brackets: edges, disabled: 0 };
        const actions = ['remove', 'set-start', 'set-end'];
        assert.deepEqual(await listParts(page), { ...words, actions });
        await page.focus(part('words', '.word[tabindex="0"]'));
        await page.keyboard.press('Enter');
        assert.equal(await page.$(part('words', '.correction')), null);
        await click(page, top('[data-tool=post]'));
        await page.waitForSelector(part('post', '.written'));
        const post = { ...words, brackets: [] };
        assert.deepEqual(await listParts(page), post);
        const { titles, description } = await stored(clip);
        const shown = await page.$$eval(part('post', '.written'), (all) =>
          all.map((one) => one.textContent),
        );
        assert.deepEqual(shown.slice(0, 2), [titles[0], description].filter(Boolean));
        await page.evaluate(await readFile(axe, 'utf8'));
        const found = await page.evaluate(async () => {
          const { axe } = window as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          const { violations } = await axe.run();
          return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        });
        assert.deepEqual(found, []);
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    });

    it('has only the time line, if that is all', async () => {
      const clip = await makeClip();
      const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
      try {
        await openEditor(page, await limitedAddress(clip, { tools: ['cut'] }));
        const handles = ['start', 'end'];
        assert.deepEqual(await listParts(page), { ...none, tabs: [], handles, disabled: 0 });
        const width = await page.$eval(top('clip-picture'), (one) => one.clientWidth);
        assert.ok(width > 1200, `the picture has the room: ${width}`);
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    });

    it('undoes a draft of wider rights, says which limit it was, and goes on saving', async () => {
      const clip = await makeClip();
      const { page, close } = await openPage(browser, { width: 1280, height: 800 });
      try {
        await page.goto(`${world.service.url}/healthz`);
        const draft = { revision: 1, base: {}, changes: { title: 'Mine' }, sent: [] };
        await page.evaluate(
          (key, text) => localStorage.setItem(key, text),
          `clip-edit:${clip.id}`,
          JSON.stringify(draft),
        );
        await openEditor(page, await limitedAddress(clip, { tools: ['style'], text: false }));
        const state = await page.waitForSelector(top('.state.bad'));
        const text = await state!.evaluate((one) => one.textContent);
        assert.match(text!, /This change was undone: editor.text is false/);
        await click(page, part('style', '[data-option=emojis]'));
        const { changes } = await storedAs(clip, ({ revision }) => revision > 1);
        assert.deepEqual(changes, { editing_options: { emojis: false } });
      } finally {
        await close();
      }
    });
  });

  it('names a speaker, and corrects a word below the name', async () => {
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      const { words, ranges } = await stored(clip);
      const wrong = words.find(({ start }) => start >= ranges[0]!.start)!;
      // As if another voice began with this word.
      const addVoices = () =>
        page.evaluate((from) => {
          const panel = document
            .querySelector('clip-editor')!
            .shadowRoot!.querySelector('clip-words');
          const { model } = panel as unknown as { model: EditorModel };
          const { answer, inputs } = model;
          const words = inputs.words!.map((one) => ({ ...one, speaker: one.start < from ? 1 : 2 }));
          model.applyAnswer({ ...answer, inputs: { ...inputs, words } });
        }, wrong.start - 0.01);
      await addVoices();
      await page.waitForSelector(part('words', '.speaker'));
      await (await word(page, wrong.text)).focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector(part('words', '.correction input'));
      await page.keyboard.type('Corrected');
      await page.keyboard.press('Enter');
      await storedAs(clip, ({ changes }) => changes.words?.[wrong.key] === 'Corrected');
      await addVoices();
      await page.waitForSelector(part('words', '.speaker'));
      const [, second] = await page.$$(part('words', '.speaker'));
      await second!.click();
      await page.keyboard.type('Anna');
      await page.keyboard.press('Enter');
      const { changes } = await storedAs(clip, (document) => !!document.changes.speakers);
      assert.deepEqual(changes.speakers, { 2: 'Anna' });
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('shows a listed word as muted, restores it, and mutes another one', async () => {
    const { words, ranges } = await stored(await makeClip());
    const said = words.filter(({ start }) => start >= ranges[0]!.start);
    const [listed, other] = [said[1]!, said[3]!];
    const list = { sound: 'mute', words: [listed.text.replace(/\P{L}/gu, '')] };
    assert.equal((await world.call('PUT', '/muted-words', list)).status, 200);
    const clip = await makeClip();
    await world.call('PUT', '/muted-words', { ...list, words: [] });
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    const muted = () =>
      page.$$eval(part('words', '.word.muted'), (words) =>
        words.map((one) => one.getAttribute('aria-label')),
      );
    try {
      await open(page, clip);
      assert.deepEqual(await muted(), [`${listed.text}, muted`]);
      await (await word(page, listed.text)).click();
      await (await page.waitForSelector(part('words', '[data-do=unmute]')))!.click();
      await storedAs(clip, ({ changes }) => changes.muted?.[listed.key] === false);
      assert.deepEqual(await muted(), []);
      await (await word(page, other.text)).click();
      await (await page.waitForSelector(part('words', '[data-do=mute]')))!.click();
      const { edit } = await storedAs(clip, ({ words }) =>
        words.some(({ key, muted }) => key === other.key && muted),
      );
      assert.match(JSON.stringify(edit['captions']), /"\p{L}\*+/u);
      assert.deepEqual(await muted(), [`${other.text}, muted`]);
      if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] as never });
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  /** Adds media of the organization that ffmpeg draws. Returns its id. */
  async function addMedia(path: string, type: string, drawing: string[]): Promise<string> {
    const directory = await temporaryDirectory();
    const file = join(directory.path, `media.${type.split('/')[1]}`);
    await ffmpeg([...drawing, file]);
    const sent = await world.request(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': type },
      body: await readFile(file),
    });
    await directory.remove();
    return ((await sent.json()) as { id: string }).id;
  }

  it('offers the music of the organization, and its level', async () => {
    const tune = ['-f', 'lavfi', '-i', 'sine', '-t', '2', '-f', 'mp3'];
    const id = await addMedia('/v2/music?name=Upbeat', 'audio/mpeg', tune);
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      await click(page, top('[data-tool=style]'));
      const select = await page.waitForSelector(part('style', '#music'));
      await select!.select(id);
      const { music } = await storedAs(clip, (document) => document.music !== null);
      assert.deepEqual(music, { id, level_db: 20 });
      const slider = (await page.waitForSelector(part('style', '.level')))!;
      await slider.focus();
      await page.keyboard.press('ArrowRight');
      await storedAs(clip, (document) => document.music?.level_db === 19);
      assert.equal(
        await slider.evaluate((one) => one.getAttribute('aria-valuetext')),
        '19 dB below speech',
      );
      if (process.env['SHOT']) await slider.scrollIntoView();
      if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] as never });
      await select!.select('none');
      const none = await storedAs(clip, (document) => document.music === null);
      assert.equal(none.changes.music, 'none');
      assert.deepEqual(problems, []);
    } finally {
      await close();
      await world.call('DELETE', `/music/${id}`);
    }
  });

  it('offers the bumpers of the organization, and plays them', async () => {
    const sting = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-t', '1.5'];
    const id = await addMedia('/v2/bumpers?name=Sting', 'video/mp4', sting);
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    const bumper = (place: string, selector: string) =>
      part('style', `clip-bumper[place=${place}] >>> ${selector}`);
    try {
      await open(page, clip);
      await click(page, top('[data-tool=style]'));
      const select = (await page.waitForSelector(bumper('intro', 'select')))!;
      assert.equal(await page.$(bumper('intro', 'video')), null);
      await select.select(id);
      const { intro, outro } = await storedAs(clip, (document) => document.intro !== null);
      assert.deepEqual([intro, outro], [{ id }, null]);
      const video = (await page.waitForSelector(bumper('intro', 'video')))!;
      await waitFor('the picture', () =>
        video.evaluate((one) => (one as HTMLVideoElement).videoWidth === 320),
      );
      if (process.env['SHOT']) await video.scrollIntoView();
      if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] as never });
      const seconds = (await stored(clip)).duration + 1.5;
      await click(page, top('[data-tool=export]'));
      const hint = (await page.waitForSelector(part('export', '.hint')))!;
      const clock = `0:${String(Math.floor(seconds)).padStart(2, '0')}`;
      assert.match(
        await hint.evaluate((one) => one.textContent!),
        new RegExp(`With intro and outro: ${clock}`),
      );
      await click(page, top('[data-tool=style]'));
      await (await page.waitForSelector(bumper('intro', 'select')))!.select('none');
      const none = await storedAs(clip, (document) => document.intro === null);
      assert.equal(none.changes.intro, 'none');
      assert.deepEqual(problems, []);
    } finally {
      await close();
      await world.call('DELETE', `/bumpers/${id}`);
    }
  });

  it('draws the emoji of a word as the service does, before it has saved it', async () => {
    // Nothing in the picture takes the place of the emoji.
    const footage = join(world.directory, 'footage');
    const source = ['-f', 'lavfi', '-i', 'color=0x506a80:s=192x108:r=12:d=16'];
    const sound = ['-f', 'lavfi', '-i', 'sine=d=16'];
    await promisify(execFile)('ffmpeg', [...source, ...sound, join(footage, 'plain.mp4')]);
    await copyFile(join(footage, 'talk.vtt'), join(footage, 'plain.vtt'));
    const clip = await makeClip({
      source_video_url: world.sources.at('plain.mp4'),
      editing_options: { captions: true, emojis: true, reframe: true },
    });
    const { page, problems, close } = await openPage(browser, { width: 1280, height: 800 });
    try {
      await open(page, clip);
      const { words, ranges } = await stored(clip);
      const wrong = words.find(({ start }) => start >= ranges[0]!.start)!;
      await (await word(page, wrong.text)).focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector(part('words', 'input'));
      await page.keyboard.type('Volcano');
      await page.setOfflineMode(true);
      await page.keyboard.press('Enter');
      const drawn = await page.evaluate(() => {
        const words = document
          .querySelector('clip-editor')!
          .shadowRoot!.querySelector('clip-words');
        return (words as unknown as { model: EditorModel }).model.made.edit.emojis;
      });
      assert.equal(drawn[0]?.emoji, '🌋');
      await page.setOfflineMode(false);
      const { edit } = await storedAs(clip, ({ changes }) => changes.words !== undefined);
      assert.deepEqual((edit as unknown as Edit).emojis, drawn);
      assert.deepEqual(
        problems.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED')),
        [],
      );
    } finally {
      await close();
    }
  });

  it('brings a change back that a killed tab could not save', async () => {
    const clip = await makeClip();
    const context = await browser.createBrowserContext();
    try {
      const page = await newPage(context);
      await open(page, clip);
      await page.setOfflineMode(true);
      await click(page, top('[data-tool=style]'));
      await click(page, part('style', '[data-preset=story]'));
      await page.waitForFunction(
        (id) => localStorage.getItem(`clip-edit:${id}`)?.includes('story'),
        {},
        clip.id,
      );
      await killTab(page);
      assert.equal((await stored(clip)).changes.style_preset_id, undefined);
      const again = await newPage(context);
      await open(again, clip);
      await storedAs(clip, ({ changes }) => changes.style_preset_id === 'story');
      await again.waitForFunction((id) => !localStorage.getItem(`clip-edit:${id}`), {}, clip.id);
    } finally {
      await context.close();
    }
  });

  it('says so if somebody else was faster, and loses nothing', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser, { width: 768, height: 1024 });
    try {
      await open(page, clip);
      const theirs = await world.call(
        'PATCH',
        `/projects/${clip.id}/edit`,
        { changes: { title: 'Theirs' } },
        { as: user, headers: { 'If-Match': '*' } },
      );
      assert.equal(theirs.status, 200);
      await click(page, top('[data-tool=style]'));
      await click(page, part('style', '[data-preset=glow]'));
      await page.waitForSelector(top('dialog[open] .take-over'));
      await click(page, top('.take-over'));
      const { changes } = await storedAs(clip, (one) => one.changes.style_preset_id === 'glow');
      assert.equal(changes.title, 'Theirs');
    } finally {
      await close();
    }
  });

  it('shows a disabled button in GrayText in forced colours', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser);
    try {
      await open(page, clip);
      const gray = await forceColours(page);
      const button = await page.waitForSelector(top('button:disabled'));
      const shown = await button!.evaluate((one) => {
        const { color, opacity } = getComputedStyle(one);
        return { color, opacity };
      });
      assert.deepEqual(shown, { color: gray, opacity: '1' });
    } finally {
      await close();
    }
  });

  it('can be used by everyone, in each width, and in the dark', async () => {
    const clip = await makeClip();
    const source = await readFile(axe, 'utf8');
    for (const [width, scheme, lang] of [
      [390, 'light', 'en'],
      [768, 'dark', 'de'],
      [1024, 'dark', 'fr'],
      [1280, 'light', 'he'],
    ] as const) {
      const { page, problems, close } = await openPage(browser, { width, height: 800 });
      try {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.setBypassCSP(true);
        await open(page, clip, `&lang=${lang}`);
        await page.evaluate(source);
        const below = await page.evaluate(() => {
          const words = document
            .querySelector('clip-editor')!
            .shadowRoot!.querySelector('clip-words')!.shadowRoot!;
          const many = document.createElement('p');
          many.style.height = '3000px';
          words.querySelector('.text')!.append(many);
          const { bottom } = words.querySelector('.actions')!.getBoundingClientRect();
          many.remove();
          return bottom - innerHeight;
        });
        assert.ok(below <= 0, `${width}: the actions of many words are ${below} px below the page`);
        for (const tool of ['words', 'style', 'layout', 'post', 'export']) {
          await click(page, top(`[data-tool=${tool}]`));
          const found = await page.evaluate(async () => {
            const { axe } = window as unknown as {
              axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
            };
            const { violations } = await axe.run();
            return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
          });
          assert.deepEqual(found, [], `${width} ${tool}`);
          const overflow = await page.evaluate(() => {
            const editor = document.querySelector('clip-editor')!.shadowRoot!;
            return [document.documentElement, editor.querySelector('.tools')!].reduce(
              (most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth),
              0,
            );
          });
          assert.ok(overflow <= 0, `${width} ${tool}: ${overflow} px too wide`);
        }
        assert.deepEqual(problems, []);
      } finally {
        await close();
      }
    }
  });

  it('has room for picture, words and a thumb on a phone', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser, { width: 390, height: 693 });
    try {
      await open(page, clip);
      const box = async (selector: string) =>
        (await (await page.waitForSelector(selector))!.boundingBox())!;
      const picture = await box(part('picture', 'canvas'));
      const tools = await box(top('.tools'));
      assert.ok(picture.width >= 150, `the picture is ${picture.width} px wide`);
      assert.ok(Math.abs(picture.height - tools.height) < 8, 'they share the height');
      const words = await box(part('words', '.text'));
      assert.ok(words.height >= 4 * 32, `${words.height / 32} lines of words`);
      const tabs = await Promise.all(
        ['words', 'style', 'layout', 'post', 'export'].map((tool) =>
          box(top(`[data-tool=${tool}]`)),
        ),
      );
      assert.equal(new Set(tabs.map(({ y }) => y)).size, 1, 'the tools are in one row');
      const targets = [
        part('timeline', '[data-handle=start]'),
        part('timeline', '[data-handle=end]'),
        part('timeline', '.zoom-in'),
        part('picture', '.play'),
        part('words', '[data-do=remove]'),
        top('.done'),
        top('.undo'),
      ];
      const boxes = await Promise.all(targets.map((selector) => box(selector)));
      for (const [index, { x, y, width, height }] of boxes.entries()) {
        // A box of 44 pixels at a share of the width measures a few millionths less.
        assert.ok(Math.min(width, height) > 43.99, `${targets[index]}: ${width} by ${height}`);
        assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 693, targets[index]!);
        const isHit = await page.evaluate(
          (selector, [across, down]) => {
            let hit: Element | null = document.elementFromPoint(across!, down!);
            while (hit?.shadowRoot) hit = hit.shadowRoot.elementFromPoint(across!, down!);
            return hit?.closest(selector.split(' >>> ').at(-1)!) !== null;
          },
          targets[index]!,
          [x + width / 2, y + height / 2],
        );
        assert.ok(isHit, `${targets[index]} is covered`);
      }
      await click(page, part('timeline', '[data-handle=end]'));
      assert.equal((await stored(clip)).revision, 1, 'a touch of a handle moves nothing');
    } finally {
      await close();
    }
  });

  it('shows each style as libass draws it, whole', async () => {
    const clip = await makeClip();
    const { page, problems, close } = await openPage(browser, { width: 390, height: 800 });
    try {
      await open(page, clip);
      const workers = () =>
        page.evaluate(
          () =>
            performance
              .getEntriesByType('resource')
              .filter(({ name }) => name.endsWith('/text-worker.js')).length,
        );
      assert.equal(await workers(), 1);
      await click(page, top('[data-tool=style]'));
      const count = (await page.$$(part('style', '.style canvas'))).length;
      assert.ok(count >= 10);
      /** Of each picture its letters: how many pixels, and how many of them are at the edge. */
      const letters = () =>
        page.evaluate(() => {
          const panel = document
            .querySelector('clip-editor')!
            .shadowRoot!.querySelector('clip-style')!.shadowRoot!;
          const canvases = [...panel.querySelectorAll<HTMLCanvasElement>('.style canvas')];
          const { width, height } = canvases[0]!;
          const all = canvases.map(
            (one) => one.getContext('2d')!.getImageData(0, 0, width, height).data,
          );
          return all.map((data) => {
            const found = { isDrawn: data[3] === 255, pixels: 0, atEdge: 0, picture: data.join() };
            for (let at = 0; at < data.length; at += 4) {
              // The ground is what most of them have at a place.
              const green = all.map((other) => other[at + 1]!).toSorted((a, b) => a - b);
              if (Math.abs(data[at + 1]! - green[Math.floor(all.length / 2)]!) < 40) continue;
              const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
              found.pixels += 1;
              if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) found.atEdge += 1;
            }
            return found;
          });
        });
      const drawn = await waitFor('the pictures of the styles', async () => {
        const found = await letters();
        return found.every(({ isDrawn, pixels }) => isDrawn && pixels > 50) && found;
      });
      assert.deepEqual(
        drawn.map(({ atEdge }) => atEdge),
        drawn.map(() => 0),
      );
      assert.equal(new Set(drawn.map(({ picture }) => picture)).size, count);
      assert.equal(await workers(), 2);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });

  it('costs at most 1.3 MB the first time', async () => {
    const clip = await makeClip();
    const { page, close } = await openPage(browser);
    try {
      let bytes = 0;
      const session = await page.createCDPSession();
      await session.send('Network.enable');
      const names = new Map<string, string>();
      session.on('Network.responseReceived', ({ requestId, response }) =>
        names.set(requestId, response.url),
      );
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (/\/assets\/|\/fonts|\/edit$/.test(names.get(requestId) ?? ''))
          bytes += encodedDataLength;
      });
      await open(page, clip);
      assert.ok(bytes > 100_000 && bytes < 1_300_000, `${bytes} bytes`);
    } finally {
      await close();
    }
  });
});
