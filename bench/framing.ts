import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit } from '../packages/engine/src/edit.ts';
import { listDrawnParts } from '../packages/engine/src/framing/drawn-parts.ts';
import { frameCount } from '../packages/engine/src/render/encoding.ts';
import { openSource, makePictureFilters } from '../packages/engine/src/source/open-source.ts';
import { type JudgedFace, openJudge, type Rectangle } from './face-judge.ts';
import { markdownTable, median } from './figures.ts';
import { runTimed } from './footage.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const footage = here('../../shared/real/footage');
const kept = here('../.data/bench/framing');
const { signal } = new AbortController();

/** The cuts of the videos that have some, in seconds, as the README of the footage states them. */
const joined = [3, 5.4, 7.4, 10.4];
const trueCuts: Record<string, number[]> = {
  'edited-hard-cuts': joined,
  'edited-dark-cuts': joined,
  'burnt-in-subtitles': joined,
  'stage-dark-cuts': [1.5, 3.57, 7.87],
  'iphone-face-then-animation': [2.43],
};
const cutSlackSeconds = 0.1;
/** Where and when `burnt-in-subtitles` has words: it differs there from `edited-hard-cuts`. */
const subtitles = [
  { start: 0.2, end: 1.5, x: 84, width: 1114 },
  { start: 1.7, end: 2.9, x: 297, width: 684 },
  { start: 3.1, end: 4.1, x: 330, width: 618 },
  { start: 4.3, end: 5.3, x: 338, width: 608 },
  { start: 5.5, end: 7.1, x: 340, width: 601 },
].map((line) => ({ ...line, y: 607, height: 51 }));

/** A part of a video, and the size to cut it to. */
type Run = [start: number, end: number, width: number, height: number];
const upright: Run = [0, 20, 540, 960];
const both: Run[] = [upright, [0, 20, 960, 540]];
const runs: Record<string, Run[]> = {
  // Of a long video, two parts.
  'people-come-and-go': [
    [0, 30, 540, 960],
    [109, 140, 540, 960],
  ],
  'selfie-portrait': both,
  'woman-portrait-camera-backs-off': both,
  'squats-5fps-portrait': both,
};

/** Times the face's box, a head is this much higher above it, and wider on each side. */
const head = { above: 0.3, beside: 0.15, below: 0.03 } as const;
/** What lacks less than this share of its width or height counts as whole. */
const slackShare = 0.02;
/** A face in fewer pictures, of two a second, is a wrong find. */
const minSightings = 3;
/** A window that is elsewhere by more than this share of its width in the next frame has jumped. */
const jumpShare = 0.1;

interface Clip {
  name: string;
  path: string;
  edit: Edit;
  cuts: number[];
  cpuSeconds: number;
}

/** Cuts a part of a video with a process of its own, whose processor time counts. */
function cutClip(path: string, run: Run, directory: string) {
  const cut = [here('framed-cut.ts'), path, directory, ...run.map(String)];
  const { stdout, cpuSeconds } = runTimed(cut);
  return { ...(JSON.parse(stdout) as Pick<Clip, 'edit' | 'cuts'>), cpuSeconds };
}

const middleOf = ({ x, y, width, height }: Rectangle) => ({ x: x + width / 2, y: y + height / 2 });

/** Of each picture the largest face that lasts. */
function chooseMain(pictures: readonly JudgedFace[][]): (JudgedFace | null)[] {
  const tracks: { face: JudgedFace; at: number }[][] = [];
  for (const [at, faces] of pictures.entries()) {
    for (const face of faces) {
      const { x, y } = middleOf(face);
      const track = tracks.find((one) => {
        const { face: before, at: sooner } = one.at(-1)!;
        const middle = middleOf(before);
        const isNear = Math.hypot(x - middle.x, y - middle.y) < (before.width + face.width) / 3;
        return isNear && sooner < at && sooner >= at - 2;
      });
      if (track) track.push({ face, at });
      else tracks.push([{ face, at }]);
    }
  }
  const size = (track: (typeof tracks)[number]) => median(track.map(({ face }) => face.width));
  const lasting = tracks
    .filter(({ length }) => length >= minSightings)
    .toSorted((a, b) => size(b) - size(a));
  return pictures.map((_, index) => {
    const [main] = lasting.flatMap((track) => track.find(({ at }) => at === index) ?? []);
    return main?.face ?? null;
  });
}

/** Frames between two judged pictures: about half a second. */
const stepOf = ({ frameRate }: Edit) => Math.max(1, Math.round(frameRate / 2));

/** The source's pictures on the frames of a clip: ffmpeg's input, its stream, and filters. */
async function openPictures({ path, edit: { ranges, source, frameRate } }: Clip) {
  const { start, end } = ranges[0]!;
  const opened = await openSource(path, { from: start, picture: source, signal });
  const seconds = (end - start).toFixed(6);
  const filters = `${makePictureFilters(opened, source, frameRate)}trim=end=${seconds},scale=${source.width}:${source.height},setsar=1`;
  return { input: opened.input, stream: source.videoStream ?? 'v:0', filters };
}

/** The main face of each judged picture of a clip's source. Faces that are known are kept. */
async function judgeFaces(
  clip: Clip,
  judge: () => ReturnType<typeof openJudge>,
): Promise<(Rectangle | null)[]> {
  const { input, stream, filters } = await openPictures(clip);
  const { width, height } = clip.edit.source;
  const factor = 640 / Math.max(width, height);
  const even = (side: number) => 2 * Math.round((side * factor) / 2);
  const size = { width: even(width), height: even(height) };
  // Dark pictures are made as bright as others: the judge finds few faces in them.
  const chosen = `${filters},select='not(mod(n,${stepOf(clip.edit)}))',scale=${size.width}:${size.height},normalize=independence=0`;
  const video = createHash('sha256').update(await readFile(clip.path));
  const file = join(kept, `faces-${video.update(chosen).digest('hex').slice(0, 16)}.json`);
  if (!existsSync(file)) {
    const format = ['-fps_mode', 'passthrough', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
    const args = ['-v', 'error', ...input, '-map', `0:${stream}`, '-vf', chosen, ...format];
    const { stdout } = spawnSync('ffmpeg', args, { maxBuffer: 2 ** 30 });
    const bytes = size.width * size.height * 3;
    const found: JudgedFace[][] = [];
    for (let at = 0; at < stdout.length; at += bytes)
      found.push(await (await judge())(stdout.subarray(at, at + bytes), size));
    await writeFile(file, JSON.stringify(found));
  }
  const known = JSON.parse(await readFile(file, 'utf8')) as JudgedFace[][];
  const [across, down] = [width / size.width, height / size.height];
  return chooseMain(known).map(
    (face) =>
      face && {
        ...{ x: face.x * across, y: face.y * down },
        ...{ width: face.width * across, height: face.height * down },
      },
  );
}

/** The head around a face, as far as the source's picture shows it. */
function headOf(face: Rectangle, { source }: Edit): Rectangle {
  const within = (value: number, size: number) => Math.min(Math.max(0, value), size);
  const x = within(face.x - head.beside * face.width, source.width);
  const y = within(face.y - head.above * face.height, source.height);
  const right = within(face.x + (1 + head.beside) * face.width, source.width);
  const bottom = within(face.y + (1 + head.below) * face.height, source.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** The parts of the source that a frame shows sharply. */
const partsAt = (edit: Edit, frame: number) =>
  listDrawnParts(edit, edit.dimensions, frame).filter(({ ground }) => !ground);

/** Whether a frame shows all of a box of the source. */
const showsWhole = (edit: Edit, frame: number, { x, y, width, height }: Rectangle): boolean =>
  partsAt(edit, frame).some(
    ({ from }) =>
      x >= from.x - slackShare * width &&
      y >= from.y - slackShare * height &&
      x + width <= from.x + from.width + slackShare * width &&
      y + height <= from.y + from.height + slackShare * height,
  );

/** Whether a frame shows the whole of a wide picture small on a ground. */
function isSmall(edit: Edit, frame: number): boolean {
  const { source, dimensions } = edit;
  const [{ from, to }, ...others] = partsAt(edit, frame) as [ReturnType<typeof partsAt>[0]];
  const isWhole = from.width >= 0.98 * source.width && from.height >= 0.98 * source.height;
  const area = (to.width * to.height) / (dimensions.width * dimensions.height);
  return isWhole && others.length === 0 && area < 0.5;
}

const groups = ['portrait', 'portrait, cut wide', 'ordinary', 'tight'] as const;

function groupOf(face: Rectangle, edit: Edit): (typeof groups)[number] {
  const { source, dimensions } = edit;
  if (dimensions.width > dimensions.height) return 'portrait, cut wide';
  if (source.height > source.width) return 'portrait';
  const window = (source.height * dimensions.width) / dimensions.height;
  return headOf(face, edit).width > window ? 'tight' : 'ordinary';
}

/** The times of the frames in which a clip changes its layout, or a window jumps. */
function findJumps(edit: Edit): number[] {
  const jumps: number[] = [];
  let before = partsAt(edit, 0);
  for (let frame = 0; frame < frameCount(edit); frame++) {
    const now = partsAt(edit, frame);
    const shape = (parts: typeof now) =>
      JSON.stringify(parts.map(({ from: { width, height }, to }) => [width, height, to]));
    const isFar = now.some(({ from }, at) => {
      const sooner = before[at]?.from ?? from;
      return Math.hypot(from.x - sooner.x, from.y - sooner.y) > jumpShare * from.width;
    });
    if (isFar || shape(now) !== shape(before)) jumps.push(frame / edit.frameRate);
    before = now;
  }
  return jumps;
}

/** The times that are near one of others. */
const near = (times: readonly number[], others: readonly number[]): number[] =>
  times.filter((time) => others.some((other) => Math.abs(time - other) <= cutSlackSeconds));

/** Whether the poster has the whole head; null if no head is known within a second of it. */
function judgePoster({ edit, name }: Clip, faces: readonly (Rectangle | null)[]): boolean | null {
  const { bestTime, frameRate } = edit;
  const frame = Math.round((bestTime ?? 0) * frameRate);
  const shot = (at: number) =>
    (trueCuts[name] ?? []).filter((cut) => cut <= at / frameRate + 1e-3).length;
  const [face] = faces
    .flatMap((one, index) => (one ? { one, at: index * stepOf(edit) } : []))
    .filter(({ at }) => Math.abs(at - frame) <= frameRate && shot(at) === shot(frame))
    .toSorted((a, b) => Math.abs(a.at - frame) - Math.abs(b.at - frame));
  return face ? showsWhole(edit, frame, headOf(face.one, edit)) : null;
}

function measureClip(clip: Clip, faces: readonly (Rectangle | null)[]) {
  const { edit, cuts, name } = clip;
  const frames = Array.from({ length: frameCount(edit) }, (_, frame) => frame);
  const real = trueCuts[name] ?? [];
  const jumps = findJumps(edit);
  const lines = frames.flatMap((frame) => {
    const at = frame / edit.frameRate;
    const line = subtitles.find(({ start, end }) => at >= start && at < end);
    return name === 'burnt-in-subtitles' && line ? showsWhole(edit, frame, line) : [];
  });
  return {
    name,
    judged: faces.flatMap((face, index) => {
      const frame = index * stepOf(edit);
      if (!face || frame >= frames.length) return [];
      const isWhole = showsWhole(edit, frame, headOf(face, edit));
      return { group: groupOf(face, edit), isWhole };
    }),
    frames: frames.length,
    isWide: edit.source.width > edit.source.height,
    small: frames.filter((frame) => isSmall(edit, frame)).length,
    lines,
    real: real.length,
    found: near(real, cuts).length,
    wrong: cuts.length - near(cuts, real).length,
    poster: judgePoster(clip, faces),
    stray: jumps.length - near(jumps, real).length,
    cpu: clip.cpuSeconds / edit.duration,
  };
}

const percent = (some: readonly boolean[]): string =>
  some.length === 0 ? '–' : `${Math.round((100 * some.filter(Boolean).length) / some.length)}`;

/** Cuts all parts of a video that are measured, and judges them. */
async function measureVideo(
  file: string,
  judge: () => ReturnType<typeof openJudge>,
): Promise<ReturnType<typeof measureClip>[]> {
  const path = join(footage, file);
  const name = file.replace(/\.\w+$/, '');
  const measured: ReturnType<typeof measureClip>[] = [];
  for (const run of runs[name] ?? [upright]) {
    const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
    try {
      const clip: Clip = { name, path, ...cutClip(path, run, directory) };
      measured.push(measureClip(clip, await judgeFaces(clip, judge)));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return measured;
}

/** What clips of real videos show, by the judgement of another face detector than the engine's. */
export async function measure(): Promise<string> {
  if (!existsSync(footage)) throw new Error('The real footage is not beside this checkout.');
  await mkdir(kept, { recursive: true });
  let opened: ReturnType<typeof openJudge> | undefined;
  const judge = () => (opened ??= openJudge(join(kept, 'judge')));
  const all: ReturnType<typeof measureClip>[] = [];
  for (const file of (await readdir(footage)).toSorted()) {
    if (/\.(?:mp4|mov|mkv|avi)$/.test(file)) all.push(...(await measureVideo(file, judge)));
  }
  const judged = all.flatMap((one) => one.judged);
  const wholes = (some: typeof judged) => `${percent(some.map(({ isWhole }) => isWhole))} %`;
  const sum = (some: typeof all, of: 'real' | 'found' | 'wrong' | 'small' | 'frames' | 'stray') =>
    some.reduce((total, one) => total + one[of], 0);
  const wides = all.filter(({ isWide }) => isWide);
  const small = Math.round((100 * sum(wides, 'small')) / sum(wides, 'frames'));
  const posters = all.flatMap(({ poster }) => poster ?? []);
  const cutPosters = posters.filter((isWhole) => !isWhole).length;
  return markdownTable(
    [`${all.length} clips`, 'measured'],
    [
      [`head whole, of ${judged.length} frames with a face`, wholes(judged)],
      ...groups.map((group) => {
        const some = judged.filter((one) => one.group === group);
        return [`– ${group} (${some.length})`, wholes(some)];
      }),
      ['cuts found', `${sum(all, 'found')} of ${sum(all, 'real')}`],
      ['wrong cuts', `${sum(all, 'wrong')}`],
      ['changes of a window that are not at cuts', `${sum(all, 'stray')}`],
      ['whole picture small, of the frames of wide videos', `${small} %`],
      ['burnt-in words whole', `${percent(all.flatMap(({ lines }) => lines))} %`],
      ['posters with a head that is cut', `${cutPosters} of ${posters.length}`],
      ['CPU ÷ duration, median', median(all.map(({ cpu }) => cpu)).toFixed(2)],
    ],
  );
}
