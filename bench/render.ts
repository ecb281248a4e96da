import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAssDocument } from '../packages/engine/src/captions/ass.ts';
import type { Edit } from '../packages/engine/src/edit.ts';
import { getFfmpegAbilities } from '../packages/engine/src/program/abilities.ts';
import { frameCount, renderArguments, renderSize } from '../packages/engine/src/render/encoding.ts';
import { filterGraph, prepareEmojis } from '../packages/engine/src/render/filter-graph.ts';
import { render } from '../packages/engine/src/render/render.ts';
import { openSource } from '../packages/engine/src/source/open-source.ts';
import { markdownTable, median, ratios, writeRange } from './figures.ts';
import { makeSampleEdit, runFfmpeg, samplePath } from './footage.ts';

const rounds = 3;
/** Output seconds. */
const clipSeconds = 20;
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

/**
 * Processor time of an export with all default options, beside the bare encode of the same frames:
 * flat, drawn pictures, which cost an encoder least.
 */
export async function measure(): Promise<string> {
  const edit = await makeSampleEdit(clipSeconds);
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const encodeBare = await prepareBareEncode(edit, samplePath, directory);
    const [renders, bares]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const output = join(directory, 'render.mp4');
      const options = { source: samplePath, output, quality: 'export', signal } as const;
      renders.push((await render(edit, options)).cpuSeconds);
      bares.push(await encodeBare());
    }
    const figures = [edit.duration, median(renders), median(bares)].map((one) => one.toFixed(1));
    const found = ratios(renders, bares);
    return markdownTable(
      ['footage', 'length s', 'export CPU s', 'bare CPU s', 'ratio', 'of all rounds'],
      [['the sample', ...figures, median(found).toFixed(2), writeRange(found, 2)]],
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
