import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAssDocument } from '../../packages/engine/src/captions/ass.ts';
import { filterGraph, prepareEmojis } from '../../packages/engine/src/render/filter-graph.ts';
import type { Edit } from '../../packages/engine/src/edit.ts';
import { getFfmpegAbilities } from '../../packages/engine/src/program/abilities.ts';
import {
  frameCount,
  renderArguments,
  renderSize,
} from '../../packages/engine/src/render/encoding.ts';
import { placeWatermark, type WatermarkImage } from '../../packages/engine/src/render/render.ts';
import { openSource } from '../../packages/engine/src/source/open-source.ts';
import { ffmpegSeconds } from './measured-run.ts';

/** What a render of an edit is compared with: the same work without any filter. */
export interface BareEncode {
  /**
   * Decodes the edit's segment of the source, as the render must, and throws it away; encodes the
   * edit's frames, which lie finished and uncompressed on disk, with the render's own encoder
   * arguments. Processor seconds.
   */
  withDecode(): Promise<number>;
  /**
   * The same frames of the source, decoded, brought to the output's shape and size and encoded in
   * one ffmpeg: what an export without anything laid over it does. Processor seconds.
   */
  plain(): Promise<number>;
  /** The decoding alone. Processor seconds. */
  decode(): Promise<number>;
}

/** Where the arguments of a render's output begin: behind what is mapped out of its graph. */
const outputFrom = '-map_metadata';

/**
 * Makes the frames and the sound of an edit's export, uncompressed (3 MB a frame), in the
 * directory, and what encodes them.
 */
export async function prepareBareEncode(
  edit: Edit,
  source: string,
  directory: string,
  watermark?: WatermarkImage,
): Promise<BareEncode> {
  const size = renderSize(edit, 'export');
  const { images, overlays } = await prepareEmojis(edit, size, { directory, firstInput: 1 });
  if (watermark) {
    images.push(watermark.path);
    overlays.push(await placeWatermark(watermark, images.length, edit, size));
  }
  const [first, last] = [edit.ranges[0]!, edit.ranges.at(-1)!];
  const { signal } = new AbortController();
  const opened = await openSource(source, { from: first.start, picture: edit.source, signal });
  const { graphFile } = await getFfmpegAbilities();
  const captions = edit.captions.length > 0 || edit.title !== null;
  if (captions) await writeFile(join(directory, 'c.ass'), writeAssDocument(edit));
  await writeFile(
    join(directory, 'graph.txt'),
    filterGraph(edit, opened, size, { captions, overlays }),
  );
  const plain = filterGraph(edit, opened, size, { captions: false, overlays: [] });
  await writeFile(join(directory, 'plain.txt'), plain);
  const args = renderArguments(edit, { opened, output: 'bare.mp4', images }, graphFile, 'export');
  const at = args.indexOf(outputFrom);
  if (at < 0) throw new Error(`The arguments of a render have no ${outputFrom} any more.`);
  const [inputs, output] = [args.slice(0, at), args.slice(at)];
  await ffmpegSeconds(
    [
      ...[...inputs, '-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_f32le'],
      ...['-frames:v', String(frameCount(edit)), '-t', edit.duration.toFixed(6)],
      ...['-f', 'nut', '-y', 'frames.nut'],
    ],
    directory,
  );
  // As long as the render reads.
  const decoded = ['-t', (last.end - first.start + 1).toFixed(6), ...opened.input];
  const nowhere = (input: number) => [
    ...[
      '-map',
      `${input}:v:0`,
      '-map',
      `${input}:a:0`,
      '-fps_mode',
      'passthrough',
      '-f',
      'null',
      '-',
    ],
  ];
  return {
    withDecode: () =>
      ffmpegSeconds(
        [
          ...['-i', 'frames.nut', ...decoded, '-map', '0:v', '-map', '0:a', ...output],
          ...nowhere(1),
        ],
        directory,
      ),
    plain: () =>
      ffmpegSeconds(
        renderArguments(edit, { opened, output: 'plain.mp4', images: [] }, graphFile, 'export').map(
          (value) => (value === 'graph.txt' ? 'plain.txt' : value),
        ),
        directory,
      ),
    decode: () => ffmpegSeconds([...decoded, ...nowhere(0)], directory),
  };
}
