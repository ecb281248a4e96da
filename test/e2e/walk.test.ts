/**
 * The main task, as a person does it: the real site, host, service and engine, in a real browser,
 * with real video. The steps build on each other, in the order in which a person would do them.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import type { AxeResults } from 'axe-core';
import type { ClipCreateStartEvent } from 'clip-kit/clip-create';
import type {} from 'clip-kit/clip-list';
import { ServiceClient } from 'clip-kit/client';
import type { EditDocument, Export, Project, Task } from 'clip-kit/contract';
import { openDatabase } from '../../packages/service/src/db/open.ts';
import type { Edit } from '../../packages/engine/src/edit.ts';
import { frameOf, framesAdvance, newPage, playUntilFramesAdvance } from 'clip-testkit/browser';
import { makeVideo } from 'clip-testkit/footage';
import { openDemoWorld, type DemoWorld, type Visitor } from '../support/demo-world.ts';
import { inLongRun, longRun } from 'clip-testkit/long-run';
import { boxNames, meanColour, probe } from '../support/mp4.ts';
import { waitInPage } from '../support/page-progress.ts';
import { type Served, serve } from 'clip-testkit/serve';

const run = promisify(execFile);

/** A magenta square of 200 pixels: a colour that is nowhere in the sample. */
const markSize = 200;

let world: DemoWorld;
let ada: Visitor;
let ben: Visitor;
let marks: Served;
let markUrl: string;
const exported: { file: string; projectId: string }[] = [];

/** Sends a request to the host as the person of this page, from within the page. */
const ask = <T>(page: Page, path: string, body?: unknown): Promise<{ status: number; body: T }> =>
  page.evaluate(
    async (url, sent) => {
      const { session } = await (await fetch('/clip-session')).json();
      const headers = { Authorization: `Bearer ${session}` };
      const response = await fetch(
        url,
        sent === undefined
          ? { headers }
          : {
              method: 'POST',
              headers: { ...headers, 'Content-Type': 'application/json' },
              body: JSON.stringify(sent),
            },
      );
      return { status: response.status, body: await response.json() };
    },
    `${world.demo.service.url}/host${path}`,
    body,
  );

const videos = async (page: Page): Promise<Task[]> => (await ask<Task[]>(page, '/tasks')).body;

/** The first frame of the page with a URL that starts like this, once it exists. */
const frameAt = (page: Page, prefix: string): Promise<Frame> =>
  page.waitForFrame((frame) => frame.url().startsWith(prefix));

/**
 * Waits until the first export button of the page is in a state, then returns its Export Object.
 */
/** The token that an embed page has removed from its URL. */
const tokenOf = async (frame: Frame): Promise<string> =>
  (await frame.waitForFunction(() => history.state?.token as string)).jsonValue();

const firstButton = async (
  page: Page,
): Promise<ElementHandle<HTMLElementTagNameMap['clip-export-button']>> =>
  (await page.waitForSelector('clip-list >>> clip-export-button')) as ElementHandle<
    HTMLElementTagNameMap['clip-export-button']
  >;

async function exportIn(page: Page, state: string): Promise<Export> {
  await waitInPage(
    page,
    `the export is ${state}`,
    (wanted) =>
      document.querySelector('clip-list')?.shadowRoot?.querySelector('clip-export-button')
        ?.status === wanted,
    state,
  );
  const button = await firstButton(page);
  return (await button.evaluate((one) => one.export)) as Export;
}

/** The studio opens a clip in the editor; below it is the player. The button is hidden there. */
async function closeEditor(frame: Frame): Promise<void> {
  const done = (await frame.waitForSelector('clip-editor >>> .done'))!;
  await done.evaluate((button) => (button as HTMLElement).click());
  await frame.waitForFunction(() => !document.querySelector('clip-editor'));
}

const wholeList = (page: Page): Promise<true> =>
  waitInPage(page, 'the whole list', () => document.querySelector('clip-list')?.status === 'ready');

/** Clicks the button inside the first export button, as a person would. */
async function clickExport(page: Page): Promise<void> {
  // Until then what is in the list may move: its progress goes, and other clips come before.
  await wholeList(page);
  await page.locator('clip-list >>> clip-export-button >>> button').click();
}

async function download(page: Page, name: string): Promise<string> {
  const granted = page.waitForResponse(
    (response) => response.url().endsWith('/download') && response.request().method() === 'POST',
  );
  await page.locator('clip-list >>> clip-export-button >>> .download').click();
  const { url } = (await (await granted).json()) as { url: string };
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('Content-Type'), 'video/mp4');
  const file = join(world.dataDir, name);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

/**
 * Starts the demo as `npm start` does, in a separate process; resolves with its URL once it prints
 * it.
 */
async function startDemoProcess(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['demo/server/main.ts'], {
    env: { ...process.env, PORT: '0', SERVICE_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  // The program goes on to print: its output stays open.
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(piece);
    const url = /Open\s+(\S+)/.exec(said)?.[1];
    if (url) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error(`The demo did not start: ${said}`);
}

/**
 * The ids of the processes with a command line or working directory within the directory (Linux).
 */
async function processesOf(directory: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const inside = async (id: string): Promise<boolean> => {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${id}/cwd`).catch(() => '');
    return command.includes(directory) || cwd.startsWith(directory);
  };
  const found = await Promise.all(ids.map(inside));
  return ids.filter((_id, index) => found[index]);
}

before(async () => {
  world = await openDemoWorld();
  const mark = join(world.dataDir, 'mark.png');
  // prettier-ignore
  await run('ffmpeg', [
    '-v', 'error', '-f', 'lavfi', '-i', `color=0xff00ff:s=${markSize}x${markSize}`,
    '-frames:v', '1', mark,
  ]);
  const picture = await readFile(mark);
  marks = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture);
  });
  markUrl = `${marks.origin}/mark.png`;
  [ada, ben] = await Promise.all([world.visit('Ada Moreno'), world.visit('Ben Okafor')]);
});

after(async () => {
  await marks.close();
  await world.remove();
});

describe('from a long video to a downloaded clip', { concurrency: false }, () => {
  test('a person without videos is welcomed', async () => {
    const { page } = ada;
    await page.waitForSelector('.studio .empty ::-p-text(Your first clips are a minute away)');
  });

  test('the sample becomes shorts, with the progress shown on the way', async () => {
    const { page } = ada;
    if (!longRun) {
      await page.$eval('clip-create', (create) => {
        Object.assign(create, { count: 2, length: 5 });
        const shorten = ({ body }: ClipCreateStartEvent) => {
          body.source_range = { start: 0, end: 30 };
        };
        create.addEventListener('clip-create-start', shorten, { once: true });
      });
    }
    await page.locator('.give .link').click();
    await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
    await page.waitForSelector('clip-videos >>> [part=progress]');
    await page.waitForSelector('clip-list >>> [part=item]');
    await waitInPage(page, 'the end of the progress', () => {
      const videos = document.querySelector('clip-videos')!;
      return !videos.shadowRoot!.querySelector('[part=progress]');
    });
    const [entry] = await videos(page);
    const listed = await ask<Project[]>(page, `/projects?folder_id=${entry?.output_id}`);
    assert.ok(listed.body.length >= (longRun ? 3 : 2), 'several shorts');
    await wholeList(page);
    const shown = await page.$eval('clip-list', (list) =>
      [...list.shadowRoot!.querySelectorAll('[part=item]')].map((item) => ({
        name: item.querySelector('[part=title]')?.textContent,
        score: Number(item.querySelector('[part=score]')?.textContent) / 100,
        explanation: item.querySelector('[part=reason]')?.textContent,
      })),
    );
    assert.deepEqual(
      shown,
      listed.body.map(({ name, virality_score, virality_score_explanation }) => ({
        name,
        score: Math.round((virality_score ?? 0) * 100) / 100,
        explanation: virality_score_explanation,
      })),
    );
    const scores = shown.map(({ score }) => score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
      'best first',
    );
  });

  test('one click on a preview plays: its frames advance, and the element says so', async () => {
    const { page } = ada;
    const play = await page.waitForSelector('clip-list >>> clip-preview >>> button');
    await play?.click();
    await framesAdvance(await frameAt(page, `${world.demo.service.url}/player/`));
    await waitInPage(page, 'the element plays', () => {
      const list = document.querySelector('clip-list')!.shadowRoot!;
      const playing = [...list.querySelectorAll('clip-preview')].find(({ paused }) => !paused);
      return !!playing && playing.currentTime > 0.3 && playing.duration > 1;
    });
  });

  test('a clip opens with a token that is in no URL once the page has read it', async () => {
    const { page } = ada;
    await page.locator('.act .button').click();
    const frame = await frameAt(page, `${world.demo.service.url}/embed/`);
    const wide = page.viewport();
    await page.setViewport({ width: 390, height: 693 });
    // One header: that of the dialog.
    await page.waitForSelector('dialog header', { visible: true });
    await frame.waitForSelector('clip-editor >>> .undo', { visible: true });
    await frame.waitForSelector('clip-editor >>> .done', { hidden: true });
    await closeEditor(frame);
    await page.setViewport(wide);
    await playUntilFramesAdvance(frame);
    const token = await tokenOf(frame);
    assert.equal(token.split('.').length, 3);
    assert.equal(new URL(frame.url()).hash, '');
    assert.ok(!(await page.content()).includes(token));
    await page.locator('dialog button.icon').click();
    await page.waitForFunction(() => !document.querySelector('clip-embed'));
  });

  test('the other user sees nothing of it', async () => {
    const [entry] = await videos(ada.page);
    assert.deepEqual(await videos(ben.page), []);
    const folder = await ask<unknown>(ben.page, `/projects?folder_id=${entry?.output_id}`);
    assert.equal(folder.status, 404);
    const task = await ask<unknown>(ben.page, `/tasks/${entry?.id}`);
    assert.equal(task.status, 404);
    // The browser logs the two answers as errors of the page; they are expected.
    ben.problems.length = 0;
  });

  test('one click exports with the watermark, shows its progress and offers the file', async () => {
    const { page } = ada;
    await (
      await firstButton(page)
    ).evaluate((button, src_url) => {
      button.watermark = { src_url, pos_x: 1, pos_y: 0 };
      const seen: number[] = [];
      Object.assign(window, { seen });
      button.addEventListener('clip-export-progress', () => seen.push(button.progress ?? -1));
    }, markUrl);
    await clickExport(page);
    await exportIn(page, 'processing');
    const ready = await exportIn(page, 'ready');
    assert.equal(ready.watermarked, true);
    const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
    assert.ok(seen.length > 0 && seen.every((share) => share < 1), `progress: ${seen}`);
    exported.push({ file: await download(page, 'short.mp4'), projectId: ready.project_id });
  });

  test('the decoded file shows the watermark at its position', async () => {
    const { file } = exported[0]!;
    const inside = await meanColour(file, 2, {
      x: 1080 - markSize + 10,
      y: 10,
      width: markSize - 20,
      height: markSize - 20,
    });
    assert.ok(inside.red > 235 && inside.green < 25 && inside.blue > 235, JSON.stringify(inside));
    const beside = await meanColour(file, 2, {
      x: 1080 - markSize - 30,
      y: 10,
      width: 20,
      height: 180,
    });
    // Whatever the clip shows there, it is far from magenta.
    const { red, green, blue } = beside;
    assert.ok(Math.max(255 - red, green, 255 - blue) > 60, JSON.stringify(beside));
  });

  test('a reload finds the export again without a start', async () => {
    const { page } = ada;
    const before = await ask<Export[]>(page, '/exports');
    await page.reload();
    await (
      await firstButton(page)
    ).evaluate((button, src_url) => {
      button.watermark = { src_url, pos_x: 1, pos_y: 0 };
    }, markUrl);
    const again = await exportIn(page, 'ready');
    assert.equal(again.id, before.body[0]?.id);
    const now = await ask<Export[]>(page, '/exports');
    assert.equal(now.body.length, before.body.length);
  });
});

describe('one edited video, without a folder', { concurrency: false }, () => {
  test('a file from disk is sent, edited, exported and downloaded', async () => {
    const { page } = ben;
    const source = join(world.dataDir, 'holiday.mp4');
    await makeVideo(source, { seconds: 2 });
    await page.$eval('clip-create', (create) => Object.assign(create, { kind: 'video' }));
    const input = (await page.waitForSelector('clip-create >>> input[type=file]')) as unknown as {
      uploadFile(path: string): Promise<void>;
    };
    await input.uploadFile(source);
    await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
    await page.waitForSelector('clip-list[project] >>> [part=item]');
    const [entry] = await videos(page);
    const project = await ask<Project>(page, `/projects/${entry?.output_id}`);
    assert.equal(project.body.folder_id, null);
    assert.equal(project.body.virality_score, null);
    assert.equal(project.body.virality_score_explanation, null);
    assert.equal(project.body.name, 'holiday');
    await clickExport(page);
    const ready = await exportIn(page, 'ready');
    assert.equal(ready.folder_id, null);
    assert.equal(ready.project_id, project.body.id);
    const listed = await ask<Export[]>(page, `/exports?project_id=${project.body.id}`);
    assert.deepEqual(
      listed.body.map(({ id, folder_id }) => ({ id, folder_id })),
      [{ id: ready.id, folder_id: null }],
    );
    exported.push({ file: await download(page, 'edited.mp4'), projectId: project.body.id });
  });

  test(
    'a source that is no video is refused in words, and nothing is left of it',
    inLongRun,
    async () => {
      const { page } = ben;
      const before = await videos(page);
      const svg = `${world.demo.url.replace('localhost', '127.0.0.1')}/favicon.svg`;
      await page.locator('clip-create >>> .link').fill(svg);
      await page.locator('clip-create >>> .add').click();
      await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
      const fault = await page.waitForSelector('clip-create >>> [part=error]');
      assert.match(
        (await fault?.evaluate((one) => one.textContent)) ?? '',
        /The file is neither a video nor sound/,
      );
      assert.deepEqual(await videos(page), before);
      // The browser logs the refusal itself as an error of the page.
      ben.problems.length = 0;
    },
  );
});

describe('clips about topics, of a part of a video', { concurrency: false }, () => {
  /** The seconds of the source that each clip shows, and the topic that it is about. */
  const clipsOf = async (page: Page, task: Task | undefined) => {
    const { body } = await ask<Project[]>(page, `/projects?folder_id=${task?.output_id}`);
    return Promise.all(
      body.map(async ({ id, topic }) => {
        const { body: edit } = await ask<EditDocument>(
          page,
          `/projects/${id}/edit?folder_id=${task?.output_id}`,
        );
        const ranges = edit.ranges.toSorted((one, other) => one.start - other.start);
        return { topic, start: ranges[0]!.start, end: ranges.at(-1)!.end };
      }),
    );
  };

  test('are found there alone, and further ones are found after that', inLongRun, async () => {
    const { page } = ben;
    await page.$eval('clip-create', (create) => Object.assign(create, { kind: 'shorts' }));
    await page.locator('.give .link').click();
    const enter = async (name: string, text: string) => {
      const field = page.locator(`clip-create >>> .${name}`);
      await field.fill(text);
      await page.keyboard.press('Tab');
    };
    await page.locator('clip-create >>> [part=options] summary').click();
    await enter('topics', 'bees, sleep');
    await page.locator('clip-create >>> .open-range').click();
    await enter('range-start', '0:10');
    await enter('range-end', '1:20');
    await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
    await page.waitForSelector('clip-videos >>> [part=progress]');
    await page.waitForSelector('clip-list[folder] >>> [part=item]');
    await wholeList(page);
    const [first] = await videos(page);
    const clips = await clipsOf(page, first);
    assert.ok(clips.length > 0);
    for (const { topic, start, end } of clips) {
      assert.ok(topic === 'bees' || topic === 'sleep', `${topic}`);
      assert.ok(start >= 9.9 && end <= 80.1, `${start} to ${end} s`);
    }

    await page.locator('clip-videos >>> .find-more').click();
    await page.locator('clip-videos >>> .further form button').click();
    await waitInPage(
      page,
      'the further clips',
      (known) => {
        const list = document.querySelector('clip-list')!;
        return list.folder !== known && list.status === 'ready';
      },
      first!.output_id!,
    );
    await wholeList(page);
    const [second] = await videos(page);
    const further = await clipsOf(page, second);
    assert.ok(further.length > 0);
    for (const one of further) {
      assert.ok(
        clips.every(({ start, end }) => one.end <= start + 0.1 || one.start >= end - 0.1),
        `${one.start} to ${one.end} s is new`,
      );
    }
  });
});

describe('the sample', { concurrency: false }, () => {
  test('gives the editor music and bumpers, once', inLongRun, async () => {
    const { demo } = world;
    await demo.addSampleMedia();
    await demo.addSampleMedia();
    const apiKey = (await readFile(join(world.dataDir, 'site/api-key'), 'utf8')).trim();
    const client = new ServiceClient({ baseUrl: `${demo.service.url}/v2`, apiKey });
    assert.deepEqual(
      (await client.listBumpers()).map(({ name }) => name),
      ['Cutroom', 'Watch it all'],
    );
    assert.equal((await client.listMusic()).length, 1);
  });

  test(
    'a page of its own on another port shows one with the HTML that `npm start` prints',
    inLongRun,
    async () => {
      const html = `<!doctype html><title>My page</title>${await world.demo.ownPage()}`;
      const { origin, close } = await serve((_, response) => {
        response.setHeader('Content-Type', 'text/html').end(html);
      });
      try {
        const page = await newPage(world.browser.defaultBrowserContext());
        await page.goto(origin);
        await (await page.waitForSelector('clip-preview >>> [part="play"]'))!.click();
        await page.waitForFunction(() => document.querySelector('clip-preview')!.currentTime > 0);
        await page.close();
      } finally {
        await close();
      }
    },
  );

  test('the page for a look shows one in it, and follows each change', inLongRun, async () => {
    const page = await newPage(world.browser.defaultBrowserContext());
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${world.demo.url}/elements/your-look/`);
    const element = await page.waitForSelector('clip-preview:state(ready) >>> iframe');
    const frame = await frameOf(element as ElementHandle<HTMLIFrameElement>);
    const accent = (colour: string) =>
      frame.waitForFunction(
        (wanted) => {
          const box = document.createElement('i');
          box.style.color = 'var(--accent)';
          document.body.append(box);
          const { color } = getComputedStyle(box);
          box.remove();
          return color === wanted;
        },
        {},
        colour,
      );
    await accent('rgb(31, 122, 77)');
    await page.locator('.your-look ::-p-text(News desk)').click();
    await accent('rgb(255, 208, 40)');
    await page.$eval('.your-look input[name=accent]', (input) => {
      (input as HTMLInputElement).value = '#66ccff';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    assert.match(
      await page.$eval('.your-look pre', ({ textContent }) => textContent ?? ''),
      /--clip-accent: #66ccff;/,
    );
    await accent('rgb(102, 204, 255)');
    await page.waitForSelector('.your-look .note a[href="/"]');
    await page.close();
  });

  test('axe finds nothing in the pages, light and dark, wide and narrow', inLongRun, async () => {
    const page = await newPage(ada.page.browserContext());
    // Evaluated by the debugger: the page's policy allows no foreign scripts.
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
    for (const path of ['/', '/elements/clip-list/', '/elements/your-look/']) {
      for (const [width, value] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewport({ width, height: 844 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await page.goto(world.demo.url + path);
        await page.waitForSelector('h1, h2');
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        );
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]));
        assert.deepEqual(found, [], `${path} ${width} ${value}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${path}: ${wide} of ${width} pixels`);
      }
    }
    await page.close();
  });
});

describe('the pages of the elements', { concurrency: false }, () => {
  for (const tag of [
    'clip-config',
    'clip-embed',
    'clip-list',
    'clip-preview',
    'clip-export-button',
  ]) {
    test(`<${tag}> is shown in each state that its page names`, inLongRun, async () => {
      const page = await newPage(ada.page.browserContext());
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(`${world.demo.url}/elements/${tag}/`);
      await page.waitForSelector('.state');
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLElement>('.state')].every((card) => {
          const element = card.querySelector<HTMLElement & { status?: string }>(
            'clip-embed, clip-list, clip-preview, clip-export-button',
          );
          return card.dataset['state'] === 'settings' || element?.status === card.dataset['state'];
        }),
      );
      const markup = await page.$$eval('.state', (cards) =>
        cards.map((card) => [
          card.querySelector('pre')?.textContent ?? '',
          card.querySelector(
            '.stage clip-config, .stage clip-embed, .stage clip-list, .stage clip-preview, .stage clip-export-button',
          )?.localName ?? 'nothing',
        ]),
      );
      for (const [text = '', name] of markup) assert.ok(text.startsWith(`<${name}`), text);
      await page.close();
    });
  }
});

describe('the playground', { concurrency: false }, () => {
  test(
    'has its state in the address, changes the living element, and shows events and code',
    inLongRun,
    async () => {
      const page = await newPage(ada.page.browserContext());
      await page.setViewport({ width: 1280, height: 900 });
      const at = `${world.demo.url}/elements/playground/`;
      await page.goto(`${at}?element=clip-preview&label=Mine&player-url=https://evil.example`);
      const preview = await page.waitForSelector('.stage clip-preview');
      const attribute = (name: string) =>
        preview!.evaluate((one, of) => one.getAttribute(of), name);
      assert.equal(await attribute('label'), 'Mine');
      // A link cannot choose where calls go.
      assert.equal(await attribute('player-url'), world.demo.service.url);
      await page.select('select[name=loading]', 'eager');
      assert.equal(await attribute('loading'), 'eager');
      await waitInPage(page, 'the event', () =>
        /clip-preview-ready/.test(document.querySelector('.log')?.textContent ?? ''),
      );
      assert.equal(new URL(page.url()).search, '?element=clip-preview&label=Mine&loading=eager');
      await page.locator('.code ::-p-text(Svelte)').click();
      const code = await page.$eval('.code pre', (pre) => pre.textContent);
      assert.match(code, /onclip-preview-activate=\{/);
      assert.match(code, /label="Mine"/);
      await page.reload();
      await page.waitForSelector('.stage clip-preview[loading=eager][label=Mine]');
      await page.locator('.chips ::-p-text(clip-list)').click();
      await page.waitForSelector('.stage clip-list >>> [part=item]');
      assert.equal(new URL(page.url()).search, '?element=clip-list');
      await page.close();
    },
  );
});

describe('afterwards', { concurrency: false }, () => {
  test('no page had an error', () => {
    assert.deepEqual(ada.problems, []);
    assert.deepEqual(ben.problems, []);
  });

  test('each file is what its edit says: size, codecs, length within a frame, index at the front', async () => {
    await world.close();
    const database = await openDatabase({ dataDir: join(world.dataDir, 'service') });
    try {
      assert.equal(exported.length, 2);
      for (const { file, projectId } of exported) {
        const row = await database.db
          .selectFrom('projects')
          .select('edit')
          .where('id', '=', projectId)
          .executeTakeFirstOrThrow();
        const edit = row.edit as unknown as Edit;
        const streams = await probe(file);
        const video = streams.find(({ codec_type }) => codec_type === 'video');
        const audio = streams.find(({ codec_type }) => codec_type === 'audio');
        assert.deepEqual(
          [streams.length, video?.codec_name, video?.width, video?.height, audio?.codec_name],
          [2, 'h264', 1080, 1920, 'aac'],
        );
        const frame = 1 / edit.frameRate;
        assert.ok(
          Math.abs(Number(video?.duration) - edit.duration) <= frame,
          `${video?.duration} s for ${edit.duration} s`,
        );
        const boxes = boxNames(await readFile(file));
        assert.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'), boxes.join(' '));
      }
    } finally {
      await database.close();
    }
  });

  test(
    'a second start finds the data of the first; Ctrl-C in the middle of work ends every process',
    inLongRun,
    async () => {
      const { child, url } = await startDemoProcess(world.dataDir);
      const logIn = await fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify({ person: 'ada' }),
      });
      const headers = {
        Cookie: logIn.headers.get('Set-Cookie')?.split(';')[0] ?? '',
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
      };
      const { session } = (await (await fetch(`${url}/clip-session`, { headers })).json()) as {
        session: string;
      };
      const { endpoint } = (await (await fetch(`${url}/api/session`)).json()) as {
        endpoint: string;
      };
      const shown = await (await fetch(`${url}/sample-clips`)).json();
      assert.ok((await world.demo.ownPage()).includes(shown[0].id), 'the sample’s clips are kept');
      const authorized = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
      const get = async <T>(path: string): Promise<T> =>
        (await (await fetch(endpoint + path, { headers: authorized })).json()) as T;
      const [entry] = await get<Task[]>('/tasks');
      const clips = await get<Project[]>(`/projects?folder_id=${entry?.output_id}`);
      assert.ok(clips.length >= 3);
      const exports = await get<Export[]>('/exports');
      assert.equal(exports.filter(({ status }) => status === 'ready').length, 1);

      const another = await fetch(`${endpoint}/exports`, {
        method: 'POST',
        headers: { ...authorized, 'Idempotency-Key': 'a-start-before-the-end' },
        body: JSON.stringify({ project_id: clips[1]?.id, folder_id: entry?.output_id }),
      });
      assert.equal(another.status, 201);
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      assert.equal(code, 0);
      assert.deepEqual(await processesOf(world.dataDir), []);
    },
  );
});
