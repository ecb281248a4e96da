/**
 * How close the editor's live drawing is to an export: `node research/bench/live.ts` (after a
 * build). For twelve edits it compares the page's frame with ffmpeg's own at five moments, from a
 * proxy against from the source. Prints tables. Takes some minutes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAssDocument } from '../../packages/engine/src/captions/ass.ts';
import { captionFonts } from '../../packages/engine/src/captions/caption-fonts.ts';
import { replaceCaptionWords } from '../../packages/engine/src/captions/caption-lines.ts';
import type { Edit } from '../../packages/engine/src/edit.ts';
import { listDrawnParts, type DrawnPart } from '../../packages/engine/src/framing/drawn-parts.ts';
import { frameRanges } from '../../packages/engine/src/render/cut-graph.ts';
import { filterGraph, prepareEmojis } from '../../packages/engine/src/render/filter-graph.ts';
import { renderProxy } from '../../packages/engine/src/render/proxy.ts';
import { openSource } from '../../packages/engine/src/source/open-source.ts';
import type { LiveOptions } from '../../packages/player/src/editor/live.ts';
import { launchBrowser } from '../../packages/service/test/support/browser.ts';
import { LivePage } from '../../packages/player/test/support/live-page.ts';
import { makeEdits, makeSources, source } from './live-edits.ts';
import { compared, markPlaces } from './live-pixels.ts';
import { ffmpegSeconds } from './measured-run.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const { signal } = new AbortController();
const moments = [7, 37, 61, 84, 113];
/** The segment of the sources that the proxies cover. */
const segment = { start: 0.5, end: 8 };

/** Bytes of an edit's fonts as they are served. */
const fontBytes = async (edit: Edit): Promise<number> =>
  (await captionFonts(edit, signal)).files.reduce((sum, { length }) => sum + length, 0);

const pad = (index: number): string => String(index + 1).padStart(2, '0');

/** ffmpeg's own frames of an edit, by the filter graph of a render, without an encode. */
async function drawFrames(edit: Edit, video: string, directory: string): Promise<string[]> {
  const size = edit.dimensions;
  const opened = await openSource(video, {
    from: edit.ranges[0]!.start,
    picture: edit.source,
    signal,
  });
  const { images, overlays } = await prepareEmojis(edit, size, { directory, firstInput: 1 });
  const captions = edit.captions.length > 0 || edit.title !== null;
  await writeFile(join(directory, 'c.ass'), writeAssDocument(edit));
  const wanted = moments.map((frame) => `eq(n,${frame})`).join('+');
  const graph = [
    filterGraph(edit, opened, size, { captions, overlays }),
    `[v]select='${wanted}',scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=accurate_rnd+full_chroma_int+bicubic,format=rgb24[frames]`,
    '[a]anullsink',
  ].join(';');
  await ffmpegSeconds(
    [
      ...opened.input,
      ...images.flatMap((path) => ['-i', path]),
      ...['-filter_complex', graph, '-map', '[frames]', '-fps_mode', 'passthrough'],
      ...['-y', 'frame-%02d.png'],
    ],
    directory,
  );
  return moments.map((_, index) => join(directory, `frame-${pad(index)}.png`));
}

const percent = (share: number): string => (100 * share).toFixed(2);

type PlayedProxy = LiveOptions['proxy'];

/** The worst of an edit's moments. */
interface Worst {
  /** Share of the pixels that differ, with text over one colour. */
  plain: number;
  /** The same, of the pixels that are text. */
  text: number;
  /** The same, on the ground of a whole picture. */
  ground: number;
  /** The same, with pictures that move. */
  picture: number;
  /** Distance of the marks, in pixels of the output, and how many there were. */
  place: number;
  marks: number;
}

/** Compares where the marks of each part are. */
async function comparePlaces(
  page: LivePage,
  parts: readonly DrawnPart[],
  url: string,
  worst: Worst,
): Promise<void> {
  for (const { to } of parts) {
    const theirs = await markPlaces(page.page, to, url);
    const ours = await markPlaces(page.page, to, null);
    for (const axis of ['across', 'down'] as const) {
      if (ours[axis].length !== theirs[axis].length) worst.place = Infinity;
      for (const [at, place] of theirs[axis].entries()) {
        worst.marks++;
        worst.place = Math.max(worst.place, Math.abs(place - (ours[axis][at] ?? Infinity)));
      }
    }
  }
}

/** Compares an edit on one source: text on the plain one, pictures without text on the marked. */
async function compareOn(
  page: LivePage,
  { edit, source: video, proxy }: { edit: Edit; source: string; proxy: PlayedProxy },
  isMarked: boolean,
  worst: Worst,
): Promise<void> {
  const frames = await drawFrames(edit, video, directory);
  await page.draw(edit, proxy);
  for (const [index, frame] of moments.entries()) {
    const url = await page.serve('frame.png', frames[index]!);
    await page.page.evaluate((frame) => window.live.seek(frame), frame);
    const parts = listDrawnParts(edit, edit.dimensions, frame).filter(({ ground }) => !ground);
    const pictures = parts.map(({ to }) => to);
    const { all, outside, text } = await compared(page.page, url, pictures);
    if (isMarked) {
      worst.ground = Math.max(worst.ground, outside);
      worst.picture = Math.max(worst.picture, all);
      await comparePlaces(page, parts, url, worst);
    } else {
      worst.plain = Math.max(worst.plain, all);
      worst.text = Math.max(worst.text, text);
    }
  }
}

/** Milliseconds from a changed word to its picture on the canvas. */
async function changeTimes(page: LivePage, edit: Edit, proxy: PlayedProxy): Promise<number[]> {
  await page.draw(edit, proxy, phone);
  await page.page.evaluate(() => window.live.seek(61));
  const words = edit.captions.flatMap((line) => line.words);
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const changed = replaceCaptionWords(
      edit,
      words.map((word) => ({ ...word, text: `${word.text}${round}` })),
    );
    times.push(
      await page.page.evaluate(async (changed) => {
        const began = performance.now();
        await window.live.change(changed);
        return performance.now() - began;
      }, changed),
    );
  }
  return times;
}

/** Milliseconds between two pictures around each cut, and elsewhere, while the edit plays. */
async function playTimes(
  page: LivePage,
  edit: Edit,
  proxy: PlayedProxy,
): Promise<{ cuts: number[]; others: number[] }> {
  await page.draw(edit, proxy, phone);
  const drawn = await page.page.evaluate(async () => {
    await window.live.seek(0);
    window.drawn = [];
    await window.live.play();
    await new Promise<void>((resolve) => {
      const poll = (): void => (window.live.isPlaying ? void setTimeout(poll, 50) : resolve());
      poll();
    });
    return window.drawn;
  });
  const first = new Map<number, number>();
  for (const { frame, at } of drawn) if (!first.has(frame)) first.set(frame, at);
  const frames = [...first.keys()].toSorted((a, b) => a - b);
  const begins = new Set(
    frameRanges(edit).map((_, index) =>
      frameRanges(edit)
        .slice(0, index)
        .reduce((sum, { from, to }) => sum + to - from, 0),
    ),
  );
  const times = { cuts: [] as number[], others: [] as number[] };
  for (const [index, frame] of frames.entries()) {
    const before = frames[index - 1];
    if (before === undefined) continue;
    const gap = first.get(frame)! - first.get(before)!;
    const isCut = [...begins].some((begin) => begin > before && begin <= frame);
    times[isCut ? 'cuts' : 'others'].push(gap);
  }
  return times;
}

/** A canvas as on a telephone, in its own pixels. */
const phone = { width: 540, height: 960 };

const directory = await mkdtemp(join(tmpdir(), 'clip-live-'));
const browser = await launchBrowser();
try {
  const sources = await makeSources(directory);
  const page = await LivePage.open(browser);
  const proxyOf = async (name: keyof typeof sources): Promise<PlayedProxy> => {
    const output = join(directory, `${name}-proxy.mp4`);
    await renderProxy(source, segment, { source: sources[name], output, signal });
    return { url: await page.serve(`${name}.mp4`, output), offset: segment.start };
  };
  const proxies = { plain: await proxyOf('plain'), marked: await proxyOf('marked') };
  const edits = await makeEdits();

  const rows: string[][] = [];
  for (const { name, edit } of edits) {
    const worst: Worst = { plain: 0, text: 0, ground: 0, picture: 0, place: 0, marks: 0 };
    const bare: Edit = { ...edit, captions: [], emojis: [], title: null };
    const plain = { edit, source: sources.plain, proxy: proxies.plain };
    await compareOn(page, plain, false, worst);
    const marked = { edit: bare, source: sources.marked, proxy: proxies.marked };
    await compareOn(page, marked, true, worst);
    const shares = [worst.plain, worst.text, worst.ground].map(percent);
    rows.push([
      name,
      ...shares,
      worst.place.toFixed(2),
      String(worst.marks),
      percent(worst.picture),
    ]);
    console.log(rows.at(-1)!.join(', '));
  }
  const head = ['edit', 'differ %', 'of text %', 'ground %', 'window px', 'marks', 'picture %'];
  console.log(`\n${markdownTable(head, rows)}\n`);

  const first = edits[0]!.edit;
  const changes = await changeTimes(page, first, proxies.plain);
  const { ranges } = edits.find(({ edit }) => edit.ranges.length > 1)!.edit;
  const plays = await playTimes(page, { ...first, ranges }, proxies.marked);
  const ms = (value: number) => value.toFixed(0);
  const bytes = [...page.assetBytes.values()].reduce((sum, size) => sum + size, 0);
  console.log(
    markdownTable(
      ['what', 'value'],
      [
        ['a changed word, ms, median', ms(median(changes))],
        ['a changed word, ms, longest', ms(Math.max(...changes))],
        ['between pictures at a cut, ms, longest', ms(Math.max(...plays.cuts))],
        ['between other pictures, ms, median', ms(median(plays.others))],
        ['between other pictures, ms, longest', ms(Math.max(...plays.others))],
        ['scripts and libass as served, kB', ms(bytes / 1000)],
        ['fonts of the first edit, kB', ms((await fontBytes(first)) / 1000)],
      ],
    ),
  );
  if (page.problems.length > 0) console.log(page.problems);
  await page.close();
} finally {
  await browser.close();
  await rm(directory, { recursive: true, force: true });
}
