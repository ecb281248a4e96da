/**
 * Combines frames of the gallery's sources and clips into the README's picture,
 * `docs/images/gallery.webp`. The demo's own service makes the clips, as for the gallery page.
 * `DATA_DIR` reuses the data of an existing demo; by default everything is made again and removed,
 * which takes about four minutes of a processor.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import puppeteer, { type Browser } from 'puppeteer-core';
import { startDemo, type RunningDemo } from '../demo/server/demo.ts';
import type { EntryAnswer } from '../demo/server/gallery/gallery-routes.ts';
import { browserPath } from '../test/support/browser-path.mjs';
import { sheetPage, sheetWidth, type SheetTile } from './contact-sheet-page.ts';

const execute = promisify(execFile);

/**
 * An instant of the source and one of a clip, in seconds; `clip` counts the exports from 0. `id` is
 * another entry than the tile's.
 */
interface Pair {
  id?: string;
  source: number;
  at: number;
  clip?: number;
}

const tiles: readonly { id: string; title: string; line: string; pairs: readonly [Pair, Pair] }[] =
  [
    {
      ...{ id: 'walk', title: 'The subject kept in the frame' },
      line: 'Still while she stands, even while she walks.',
      pairs: [
        { source: 1.25, at: 1.25 },
        { source: 4.3, at: 4.3 },
      ],
    },
    {
      ...{ id: 'talk', title: 'Two people, cut by cut' },
      line: 'One above the other, or the one in the shot.',
      pairs: [
        { source: 1.6, at: 1.6 },
        { source: 8.6, at: 8.6 },
      ],
    },
    {
      ...{ id: 'lesson', title: 'Slides and small faces' },
      line: 'No line of text is cut; a face far away is found.',
      pairs: [
        { source: 3, at: 3 },
        { id: 'hall', source: 4, at: 4 },
      ],
    },
    {
      ...{ id: 'joke', title: 'The audience decides' },
      line: 'From the first word to the end of the applause.',
      pairs: [
        { source: 11, at: 3.2 },
        { source: 20.2, at: 12.4 },
      ],
    },
    {
      ...{ id: 'dusk', title: 'Whatever a camera made' },
      line: 'High dynamic range; old tapes with combed edges.',
      pairs: [
        { source: 2, at: 2 },
        { id: 'archive', source: 3, at: 3 },
      ],
    },
    {
      ...{ id: 'coffee', title: 'Any script, either direction' },
      line: 'Each word marked as it is said.',
      pairs: [
        { source: 1.2, at: 1.2 },
        { source: 8.4, at: 8.4 },
      ],
    },
    {
      ...{ id: 'styles', title: 'Ten styles, or your own' },
      line: 'The same clip in two of them.',
      pairs: [
        { source: 1.1, at: 1.1, clip: 0 },
        { source: 1.9, at: 1.9, clip: 2 },
      ],
    },
    {
      ...{ id: 'moment', title: 'The best moment of two minutes' },
      line: 'Chosen without a language model, with its reasons.',
      pairs: [
        { source: 16, at: 1.2 },
        { source: 66, at: 9.5 },
      ],
    },
  ];

async function frame(video: string, time: number, height: number): Promise<string> {
  const { stdout } = await execute(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', '-nostdin', '-ss', String(time), '-i', video, '-frames:v', '1',
      '-vf', `scale=-2:${height}:flags=lanczos`, '-c:v', 'png', '-f', 'image2pipe', 'pipe:1',
    ],
    { encoding: 'buffer', maxBuffer: 1 << 26 },
  );
  return `data:image/png;base64,${stdout.toString('base64')}`;
}

/** Makes all entries and waits for them. */
async function gallery(demo: RunningDemo): Promise<EntryAnswer[]> {
  await fetch(`${demo.url}/api/gallery`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  for (let said = ''; ;) {
    const entries = (await (await fetch(`${demo.url}/api/gallery`)).json()) as EntryAnswer[];
    const failed = entries.find(({ state }) => state.status === 'error');
    if (failed) throw new Error(`${failed.id}: ${JSON.stringify(failed.state)}`);
    const open = entries.find(({ state }) => state.status !== 'ready');
    if (!open) return entries;
    if (open.id !== said) console.log(`Making ${open.id} ...`);
    said = open.id;
    await sleep(500);
  }
}

async function framesOf(
  tile: (typeof tiles)[number],
  entries: readonly EntryAnswer[],
  demo: RunningDemo,
): Promise<SheetTile> {
  const entryOf = (wanted: string) => {
    const entry = entries.find(({ id }) => id === wanted);
    if (!entry) throw new Error(`The gallery has no entry ${wanted}.`);
    return entry;
  };
  const pairs = await Promise.all(
    tile.pairs.map(async ({ id = tile.id, source, at, clip = 0 }) => {
      const entry = entryOf(id);
      return {
        source: await frame(new URL(entry.source.url, demo.url).href, source, 362),
        clip: await frame(entry.clips[clip]?.url ?? '', at, 740),
      };
    }),
  );
  const score = entryOf(tile.id).made?.score ?? null;
  return { title: tile.title, line: tile.line, score, pairs };
}

const directory = fileURLToPath(new URL('../docs/images', import.meta.url));
const kept = process.env['DATA_DIR'];
const dataDir = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'clip-contact-sheet-'));
let demo: RunningDemo | undefined;
let browser: Browser | undefined;
try {
  demo = await startDemo({ port: 0, servicePort: 0, dataDir, say: (line) => console.log(line) });
  const entries = await gallery(demo);
  const drawn: SheetTile[] = [];
  for (const tile of tiles) drawn.push(await framesOf(tile, entries, demo));
  browser = await puppeteer.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--hide-scrollbars'],
  });
  const page = await browser.newPage();
  await page.setViewport({ width: sheetWidth, height: 900 });
  await page.setContent(sheetPage(drawn), { waitUntil: 'load' });
  await page.evaluate(() => document.fonts.ready);
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'gallery.webp');
  await page.screenshot({ path, type: 'webp', quality: 86, fullPage: true });
  console.log(`docs/images/gallery.webp: ${Math.round((await stat(path)).size / 1000)} kB`);
} finally {
  await browser?.close();
  await demo?.close();
  if (!kept) await rm(dataDir, { recursive: true, force: true });
}
