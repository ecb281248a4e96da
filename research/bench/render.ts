import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dimensionsSchema, editingOptionsSchema } from 'clip-kit/contract';
import type { Analysis, IngestedSource } from '../../packages/engine/src/facts.ts';
import { pickCandidates } from '../../packages/engine/src/moments/candidates.ts';
import { makeClipEdit } from '../../packages/engine/src/editing/make-inputs.ts';
import { type Edit } from '../../packages/engine/src/edit.ts';
import { render, type WatermarkImage } from '../../packages/engine/src/render/render.ts';
import { prepareBareEncode } from './bare-encode.ts';
import { grainFootage } from './footage.ts';
import { ffmpegSeconds } from './measured-run.ts';
import { median, range, ratios } from './statistics.ts';

const repeats = 3;
/** Output seconds of the two pieces; grain is some times as dear, so its piece is shorter. */
const lengths = { sample: 20, grain: 5 } as const;

export interface RenderFigures {
  footage: string;
  /** Output seconds. */
  duration: number;
  /** Processor seconds, medians. */
  render: number;
  bare: number;
  plain: number;
  decode: number;
  /**
   * The render's over the bare encode's, both with the decoding: the median of the rounds, and
   * their range.
   */
  ratio: number;
  ratios: { min: number; max: number };
  /** The render's over the plain one's: the median of the rounds. */
  overPlain: number;
}

async function compare(
  footage: string,
  edit: Edit,
  source: string,
  parent: string,
  watermark?: WatermarkImage,
): Promise<RenderFigures> {
  const directory = await mkdtemp(join(parent, 'render-'));
  try {
    const bareEncode = await prepareBareEncode(edit, source, directory, watermark);
    const renders: number[] = [];
    const bares: number[] = [];
    const plains: number[] = [];
    const decodes: number[] = [];
    for (let round = 0; round < repeats; round += 1) {
      const { cpuSeconds } = await render(edit, {
        source,
        output: join(directory, 'render.mp4'),
        quality: 'export',
        ...(watermark && { watermark }),
        signal: new AbortController().signal,
      });
      renders.push(cpuSeconds);
      bares.push(await bareEncode.withDecode());
      plains.push(await bareEncode.plain());
      decodes.push(await bareEncode.decode());
    }
    return {
      footage,
      duration: edit.duration,
      render: median(renders),
      bare: median(bares),
      plain: median(plains),
      decode: median(decodes),
      ratio: median(ratios(renders, bares)),
      ratios: range(ratios(renders, bares)),
      overPlain: median(ratios(renders, plains)),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A logo of the site, half transparent, as `fetchWatermark` keeps it. */
async function makeWatermark(directory: string): Promise<WatermarkImage> {
  await ffmpegSeconds(
    [
      ...['-f', 'lavfi', '-i', 'color=white:s=320x96,format=rgba,colorchannelmixer=aa=0.6'],
      ...['-frames:v', '1', '-y', 'watermark.png'],
    ],
    directory,
  );
  return { path: join(directory, 'watermark.png'), pos_x: 0.94, pos_y: 0.05, scale: 1 };
}

/**
 * An export with all default options, and one with all options that there are, against the bare
 * encode of the same frames, on flat and on noisy pictures.
 */
export async function benchRender(
  sample: IngestedSource,
  analysis: Analysis,
  directory: string,
): Promise<RenderFigures[]> {
  const wanted = {
    editing: editingOptionsSchema.parse({}),
    dimensions: dimensionsSchema.parse({ width: 1080, height: 1920 }),
  };
  const target = lengths.sample;
  const [best] = pickCandidates(analysis, { count: 1, min: target - 2, max: target + 2, target });
  if (!best) throw new Error('The sample has no segment of the rendered length.');
  const edit = makeClipEdit(analysis, best, wanted);
  const short = makeClipEdit(analysis, { ...best, end: best.start + lengths.grain }, wanted);
  // The grain's file begins where the segment does; a render reads a second more than it needs.
  const start = short.ranges[0]?.start ?? 0;
  const seconds = (short.ranges.at(-1)?.end ?? 0) - start + 1;
  const grain = await grainFootage(sample, { start, seconds }, directory);
  const moved: Edit = {
    ...short,
    ranges: short.ranges.map((kept) => ({ start: kept.start - start, end: kept.end - start })),
  };
  const everything = { ...wanted.editing, remove_silences: true };
  const whole = makeClipEdit(analysis, best, { ...wanted, editing: everything });
  const watermark = await makeWatermark(directory);
  const footage = 'sample, all options';
  return [
    await compare('sample (drawn, flat)', edit, sample.path, directory),
    await compare(footage, whole, sample.path, directory, watermark),
    await compare('the same under grain', moved, grain.path, directory),
  ];
}
