/**
 * Videos with a clock: each frame shows its number as a bar code, a beep begins with each second,
 * and the scene changes at {@link cutSeconds}. All are cut from the same twelve seconds, so the
 * numbers and beeps of a video tell what a player would show and sound at any time.
 */
import { rm, writeFile } from 'node:fs/promises';
import { describeFrames, ffmpeg } from 'clip-testkit/media-footage';

export const clockRate = 25;
export const clockSize = { width: 256, height: 144 };
export const cutSeconds = 6;
const seconds = 12;

/** Bars of the code, each this wide, from this column on, in the upper third. */
const bits = 10;
const barPixels = 12;
const firstColumn = 68;

/** A part of the picture with the whole code. Its place is odd on purpose. */
export const codeWindow = { x: 67, y: 0, width: 126, height: 144 };

/** Colours (Cb, Cr) before and after the change of the scene. */
export const sceneColours = [
  [100, 170],
  [170, 90],
] as const;

/** A frame in the planes of yuv420p. */
function frame(index: number): Buffer {
  const { width, height } = clockSize;
  const after = index >= cutSeconds * clockRate ? 1 : 0;
  const luma = Buffer.alloc(width * height, after ? 170 : 70);
  for (let bit = 0; bit < bits; bit++) {
    const level = (index >> bit) & 1 ? 220 : 30;
    const column = firstColumn + bit * barPixels;
    for (let row = 0; row < 48; row++) {
      luma.fill(level, row * width + column, row * width + column + barPixels);
    }
  }
  const chroma = sceneColours[after].map((value) => Buffer.alloc((width * height) / 4, value));
  return Buffer.concat([luma, ...chroma]);
}

const beepSeconds = 0.15;
/** Each beep has its own pitch, so that it cannot be taken for another. */
const pitch = (second: number) => 400 + 200 * second;
const sound = `aevalsrc='0.5*sin(2*PI*(400+200*floor(t))*mod(t,1))*lt(mod(t,1),${beepSeconds})':s=48000:d=${seconds}`;

/** Draws the video that all others are cut from. */
export async function clockVideo(path: string): Promise<void> {
  const { width, height } = clockSize;
  const raw = `${path}.yuv`;
  await writeFile(
    raw,
    Array.from({ length: seconds * clockRate }, (_, index) => frame(index)),
  );
  // prettier-ignore
  await ffmpeg([
    '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(clockRate), '-i', raw,
    '-f', 'lavfi', '-i', sound,
    '-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', '-c:a', 'pcm_s16le', path,
  ]);
  await rm(raw);
}

export interface ClockKind {
  container: 'mp4' | 'mov' | 'mkv' | 'webm' | 'ts' | 'flv' | 'avi' | 'mpg';
  start: 'at 0' | 'at 1.2 s' | 'below 0' | 'late sound' | 'late picture' | 'a hole in the sound';
  rate: 'constant' | 'sparse' | 'dropped';
  keyframeSeconds: 1 | 4;
  order: 'in order' | 'B-frames';
  depth: 8 | 10;
}

export const clockAxes: { [Axis in keyof ClockKind]: readonly ClockKind[Axis][] } = {
  container: ['mp4', 'mov', 'mkv', 'webm', 'ts', 'flv', 'avi', 'mpg'],
  start: ['at 0', 'at 1.2 s', 'below 0', 'late sound', 'late picture', 'a hole in the sound'],
  rate: ['constant', 'sparse', 'dropped'],
  keyframeSeconds: [1, 4],
  order: ['in order', 'B-frames'],
  depth: [8, 10],
};

const lateSeconds = 1.2;
/** The sound that a video with a hole lacks. */
export const hole = { start: 3.5, end: 5.6 };

const codecs: Readonly<Record<ClockKind['container'], readonly [string, string]>> = {
  mp4: ['libx264', 'aac'],
  mov: ['libx264', 'pcm_s16le'],
  mkv: ['libx264', 'aac'],
  webm: ['libvpx', 'libopus'],
  ts: ['libx264', 'aac'],
  flv: ['libx264', 'aac'],
  avi: ['mpeg4', 'mp3'],
  mpg: ['mpeg2video', 'mp2'],
};

/** Whether a container can hold such a video at all. */
export function canHold({ container, start, rate, order, depth }: ClockKind): boolean {
  const [video] = codecs[container];
  if (depth === 10 && (video !== 'libx264' || container === 'flv')) return false;
  if (order === 'B-frames' && (container === 'webm' || container === 'avi')) return false;
  if (container === 'flv' && rate === 'sparse') return false;
  // Samples that are not packed follow each other without a gap.
  if (container === 'mov' && start === 'a hole in the sound') return false;
  // AVI has one length for all frames, and most containers have no times below zero.
  if (container === 'avi') return start === 'at 0' && rate === 'constant';
  if (start === 'below 0' && !/^(?:mp4|mov|ts)$/.test(container)) return false;
  return !(container === 'mpg' && rate !== 'constant');
}

/** The beeps that can be heard of a kind, by their seconds. */
export const beepsOf = ({ start }: ClockKind): number[] =>
  Array.from({ length: seconds }, (_, second) => second).filter(
    (second) =>
      (start !== 'late sound' || second > lateSeconds) &&
      (start !== 'a hole in the sound' || second < hole.start || second > hole.end),
  );

/** Makes a video of a kind from the clock video. */
export async function clockSource(clock: string, kind: ClockKind, path: string): Promise<void> {
  const { container, start, rate, keyframeSeconds, order, depth } = kind;
  const [video, audio] = codecs[container];
  const keyframe = `expr:gte(t,n_forced*${keyframeSeconds})`;
  const kept = [
    ...(start === 'late picture' ? [`gte(t,${lateSeconds})`] : []),
    ...(rate === 'sparse' ? ['not(mod(n,40))'] : []),
    ...(rate === 'dropped' ? ['not(eq(mod(n,7),3))'] : []),
  ];
  const heard = [
    ...(start === 'late sound' ? [`gte(t,${lateSeconds})`] : []),
    ...(start === 'a hole in the sound' ? [`not(between(t,${hole.start},${hole.end}))`] : []),
  ];
  const offset = start === 'at 1.2 s' ? lateSeconds : start === 'below 0' ? -0.5 : 0;
  // prettier-ignore
  await ffmpeg([
    '-i', clock,
    '-vf', `select='${kept.join('*') || '1'}'`, '-af', `aselect='${heard.join('*') || '1'}'`,
    '-fps_mode', 'passthrough', '-c:v', video, '-c:a', audio, '-ac', '1',
    '-pix_fmt', depth === 10 ? 'yuv420p10le' : 'yuv420p', '-colorspace', 'bt709',
    ...(video === 'libx264' ? ['-preset', 'veryfast', '-crf', '16', '-sc_threshold', '0'] : ['-b:v', '1500k']),
    ...(video === 'libvpx' ? ['-deadline', 'realtime', '-cpu-used', '8'] : []),
    '-g', '500', '-force_key_frames', keyframe,
    ...(container === 'webm' ? [] : ['-bf', order === 'B-frames' ? '3' : '0']),
    ...(offset !== 0 ? ['-output_ts_offset', String(offset), '-avoid_negative_ts', 'disabled'] : []),
    path,
  ]);
}

/** The numbers of raw grey pictures that show the code window. */
export function codesIn(raw: Buffer): number[] {
  const { width, height } = codeWindow;
  return Array.from({ length: Math.floor(raw.length / (width * height)) }, (_, index) => {
    const row = index * width * height + 20 * width;
    let code = 0;
    for (let bit = 0; bit < bits; bit++) {
      const column = firstColumn - codeWindow.x + bit * barPixels + barPixels / 2;
      if (raw[row + column]! > 125) code += 2 ** bit;
    }
    return code;
  });
}

const sampleRate = 16_000;

/** The beeps of raw 16-bit mono samples at 16 kHz: which second each marks, and when it begins. */
export function beepsIn(raw: Buffer): { second: number; time: number }[] {
  const sample = (index: number) => raw.readInt16LE(2 * index);
  const count = raw.length / 2;
  const found: { second: number; time: number }[] = [];
  const loud = 1500;
  for (let index = 0; index < count; index++) {
    if (Math.abs(sample(index)) < loud) continue;
    const length = Math.min(0.12 * sampleRate, count - index);
    let crossings = 0;
    for (let at = index + 1; at < index + length; at++) {
      if (sample(at - 1) < 0 !== sample(at) < 0) crossings += 1;
    }
    const hertz = (crossings / 2 / length) * sampleRate;
    // Plus 0, because a pitch slightly too low rounds to -0.
    const second = Math.round((hertz - pitch(0)) / (pitch(1) - pitch(0))) + 0;
    // A beep that is cut off tells little.
    if (length >= 0.12 * sampleRate) found.push({ second, time: index / sampleRate });
    index += 0.5 * sampleRate;
  }
  return found;
}

/** What a player shows: the frames of a video in order, with their times from its start. */
export async function shownIn(path: string) {
  const { startTime, frames } = await describeFrames(path);
  const { x, y, width, height } = codeWindow;
  // prettier-ignore
  const raw = await ffmpeg([
    '-i', path, '-an', '-vf', `format=yuv420p,crop=${width}:${height}:${x}:${y}:exact=1,format=gray`,
    '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1',
  ]);
  const codes = codesIn(raw);
  return codes.map((code, index) => {
    const { time, key } = frames[index]!;
    return { time: time - startTime, key, code };
  });
}

const axes = Object.keys(clockAxes) as (keyof ClockKind)[];

/** Each pair of values of two axes, as text. */
const pairsOf = (kind: ClockKind): string[] =>
  axes.flatMap((one, index) =>
    axes.slice(index + 1).map((other) => `${one} ${kind[one]}, ${other} ${kind[other]}`),
  );

/** A few kinds that have every pair of values that some video can have. */
export function clockKinds(): ClockKind[] {
  const all = axes
    .reduce<Partial<ClockKind>[]>(
      (kinds, axis) =>
        kinds.flatMap((kind) => clockAxes[axis].map((value) => ({ ...kind, [axis]: value }))),
      [{}],
    )
    .map((kind) => kind as ClockKind)
    .filter(canHold);
  const missing = new Set(all.flatMap(pairsOf));
  const news = (kind: ClockKind) => pairsOf(kind).filter((pair) => missing.has(pair)).length;
  const chosen: ClockKind[] = [];
  while (missing.size > 0) {
    const best = all.reduce((one, other) => (news(other) > news(one) ? other : one));
    for (const pair of pairsOf(best)) missing.delete(pair);
    chosen.push(best);
  }
  return chosen;
}
