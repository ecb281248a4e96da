import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dimensionsSchema, editingOptionsSchema } from 'clip-kit/contract';
import { writeAssDocument } from '../packages/engine/src/captions/ass.ts';
import type { Edit } from '../packages/engine/src/edit.ts';
import { makeClipEdit } from '../packages/engine/src/editing/make-inputs.ts';
import { pickCandidates } from '../packages/engine/src/moments/candidates.ts';
import { getFfmpegAbilities } from '../packages/engine/src/program/abilities.ts';
import { frameCount, renderArguments, renderSize } from '../packages/engine/src/render/encoding.ts';
import { filterGraph, prepareEmojis } from '../packages/engine/src/render/filter-graph.ts';
import { render } from '../packages/engine/src/render/render.ts';
import { analyse } from '../packages/engine/src/scan/analyse.ts';
import { openSource } from '../packages/engine/src/source/open-source.ts';
import { markdownTable, median, ratios, writeRange } from './figures.ts';
import { readSample, runFfmpeg } from './footage.ts';

const rounds = 3;
/** Output seconds of the two clips; grain is some times as dear, so its clip is shorter. */
const lengths = { sample: 20, grain: 5 } as const;
const { signal } = new AbortController();

/** Where the arguments of a render's output begin: behind what is mapped out of its graph. */
const outputFrom = '-map_metadata';

/**
 * Makes the frames and the sound of an edit's export, uncompressed (3 MB a frame). Returns what
 * encodes them with the render's own arguments, and decodes the same part of the source.
 */
async function prepareBareEncode(edit: Edit, source: string, directory: string) {
  const size = renderSize(edit, 'export');
  const { images, overlays } = await prepareEmojis(edit, size, { directory, firstInput: 1 });
  const [first, last] = [edit.ranges[0]!, edit.ranges.at(-1)!];
  const opened = await openSource(source, { from: first.start, picture: edit.source, signal });
  const { graphFile } = await getFfmpegAbilities();
  const captions = edit.captions.length > 0 || edit.title !== null;
  if (captions) await writeFile(join(directory, 'c.ass'), writeAssDocument(edit));
  const graph = filterGraph(edit, opened, size, { captions, overlays });
  await writeFile(join(directory, 'graph.txt'), graph);
  const args = renderArguments(edit, { opened, output: 'bare.mp4', images }, graphFile, 'export');
  const at = args.indexOf(outputFrom);
  if (at < 0) throw new Error(`The arguments of a render have no ${outputFrom} any more.`);
  await runFfmpeg(
    [
      ...[...args.slice(0, at), '-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_f32le'],
      ...['-frames:v', String(frameCount(edit)), '-t', edit.duration.toFixed(6)],
      ...['-f', 'nut', '-y', 'frames.nut'],
    ],
    directory,
  );
  // As long as the render reads.
  const decoded = ['-t', (last.end - first.start + 1).toFixed(6), ...opened.input];
  const nowhere = ['-map', '1:v:0', '-map', '1:a:0', '-fps_mode', 'passthrough', '-f', 'null', '-'];
  const all = ['-i', 'frames.nut', ...decoded, '-map', '0:v', '-map', '0:a', ...args.slice(at)];
  return () => runFfmpeg([...all, ...nowhere], directory);
}

async function compare(footage: string, edit: Edit, source: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const encodeBare = await prepareBareEncode(edit, source, directory);
    const [renders, bares]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const output = join(directory, 'render.mp4');
      renders.push((await render(edit, { source, output, quality: 'export', signal })).cpuSeconds);
      bares.push(await encodeBare());
    }
    const figures = [edit.duration, median(renders), median(bares)].map((one) => one.toFixed(1));
    const found = ratios(renders, bares);
    return [footage, ...figures, median(found).toFixed(2), writeRange(found, 2)];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Processor time of an export with all default options, beside the bare encode of the same frames,
 * on flat pictures and under strong grain, which is the dearest there is for an encoder.
 */
export async function measure(): Promise<string> {
  const sample = await readSample();
  const analysis = await analyse(sample, { signal });
  const wanted = {
    editing: editingOptionsSchema.parse({}),
    dimensions: dimensionsSchema.parse({ width: 1080, height: 1920 }),
  };
  const target = lengths.sample;
  const [best] = pickCandidates(analysis, { count: 1, min: target - 2, max: target + 2, target });
  if (!best) throw new Error('The sample has no segment of the rendered length.');
  const edit = makeClipEdit(analysis, best, wanted);
  const short = makeClipEdit(analysis, { ...best, end: best.start + lengths.grain }, wanted);
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    // The file begins where the segment does; a render reads a second more than it needs.
    const start = short.ranges[0]!.start;
    const seconds = short.ranges.at(-1)!.end - start + 1;
    await runFfmpeg(
      [
        ...['-ss', start.toFixed(6), '-t', seconds.toFixed(6), '-i', sample.path],
        ...['-vf', 'noise=alls=12:allf=t', '-c:v', 'libx264', '-preset', 'superfast'],
        ...['-crf', '20', '-g', '50', '-c:a', 'aac', '-b:a', '128k', '-y', 'grain.mp4'],
      ],
      directory,
    );
    const ranges = short.ranges.map((kept) => ({
      start: kept.start - start,
      end: kept.end - start,
    }));
    return markdownTable(
      ['footage', 'length s', 'export CPU s', 'bare CPU s', 'ratio', 'of all rounds'],
      [
        await compare('sample (drawn, flat)', edit, sample.path),
        await compare('the same under grain', { ...short, ranges }, join(directory, 'grain.mp4')),
      ],
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
