import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Edit, Framing } from '../packages/engine/src/edit.ts';
import { restyleEdit } from '../packages/engine/src/editing/make-edit.ts';
import { renderProxy } from '../packages/engine/src/render/proxy.ts';
import { render } from '../packages/engine/src/render/render.ts';
import { loadPresets } from '../packages/engine/src/style/presets.ts';
import { LivePage } from 'clip-testkit/live-page';
import { launchBrowser } from 'clip-testkit/browser';
import { markdownTable } from './figures.ts';
import { makeSampleEdit, runFfmpeg, samplePath } from './footage.ts';

/** Frames of each clip that are compared. */
const moments = [7, 31, 53, 74];
const clipSeconds = 5;
/** A pixel differs if one of its channels does by more than this share of the range. */
const minDifference = 0.08;
const { signal } = new AbortController();

const framings: Readonly<Record<string, Framing>> = {
  crop: { mode: 'crop', x: 356, y: 0, width: 608, height: 1080 },
  fit: { mode: 'fit' },
};

/** Share of the canvas's pixels that differ from a picture. */
const comparePixels = (page: Page, url: string): Promise<number> =>
  page.evaluate(
    async (url, limit) => {
      const canvas = document.querySelector('canvas')!;
      const { width, height } = canvas;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(await createImageBitmap(await (await fetch(url)).blob()), 0, 0);
      const theirs = context.getImageData(0, 0, width, height).data;
      const ours = canvas.getContext('2d')!.getImageData(0, 0, width, height).data;
      let differ = 0;
      for (let at = 0; at < ours.length; at += 4) {
        const far = (channel: number) =>
          Math.abs(ours[at + channel]! - theirs[at + channel]!) > limit;
        if (far(0) || far(1) || far(2)) differ++;
      }
      return differ / (width * height);
    },
    url,
    255 * minDifference,
  );

/** Exports an edit, and returns its frames as pictures. */
async function exportFrames(edit: Edit, source: string, directory: string): Promise<string[]> {
  await render(edit, { source, output: join(directory, 'clip.mp4'), quality: 'export', signal });
  const chosen = moments.map((frame) => `eq(n,${frame})`).join('+');
  const colours = 'in_color_matrix=bt709:in_range=tv:out_range=pc';
  const filters = `select='${chosen}',scale=${colours}:flags=accurate_rnd+full_chroma_int+bicubic`;
  await runFfmpeg(
    [
      ...['-i', 'clip.mp4', '-vf', `${filters},format=rgb24`, '-fps_mode', 'passthrough'],
      ...['-y', 'frame-%d.png'],
    ],
    directory,
  );
  return moments.map((_, index) => join(directory, `frame-${index + 1}.png`));
}

/**
 * How much the editor's live drawing differs from the exported file: each style preset, with a part
 * of the sample's picture and with the whole of it.
 */
export async function measure(): Promise<string> {
  const made = await makeSampleEdit(clipSeconds);
  const { start, end } = made.ranges[0]!;
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  const browser = await launchBrowser();
  const page = await LivePage.open(browser);
  try {
    const output = join(directory, 'proxy.mp4');
    const segment = { start: Math.max(0, start - 1), end: end + 1 };
    await renderProxy(made.source, segment, { source: samplePath, output, signal });
    const proxy = { url: await page.serve('proxy.mp4', output), offset: segment.start };
    const rows: string[][] = [];
    for (const { id, style } of (await loadPresets()).values()) {
      const shares: string[] = [];
      for (const framing of Object.values(framings)) {
        const edit = restyleEdit({ ...made, framing }, style);
        const frames = await exportFrames(edit, samplePath, directory);
        await page.draw(edit, proxy);
        let worst = 0;
        for (const [index, frame] of moments.entries()) {
          const url = await page.serve('frame.png', frames[index]!);
          await page.page.evaluate((frame) => window.live.seek(frame), frame);
          worst = Math.max(worst, await comparePixels(page.page, url));
        }
        shares.push((100 * worst).toFixed(2));
      }
      rows.push([id, ...shares]);
    }
    const heads = Object.keys(framings).map((name) => `${name}: pixels that differ %`);
    return markdownTable(['preset', ...heads], rows);
  } finally {
    await page.close();
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  }
}
