/** What the engine makes of a video with a clock, against what a player shows and sounds. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { renderFirstPosters, renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { checkMedia, openProbed } from '../../src/source/check-file.ts';
import { chooseOutputRate } from '../../src/source/frame-rate.ts';
import { writeSound } from '../../src/transcribers/speech-segments.ts';
import {
  beepsIn,
  beepsOf,
  clockRate,
  clockSource,
  codesIn,
  codeWindow,
  cutSeconds,
  sceneColours,
  shownIn,
  type ClockKind,
} from './clock-footage.ts';
import { ffmpeg } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

/** One frame, and the rounding of a clock. */
const frame = 1 / clockRate + 0.003;
const { signal } = new AbortController();

const near = (time: number, wanted: number, what: string) =>
  assert.ok(
    Math.abs(time - wanted) <= frame,
    `${what}: ${time.toFixed(3)}, not ${wanted.toFixed(3)}`,
  );

type Shown = Awaited<ReturnType<typeof shownIn>>;

/** Whether a picture with this number is shown within a frame of a time. */
function assertShown(code: number, time: number, shown: Shown, what: string): void {
  const last = (at: number) => shown.findLastIndex((one) => one.time <= at);
  const some = shown.slice(Math.max(0, last(time - frame)), Math.max(0, last(time + frame)) + 1);
  assert.ok(
    some.some((one) => one.code === code),
    `${what}: at ${time.toFixed(3)} s number ${code}, not ${some.map((one) => one.code).join(' or ')}`,
  );
}

const codes = async (path: string, filters = 'null') =>
  codesIn(await ffmpeg(['-i', path, '-vf', `${filters},format=gray`, '-f', 'rawvideo', 'pipe:1']));
const beeps = async (path: string) =>
  beepsIn(await ffmpeg(['-i', path, '-ac', '1', '-ar', '16000', '-f', 's16le', 'pipe:1']));

/** Mean blue and red difference of the lower half of a picture. */
async function colourAt(path: string, second: number): Promise<number[]> {
  const { width, height } = codeWindow;
  const lower = `crop=${width - 2}:${height / 2 - 8}:0:${height / 2},scale=2:2:flags=area,format=yuv444p`;
  // prettier-ignore
  const raw = await ffmpeg([
    '-ss', String(second), '-i', path, '-frames:v', '1', '-vf', lower, '-f', 'rawvideo', 'pipe:1',
  ]);
  return [raw[4]!, raw[8]!];
}

/** The kept ranges: not at frames of the source, with the change of the scene in the second one. */
const ranges = [
  { start: 2.317, end: 4.317 },
  { start: 5.317, end: 8.317 },
];

/** Checks scan, look, sound pieces, render and posters of a video of a kind. */
export async function checkClock(directory: string, clock: string, kind: ClockKind): Promise<void> {
  const path = join(directory, `source.${kind.container}`);
  await clockSource(clock, kind, path);
  const media = await checkMedia(path, await openProbed(path, signal), { maxSeconds: 60, signal });
  const shown = await shownIn(path);
  const source = { path, transcriptPath: null, media };
  // By the clock of the video, and by that of the source: the first track begins at 0.
  const ahead = shown[0]!.time - shown[0]!.code / clockRate;
  const sounding = beepsOf(kind).map((second) => ({ second, time: second + ahead }));

  const { cuts, silences, focus } = await analyse(source, { signal });
  const keys = shown.filter(({ key }) => key);
  assert.equal(focus.length, keys.length, 'each keyframe is scanned');
  focus.forEach(({ time }, index) => near(time, keys[index]!.time, 'keyframe'));
  const changed = keys.find(({ code }) => code >= cutSeconds * clockRate)!;
  assert.equal(cuts.length, 1);
  near(cuts[0]!, changed.time, 'cut of the scan');
  for (const { time } of sounding.filter(({ time }) => time > 1)) {
    assert.ok(
      silences.some(({ end }) => Math.abs(end - time) <= frame),
      `a pause ends at ${time}: ${silences.map(({ end }) => end).join(' ')}`,
    );
  }

  const wav = join(directory, 'piece.wav');
  for (const piece of [
    { start: 0, end: 4.517 },
    { start: 2.317, end: 9.517 },
  ]) {
    await writeSound({ ...media, path }, piece, wav, signal);
    const heard = await beeps(wav);
    const wanted = sounding.filter(({ time }) => time >= piece.start && time < piece.end - 0.2);
    assert.deepEqual(
      heard.map(({ second }) => second),
      wanted.map(({ second }) => second),
    );
    heard.forEach(({ time }, at) => near(time + piece.start, wanted[at]!.time, 'recogniser'));
  }

  const frameRate = chooseOutputRate(media.frameRate);
  const kept = ranges.map(({ start, end }) => ({
    start: ranges[0]!.start + Math.round((start - ranges[0]!.start) * frameRate) / frameRate,
    end: ranges[0]!.start + Math.round((end - ranges[0]!.start) * frameRate) / frameRate,
  }));
  const { x, y, width, height } = codeWindow;
  const edit = plainEdit({
    source: { ...media, colourMatrix: 'bt709' },
    ranges: kept,
    frameRate,
    dimensions: { width, height },
    framing: { mode: 'crop', x, y, width, height },
  });
  const span = { start: kept[0]!.start, end: kept[1]!.end };
  const analysis = await analysePictures(path, {
    span,
    source: media,
    frameRate,
    shape: 1,
    finders: [() => ({ find: () => Promise.resolve([]), close: () => Promise.resolve() })],
    signal,
  });
  const seen = shown.find(({ code }) => code >= cutSeconds * clockRate)!;
  assert.equal(analysis.cuts.length, 1, `cuts of the analysis: ${analysis.cuts.join(' ')}`);
  near(analysis.cuts[0]! + span.start, seen.time, 'cut of the analysis');

  const clip = join(directory, 'clip.mp4');
  await render(edit, { source: path, output: clip, quality: 'export', signal });
  const numbers = await codes(clip);
  const [first, second] = kept as [typeof span, typeof span];
  const firstFrames = Math.round((first.end - first.start) * frameRate);
  assert.equal(numbers.length, Math.round(edit.duration * frameRate));
  const sourceTime = (at: number) =>
    at < firstFrames ? first.start + at / frameRate : second.start + (at - firstFrames) / frameRate;
  numbers.forEach((code, at) => assertShown(code, sourceTime(at), shown, `frame ${at}`));
  const clipSounds = await beeps(clip);
  const clipWanted = sounding.flatMap(({ second: mark, time }) => {
    const range = kept.find(({ start, end }) => time > start + frame && time < end - 0.2);
    const before = range === second ? first.end - first.start : 0;
    return range ? [{ second: mark, time: time - range.start + before }] : [];
  });
  assert.deepEqual(
    clipSounds.map((one) => one.second),
    clipWanted.map((one) => one.second),
  );
  clipSounds.forEach(({ time }, index) => near(time, clipWanted[index]!.time, 'sound of the clip'));
  if (kind.container === 'mp4' || kind.container === 'mkv' || kind.container === 'ts') {
    for (const [scene, at] of [
      [0, 1],
      [1, 4.5],
    ] as const) {
      const colour = await colourAt(clip, at);
      sceneColours[scene].forEach((value, index) =>
        assert.ok(
          Math.abs(colour[index]! - value) < 8,
          `colour ${colour.join()} of scene ${scene}`,
        ),
      );
    }
  }

  const poster = join(directory, 'poster.jpg');
  const small = `scale=${width}:${height}`;
  const third = sourceTime(Math.floor(numbers.length / 3));
  await renderPoster(edit, { source: path, output: poster, signal });
  assertShown((await codes(poster, small))[0]!, third, shown, 'poster');
  await renderFirstPosters([{ edit, output: poster }], { source: path, signal });
  const [early] = await codes(poster, small);
  const of = shown.find(({ code }) => code === early);
  assert.ok(
    of && kept.some(({ start, end }) => of.time > start - 2 && of.time < end),
    `first poster ${early}`,
  );
  await rm(path);
}
