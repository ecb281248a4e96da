import { stillWave, buildWaveGraph } from './wave.ts';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAssDocument } from '../captions/ass.ts';
import { placeText } from '../captions/caption-place.ts';
import type { Dimensions, Edit } from '../edit.ts';
import { computeSmallSize } from '../framing/analyse-pictures.ts';
import { buildFramingGraph } from '../framing/framing-graph.ts';
import { findShot } from '../framing/layout.ts';
import { placeFile, run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { openSource, makePictureFilters, makeToneMapFilter } from '../source/open-source.ts';
import { mapToSource } from '../spans.ts';
import { fontsDirectory, linkFonts } from './filter-graph.ts';

/** The shorter side of a poster in pixels, if the clip is not smaller. */
const posterSidePixels = 540;
/** Each input of an ffmpeg holds the source's index, which has 60 MB for five hours. */
const maxInputs = 2;
/** Processes at the same time: each decodes with one thread. */
const lanes = 2;

/** The size of a clip's poster in pixels: the shape of the clip, never larger than it. */
export function computePosterSize({ width, height }: Dimensions): Dimensions {
  const scale = Math.min(1, posterSidePixels / Math.min(width, height));
  const even = (side: number) => Math.max(16, Math.round((side * scale) / 2) * 2);
  return scale === 1 ? { width, height } : { width: even(width), height: even(height) };
}

/** A clip, and the path of the JPEG file to write. */
export interface PosterOptions {
  edit: Edit;
  output: string;
}

interface Where {
  source: string;
  /** Paths of fonts that are not installed. */
  fonts?: readonly string[];
  signal: AbortSignal;
}

/**
 * Chooses one of the pictures that a clip opens with, of `computeSmallSize` and with four bytes per
 * pixel, and frames the clip by it.
 */
type FrameOpening = (
  edit: Edit,
  pictures: readonly Uint8Array[],
  stepSeconds: number,
) => Promise<{ edit: Edit; index: number }>;

interface FirstWhere extends Where {
  /** If omitted, the first picture is shown, and windows are where the edits have them. */
  frame?: FrameOpening;
}

/** The output frame that a poster shows. */
const choosePosterFrame = ({ cover, bestTime, frameRate }: Edit): number =>
  Math.round((cover?.time ?? bestTime ?? 0) * frameRate);

const getPosterTime = (edit: Edit) =>
  mapToSource(edit.ranges, choosePosterFrame(edit) / edit.frameRate);

/** The source of a poster's picture: ffmpeg's input, and filters for its decoded pictures. */
interface Opened {
  input: string[];
  stream: string | number;
  filters: string;
}

/** The picture that is shown at a time, in source seconds, and those after it in its range. */
async function openAt(from: number, edit: Edit, { source, signal }: Where): Promise<Opened> {
  const opened = await openSource(source, { from, picture: edit.source, signal });
  const { end } = edit.ranges.find((range) => from < range.end) ?? { end: from };
  const seconds = Math.max(1 / edit.frameRate, end - from).toFixed(6);
  const filters = `${makePictureFilters(opened, edit.source, edit.frameRate)}trim=end=${seconds},`;
  return { input: opened.input, stream: edit.source.videoStream ?? 'v:0', filters };
}

/** The first picture that is not black is searched for in this many seconds. */
const maxBlackSeconds = 5;
/** Drops black pictures: those with 97 % of their pixels at most this bright, 0 to 255. */
const withoutBlack =
  `trim=duration=${maxBlackSeconds},blackframe=amount=0:threshold=40,` +
  'metadata=mode=select:key=lavfi.blackframe.pblack:value=97:function=less,';

/** The choice of a poster: the first picture, or the first one that is not black. */
type Choice = 'any' | 'bright';

const hasWave = ({ source }: Edit): boolean => source.soundAlone === 'wave';

/** A poster to draw: the clip, the input of ffmpeg with its picture, and which picture it is. */
interface Drawn {
  edit: Edit;
  opened: Opened;
  index: number;
  choice: Choice;
}

/** The filters from one input to some of its pictures. `trim` ends the decoding after them. */
const makeSourceFilters = ({ opened, index, choice }: Drawn, pictures: string): string =>
  `[${index}:${opened.stream}]${opened.filters}${choice === 'bright' ? withoutBlack : ''}${pictures},`;

/** The filters from one input to a poster. */
function buildPosterGraph(drawn: Drawn, size: Dimensions): string {
  const { edit, index } = drawn;
  const still = {
    ...edit,
    framing: { mode: 'shots' as const, shots: [findShot(edit.framing, choosePosterFrame(edit))] },
  };
  const isWave = hasWave(edit);
  // JPEG uses BT.601 colours with full range.
  const coded = 'scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p';
  return [
    `${makeSourceFilters(drawn, 'trim=end_frame=1,setpts=0')}${makeToneMapFilter(edit.source)}null[seen]`,
    ...buildFramingGraph(still, size, ['seen', 'framed']),
    ...(isWave
      ? buildWaveGraph(edit, size, `[${index}:${edit.source.audioStream ?? 'a:0'}]${stillWave}`, [
          'framed',
          'waved',
        ])
      : []),
    `[${isWave ? 'waved' : 'framed'}]format=yuv420p,${edit.cover?.title === undefined ? '' : `ass=${nameTitleFile(index)}:fontsdir=${fontsDirectory},`}${coded}[drawn${index}]`,
  ].join(';');
}

const nameTitleFile = (index: number): string => `title-${index}.ass`;

/** The title of a cover as an ASS document, clear of the faces of its frame. */
function writeCoverTitle({ cover, ...edit }: Edit, text: string): string {
  const time = cover?.time ?? 0;
  const faces = (edit.faces ?? [])
    .filter(({ start, end }) => start <= time && end > time)
    .map((face) => ({ ...face, start: 0, end: 1 }));
  const title = { text, end: 1 };
  return writeAssDocument(placeText({ ...edit, captions: [], emojis: [], faces, title }));
}

const namePartFile = (index: number): string => `part-${index}.jpg`;

/** The arguments of an ffmpeg output that is a JPEG. */
const listPictureArguments = (path: string): string[] => [
  '-frames:v',
  '1',
  '-q:v',
  '4',
  '-f',
  'image2',
  '-update',
  '1',
  '-y',
  path,
];

/** Decodes the pictures of posters with one ffmpeg; `graphOf`: filters, and ffmpeg's outputs. */
const decode = (
  posters: readonly Drawn[],
  { work, signal }: { work: string; signal: AbortSignal },
  graphOf: (drawn: Drawn) => { graph: string; outputs: string[] },
): Promise<unknown> =>
  run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart,
      ...posters.flatMap(({ edit, opened }) => [
        ...(hasWave(edit) ? [] : ['-an']), '-sn', '-dn', ...opened.input,
      ]),
      ...posters.map(graphOf).flatMap(({ graph, outputs }) => ['-filter_complex', graph, ...outputs]),
    ],
    { signal, cwd: work, deadlineSeconds: 120 },
  );

/** The pictures that a clip opens with, of which a first poster shows one. */
const opening = { pictures: 2, stepSeconds: 0.4 } as const;

/** Chooses one of the pictures that each clip opens with, and frames the clip by it. */
async function chooseOpenings(
  posters: readonly Drawn[],
  frame: FrameOpening,
  where: { work: string; signal: AbortSignal },
): Promise<readonly Drawn[]> {
  const { pictures, stepSeconds } = opening;
  const select = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${stepSeconds - 1e-3})',trim=end_frame=${pictures}`;
  const [nameSmall, nameLarge] = [
    (index: number) => `small-${index}.rgba`,
    (index: number) => `large-${index}.mkv`,
  ];
  await decode(posters, where, (one) => {
    const { index, edit } = one;
    const { width, height } = computeSmallSize(edit.source);
    return {
      graph: `${makeSourceFilters(one, select)}split[large${index}][all${index}];[all${index}]${makeToneMapFilter(edit.source)}scale=${width}:${height}:flags=area,format=rgba[small${index}]`,
      // prettier-ignore
      outputs: [
        '-map', `[small${index}]`, '-fps_mode', 'passthrough', '-f', 'rawvideo', nameSmall(index),
        '-map', `[large${index}]`, '-fps_mode', 'passthrough', '-c:v', 'ffv1', nameLarge(index),
      ],
    };
  });
  return Promise.all(
    posters.map(async (one): Promise<Drawn> => {
      const seen = await readFile(join(where.work, nameSmall(one.index))).catch(() => null);
      if (!seen?.length) return one;
      const { width, height } = computeSmallSize(one.edit.source);
      const bytes = width * height * 4;
      const all = Array.from({ length: seen.length / bytes }, (_, at) =>
        seen.subarray(at * bytes, (at + 1) * bytes),
      );
      const { edit, index: at } = await frame(one.edit, all, stepSeconds);
      const input = ['-i', join(where.work, nameLarge(one.index))];
      const opened = { input, stream: 'v:0', filters: `trim=start_frame=${at},` };
      return { ...one, edit, opened, choice: 'any' };
    }),
  );
}

/** Draws posters with one ffmpeg. Returns those without a frame at their place. */
async function draw(
  posters: readonly (PosterOptions & { opened: Opened })[],
  choice: Choice,
  { fonts, frame, signal }: Pick<FirstWhere, 'fonts' | 'frame' | 'signal'>,
  sizeOf = ({ dimensions }: Edit): Dimensions => computePosterSize(dimensions),
): Promise<PosterOptions[]> {
  const [first] = posters;
  if (!first) return [];
  const work = await mkdtemp(join(dirname(first.output), '.poster-'));
  const without: PosterOptions[] = [];
  try {
    await linkFonts(work, fonts);
    for (const [index, { edit }] of posters.entries()) {
      const { cover } = edit;
      if (cover?.title === undefined) continue;
      await writeFile(join(work, nameTitleFile(index)), writeCoverTitle(edit, cover.title));
    }
    const guessed = posters.map(({ edit, opened }, index) => ({ edit, opened, index, choice }));
    const isMoving = frame && !first.edit.source.soundAlone;
    const drawn = isMoving ? await chooseOpenings(guessed, frame, { work, signal }) : guessed;
    await decode(drawn, { work, signal }, (one) => ({
      graph: buildPosterGraph(one, sizeOf(one.edit)),
      outputs: [
        ...['-map', `[drawn${one.index}]`],
        ...listPictureArguments(namePartFile(one.index)),
      ],
    }));
    for (const [index, { edit, output }] of posters.entries()) {
      const part = join(work, namePartFile(index));
      const found = await stat(part).catch(() => null);
      if (found?.size) await placeFile(part, output);
      else without.push({ edit, output });
    }
    return without;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Writes a JPEG of a clip as it is framed, without captions: of its cover, otherwise its best
 * picture or, if none is known, its first. A black one gives way to the next that is not, except
 * for a cover. `output` is complete or does not exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export const renderPoster = (edit: Edit, options: Where & { output: string }): Promise<void> =>
  drawOne(edit, options);

/**
 * Writes the cover of a clip as a JPEG in the size of an export. `output` is complete or does not
 * exist.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export const renderCover = (edit: Edit, options: Where & { output: string }): Promise<void> =>
  drawOne(edit, options, ({ dimensions }) => dimensions);

async function drawOne(
  edit: Edit,
  options: Where & { output: string },
  sizeOf?: (edit: Edit) => Dimensions,
): Promise<void> {
  const { time } = getPosterTime(edit);
  const opened = await openAt(time, edit, options);
  const posters = [{ edit, output: options.output, opened }];
  const black = edit.cover ? posters : await draw(posters, 'bright', options, sizeOf);
  if (black.length === 0) return;
  const without = await draw(posters, 'any', options, sizeOf);
  if (without.length > 0) throw new ProcessError('ffmpeg', 0, 'no picture was written');
}

/** A picture of one colour. */
async function drawPlain({ edit, output }: PosterOptions, { signal }: Where): Promise<void> {
  const work = await mkdtemp(join(dirname(output), '.poster-'));
  try {
    const { width, height } = computePosterSize(edit.dimensions);
    const input = ['-f', 'lavfi', '-i', `color=c=0x202020:s=${width}x${height}`];
    await run('ffmpeg', [...quietStart, ...input, ...listPictureArguments('part-0.jpg')], {
      signal,
      cwd: work,
      deadlineSeconds: 120,
    });
    await placeFile(join(work, namePartFile(0)), output);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Skips pictures that no other one needs, up to three in a row: decoding from the keyframe on takes
 * a third less.
 */
const withoutDetails = ['-skip_frame', 'noref'] as const;

/** Draws posters of the beginnings of clips. Returns those whose pictures cannot be read. */
async function tryDraw(
  posters: readonly PosterOptions[],
  choice: Choice,
  where: FirstWhere,
): Promise<readonly PosterOptions[]> {
  try {
    const all = posters.map(async (options) => {
      const { input, ...opened } = await openAt(options.edit.ranges[0]!.start, options.edit, where);
      const decoder = ['-threads', '1', ...(choice === 'bright' ? withoutDetails : [])];
      return { ...options, opened: { ...opened, input: [...decoder, ...input] } };
    });
    return await draw(await Promise.all(all), choice, where);
  } catch (error) {
    if (error instanceof ProcessError && isOfTheInput(error)) return posters;
    throw error;
  }
}

/** Draws first posters: all together, then each of those that are left alone. */
async function drawFirst(posters: readonly PosterOptions[], where: FirstWhere): Promise<void> {
  for (const one of await tryDraw(posters, 'bright', where)) {
    // What stopped all together may be another one.
    const black = await tryDraw([one], 'bright', where);
    const [without] = await tryDraw(black, 'any', where);
    if (without) await drawPlain(without, where);
  }
}

/**
 * Writes a JPEG for each clip: of the picture that it opens with, or of one shortly after it if
 * that has closed eyes or is blurred, framed by what it shows. All outputs exist afterwards: a clip
 * whose pictures cannot be read gets a plain one.
 * @throws {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export async function renderFirstPosters(
  posters: readonly PosterOptions[],
  where: FirstWhere,
): Promise<void> {
  const size = Math.min(maxInputs, Math.ceil(posters.length / lanes));
  const left = Array.from({ length: Math.ceil(posters.length / size) }, (_, at) =>
    posters.slice(at * size, (at + 1) * size),
  );
  const lane = async () => {
    for (let some = left.shift(); some; some = left.shift()) await drawFirst(some, where);
  };
  // Both have ended before an error is thrown: nothing writes to the directory afterwards.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
