/**
 * How many reactions of an audience are heard, and how many claimed ones are none, in mixes of real
 * recordings. Prints a table: `npm run bench:audience -- DIRECTORY`, with the folders `speech`,
 * `music`, `noise`, `audience` (applause, cheering) and `laugh` (single persons, who are mixed to
 * an audience).
 */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Span } from '../engine/src/facts.ts';
import { SoundReader } from '../engine/src/scan/sound-scan.ts';
import { randomNumbers } from './face-scenes.ts';

const rate = 16_000;
const sceneSeconds = 60;
const scenesOfEach = 12;

type Kind = 'speech' | 'music' | 'noise' | 'audience' | 'laugh';
type Sound = Float32Array;

async function recording(path: string): Promise<Sound> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-t', '120', '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 28 },
  );
  return new Float32Array(Uint8Array.from(stdout).buffer);
}

async function recordings(directory: string): Promise<Sound[]> {
  const names = (await readdir(directory)).toSorted();
  const all: Sound[] = [];
  for (const name of names) all.push(await recording(join(directory, name)));
  return all.filter((sound) => sound.length > rate / 3);
}

const directory = process.argv[2];
if (!directory) throw new Error('Name a directory with recordings: bench/audience.ts DIRECTORY');
const seed = Number(process.argv[3] ?? 5);
const material = {} as Record<Kind, Sound[]>;
for (const kind of ['speech', 'music', 'noise', 'audience', 'laugh'] as const) {
  material[kind] = await recordings(join(directory, kind));
}

const random = randomNumbers(seed);
const between = (low: number, high: number) => low + (high - low) * random();
const oneOf = (sounds: readonly Sound[]) => sounds[Math.floor(random() * sounds.length)]!;

/** The power of a sound without its silent parts. */
function powerOf(sound: Sound): number {
  const frames: number[] = [];
  for (let from = 0; from < sound.length; from += 160) {
    const frame = sound.subarray(from, from + 160);
    frames.push(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
  }
  const loudest = frames.toSorted((a, b) => b - a).slice(0, Math.ceil(frames.length / 2));
  return loudest.reduce((sum, power) => sum + power, 0) / loudest.length + 1e-12;
}

/** Adds a sound so that its level is this much above the speech's, which is -23 dBFS. */
function add(scene: Sound, sound: Sound, second: number, levelDb: number): Span {
  const factor = Math.sqrt(10 ** ((levelDb - 23) / 10) / powerOf(sound));
  const from = Math.round(second * rate);
  const length = Math.min(sound.length, scene.length - from);
  const fade = Math.min(0.05 * rate, length / 4);
  for (let at = 0; at < length; at++) {
    const edge = Math.min(1, at / fade, (length - at) / fade);
    scene[from + at]! += sound[at]! * factor * edge;
  }
  return { start: second, end: second + length / rate };
}

function part(sound: Sound, seconds: number): Sound {
  const length = Math.min(sound.length, Math.round(seconds * rate));
  const from = Math.floor(random() * (sound.length - length));
  return sound.subarray(from, from + length);
}

/** Another person with the same laugh: faster and higher, or slower and lower. */
function otherVoice(sound: Sound): Sound {
  const factor = between(0.8, 1.25);
  return Float32Array.from(
    { length: Math.floor(sound.length / factor) },
    (_, at) => sound[Math.floor(at * factor)]!,
  );
}

function laughter(seconds: number): Sound {
  const sound = new Float32Array(Math.round(seconds * rate));
  const people = Math.round(between(12, 40));
  for (let person = 0; person < people; person++) {
    const voice = otherVoice(oneOf(material.laugh));
    const last = Math.max(0, seconds - voice.length / rate);
    add(sound, voice, random() ** 1.5 * last, between(-8, 0));
  }
  return sound;
}

function hiss(colour: 'white' | 'pink' | 'brown', seconds: number): Sound {
  let [low, lower, sum] = [0, 0, 0];
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    const white = random() * 2 - 1;
    if (colour === 'white') return white * 0.2;
    low = 0.97 * low + 0.03 * white;
    lower = 0.6 * lower + 0.4 * white;
    if (colour === 'pink') return low + 0.15 * lower;
    sum = 0.995 * sum + 0.03 * white;
    return sum;
  });
}

const colours = ['white', 'pink', 'brown'] as const;

const events = {
  applause: () => part(oneOf(material.audience), between(1.5, 6)),
  laughter: () => laughter(between(1.5, 4)),
  music: () => part(oneOf(material.music), between(1.5, 8)),
  noise: () => part(oneOf(material.noise), between(1, 8)),
  hiss: () => hiss(colours[Math.floor(random() * 3)]!, between(1, 6)),
  'loud speech': () => part(oneOf(material.speech), between(1, 6)),
} as const;
type Event = keyof typeof events;

const beds = {
  none: () => null,
  music: () => ({ sound: part(oneOf(material.music), sceneSeconds), db: between(-18, -6) }),
  noise: () => ({
    sound: hiss(colours[Math.floor(random() * 3)]!, sceneSeconds),
    db: between(-35, -12),
  }),
} as const;
type Bed = keyof typeof beds;

/** Each kind of event with each bed, and beds alone. */
const kinds: { event: Event | null; bed: Bed }[] = (Object.keys(beds) as Bed[]).flatMap((bed) =>
  [null, ...(Object.keys(events) as Event[])].map((event) => ({ event, bed })),
);

function sceneOf({ event, bed }: (typeof kinds)[number]) {
  const scene = new Float32Array(sceneSeconds * rate);
  const below = beds[bed]();
  if (below) add(scene, below.sound, 0, below.db);
  const planted: Span[] = [];
  let second = 0.5;
  let next = between(4, 10);
  while (second < sceneSeconds - 1) {
    if (event && second >= next) {
      const sound = events[event]();
      const level = event === 'loud speech' ? between(3, 10) : between(-10, 5);
      const span = add(scene, sound, second, level);
      planted.push(span);
      second = span.end + between(0.05, 0.6);
      next = second + between(8, 15);
    }
    const { end } = add(scene, oneOf(material.speech), second, between(-3, 3));
    second = end + between(0.1, 0.7);
  }
  const peak = scene.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  const samples = Int16Array.from(scene, (sample) => Math.round((sample / peak) * 32_767));
  const reaction = event === 'applause' || event === 'laughter';
  return { samples, reactions: reaction ? planted : [] };
}

const shared = (one: Span, other: Span) =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

const rows: string[] = [];
const total = { planted: 0, found: 0, claims: 0, wrong: 0 };
const busy = { scan: 0, seconds: 0 };
for (const kind of kinds) {
  const row = { planted: 0, found: 0, claims: 0, wrong: 0 };
  for (let number = 0; number < scenesOfEach; number++) {
    const { samples, reactions } = sceneOf(kind);
    const before = process.cpuUsage();
    const reader = new SoundReader();
    reader.piece(Buffer.from(samples.buffer));
    const heard = (await reader.end(sceneSeconds)).reactions;
    const { user, system } = process.cpuUsage(before);
    busy.scan += (user + system) / 1e6;
    busy.seconds += sceneSeconds;
    row.planted += reactions.length;
    row.found += reactions.filter((one) => heard.some((span) => shared(one, span) > 0.5)).length;
    row.claims += heard.length;
    row.wrong += heard.filter(
      (span) => !reactions.some((one) => shared(one, span) >= 0.5 * (span.end - span.start)),
    ).length;
  }
  for (const key of ['planted', 'found', 'claims', 'wrong'] as const) total[key] += row[key];
  rows.push(
    `| ${kind.event ?? 'speech alone'} | ${kind.bed} | ${row.planted} | ${row.found} | ${row.claims} | ${row.wrong} |`,
  );
}
console.log(
  [
    '| between the sentences | below them | reactions | found | claims | false |',
    '|---|---|---|---|---|---|',
    ...rows,
    `| all | | ${total.planted} | ${total.found} | ${total.claims} | ${total.wrong} |`,
    '',
    `Processor time: ${((1000 * busy.scan) / busy.seconds).toFixed(1)} ms for a second of sound.`,
  ].join('\n'),
);
