/** Films of two people in one picture, with real faces, whose mouths move to speech. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Span } from '../../packages/engine/src/facts.ts';
import { randomNumbers, sceneSize, writeFilm, type Face } from './face-scenes.ts';
import { drawHead, headOf, type Pose } from './talking-faces.ts';

export const filmRate = 25;
export const soundRate = 16_000;

/** What the one does who does not speak. */
type Listener = 'still' | 'nods' | 'smiles' | 'chews';

export interface Kind {
  name: string;
  /** Height of the faces, as a share of the picture's. */
  height: number;
  listener: Listener;
  /** Who is heard: one after the other, both at once, somebody out of the picture, or nobody. */
  heard: 'turns' | 'both' | 'narrator' | 'nobody';
  /** Shortest and longest pause between two turns, in seconds. */
  gap: readonly [number, number];
}

export interface Conversation {
  path: string;
  /** Who speaks when. */
  turns: (Span & { speaker: 0 | 1 })[];
  seconds: number;
}

/** How loud a sound is at each picture, 0 to 1, smoothed as a jaw is slow. */
function envelope(sound: Float32Array, pictures: number): number[] {
  const level = Array.from({ length: pictures }, (_, at) => {
    const middle = (at / filmRate) * soundRate;
    const part = sound.subarray(Math.max(0, middle - 480), Math.max(0, middle + 480));
    return Math.sqrt(
      part.reduce((sum, value) => sum + value * value, 0) / Math.max(1, part.length),
    );
  });
  const loud = Math.max(...level, 1e-6);
  // The mouth opens somewhat before it is heard.
  const ahead = 2;
  return level.map((_, at) => {
    const near = [-1, 0, 1].map((offset) => level[at + ahead + offset] ?? 0);
    return Math.min(1, (1.6 * near.reduce((sum, one) => sum + one, 0)) / 3 / loud);
  });
}

/** Makes a conversation of 10 to 20 seconds. */
export async function conversation(
  path: string,
  kind: Kind,
  options: {
    faces: readonly [Face, Face];
    ground: Buffer;
    /** Speech of each person: pieces of sound, used in turns. */
    voices: readonly [readonly Float32Array[], readonly Float32Array[]];
    seed: number;
  },
): Promise<Conversation> {
  const random = randomNumbers(options.seed);
  for (let round = 0; round < 5; round++) random();
  const between = (low: number, high: number) => low + (high - low) * random();
  const turns: Conversation['turns'] = [];
  const parts: { at: number; sound: Float32Array; speaker: 0 | 1 }[] = [];
  let time = between(0.2, 0.8);
  for (let turn = 0; time < 11 && turn < 6; turn++) {
    const speaker = (turn % 2) as 0 | 1;
    const start = time;
    const length = between(2, 5);
    while (time - start < length) {
      const of = options.voices[speaker];
      const sound = of[Math.floor(random() * of.length)]!.subarray(0, 5 * soundRate);
      parts.push({ at: time, sound, speaker });
      time += sound.length / soundRate;
      if (time - start < length) time += between(0.1, 0.5);
    }
    turns.push({ start, end: time, speaker });
    time += between(...kind.gap);
  }
  const seconds = Math.ceil(time + 0.3);
  const pictures = seconds * filmRate;
  const voices = [0, 1].map(() => new Float32Array(seconds * soundRate)) as [
    Float32Array,
    Float32Array,
  ];
  for (const { at, sound, speaker } of parts) {
    // In a film of two who speak at once, both speak all the time.
    const both = kind.heard === 'both';
    voices[speaker].set(
      sound.subarray(0, voices[0].length - Math.round(at * soundRate)),
      Math.round(at * soundRate),
    );
    if (!both) continue;
    const of = options.voices[1 - speaker]!;
    const other = of[Math.floor(random() * of.length)]!.subarray(0, sound.length);
    voices[1 - speaker]!.set(other, Math.round(at * soundRate));
  }
  const mixed = voices[0].map((value, at) => value + voices[1][at]! + (random() - 0.5) * 0.002);
  const samples = Int16Array.from(mixed, (value) => Math.max(-1, Math.min(1, value)) * 32_000);
  await writeFile(`${path}.raw`, Buffer.from(samples.buffer));

  const height = kind.height * sceneSize.height;
  const apart = Math.max(0.36 * sceneSize.width, height * 1.8);
  const heads = await Promise.all(
    options.faces.map((face) => headOf(face, height * between(0.9, 1.1), between(0.75, 1.05))),
  );
  const places = [-0.5, 0.5].map((side) => ({
    x: sceneSize.width / 2 + side * apart,
    y: sceneSize.height * between(0.35, 0.5),
  }));
  const motions = heads.map((_, person) => {
    const heard = envelope(voices[person]!, pictures);
    const loud = heard.map((_, at) => Math.max(...heard.slice(Math.max(0, at - 4), at + 5)) > 0.12);
    const widest = between(0.14, 0.26);
    const other = randomNumbers(options.seed * 7 + person);
    let [now, next, change] = [0, 0, 0];
    const begins = between(0, 9);
    const tempo = between(1.2, 1.9);
    return heard.map((level, at): Pose => {
      const second = at / filmRate;
      // A half of the movement follows the loudness, and a half the sounds of the words.
      if (at >= change) {
        now = next;
        next = other();
        change = at + 2 + Math.floor(other() * 4);
      }
      now += (next - now) * 0.45;
      const speaks = kind.heard !== 'narrator' && loud[at]!;
      const said = speaks ? widest * (0.55 * level + 0.45 * now) : 0;
      const own = kind.heard === 'turns' && speaks ? 'still' : kind.listener;
      const does = kind.heard === 'narrator' && person === 1 ? 'still' : own;
      const smile = Math.max(0, Math.min(1, 2 * (second - begins), 2 * (begins + 2.5 - second)));
      const chew = Math.max(0, Math.sin(2 * Math.PI * tempo * second + Math.sin(second))) ** 1.5;
      return {
        opening: said + (does === 'smiles' ? 0.08 * smile : does === 'chews' ? 0.13 * chew : 0),
        x: places[person]!.x + height * 0.06 * Math.sin(0.9 * second + 2 * person),
        y:
          places[person]!.y +
          height * 0.03 * Math.sin(1.3 * second + person) +
          (does === 'nods' ? height * 0.05 * Math.sin(2 * Math.PI * 1.6 * second) : 0),
        nod: does === 'nods' ? 0.05 * Math.max(0, Math.sin(2 * Math.PI * 1.6 * second)) : 0,
      };
    });
  });
  const silent = `${path}.silent.mp4`;
  await writeFilm(
    silent,
    (function* () {
      for (let at = 0; at < pictures; at++) {
        const picture = Buffer.from(options.ground);
        heads.forEach((head, person) => drawHead(picture, head, motions[person]![at]!));
        yield picture;
      }
    })(),
    { rate: filmRate },
  );
  // prettier-ignore
  await promisify(execFile)('ffmpeg', [
    '-v', 'error', '-i', silent,
    '-f', 's16le', '-ar', String(soundRate), '-ac', '1', '-i', `${path}.raw`,
    '-c:v', 'copy', '-c:a', 'aac', ...(kind.heard === 'nobody' ? ['-af', 'volume=0'] : []), '-y', path,
  ]);
  return { path, turns, seconds };
}
