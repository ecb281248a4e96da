/** Mixes of recordings and of made sounds, in which an audience reacts or does not. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Span } from '../../packages/engine/src/facts.ts';
import { randomNumbers } from './face-scenes.ts';

const rate = 16_000;
export const sceneSeconds = 60;

const kinds = ['speech', 'music', 'noise', 'audience', 'laugh'] as const;
type Sound = Float32Array;

/** Recordings at 16 kHz. */
export type Material = Readonly<Record<(typeof kinds)[number], readonly Sound[]>>;

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

/**
 * Reads the folders `speech`, `music`, `noise`, `audience` (applause, cheering) and `laugh` (single
 * persons, who are mixed to an audience) of a directory.
 */
export async function materialIn(directory: string): Promise<Material> {
  const material = {} as Record<keyof Material, Sound[]>;
  for (const kind of kinds) material[kind] = await recordings(join(directory, kind));
  return material;
}

/** Every second recording, so that what is fitted to some can be measured on the others. */
export const halfOf = (material: Material, half: number): Material =>
  Object.fromEntries(
    kinds.map((kind) => [kind, material[kind].filter((_, at) => at % 2 === half)]),
  ) as unknown as Material;

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

const nothing = (seconds: number): Sound => new Float32Array(Math.round(seconds * rate));

interface Burst {
  hertz: number;
  sharpness: number;
  fadeSeconds: number;
  gain: number;
}

const colours = ['white', 'pink', 'brown'] as const;

type Event = keyof ReturnType<typeof soundMaker>['events'];
type Background = keyof ReturnType<typeof soundMaker>['backgrounds'];
const reactionEvents: ReadonlySet<Event | null> = new Set(['applause', 'clapping', 'laughter']);
const louder: ReadonlySet<Event | null> = new Set(['loud speech', 'several talk', 'shout']);

export interface Scene {
  /** What comes between the sentences, and what is below them. */
  event: Event | null;
  background: Background;
  samples: Int16Array;
  reactions: Span[];
}

/** What may come between sentences, and what may be below them. */
function soundMaker(material: Material, random: () => number) {
  const between = (low: number, high: number) => low + (high - low) * random();
  const oneOf = (sounds: readonly Sound[]) => sounds[Math.floor(random() * sounds.length)]!;
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
    const sound = nothing(seconds);
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

  /** Adds noise that rings at a frequency and fades: a clap, a drum, a key or a drop. */
  function addBurst(
    sound: Sound,
    second: number,
    { hertz, sharpness, fadeSeconds, gain }: Burst,
  ): void {
    const radius = Math.exp((-Math.PI * hertz) / sharpness / rate);
    const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / rate);
    const from = Math.round(second * rate);
    const fade = fadeSeconds * rate;
    let [last, before] = [0, 0];
    for (let at = 0; at < 6 * fade && from + at < sound.length; at++) {
      const noise = (random() * 2 - 1) * Math.exp(-at / fade) * (1 - radius);
      [last, before] = [noise + turn * last - radius ** 2 * before, last];
      sound[from + at]! += gain * last;
    }
  }

  /** Eight to 120 people who clap in a room, each in their own time with their own hands. */
  function clapping(seconds: number): Sound {
    const sound = nothing(seconds);
    const people = Math.round(Math.exp(between(Math.log(8), Math.log(120))));
    for (let person = 0; person < people; person++) {
      const hertz = between(600, 2500);
      const sharpness = between(0.7, 2);
      const period = between(0.2, 0.45);
      const gain = between(0.3, 1);
      const stop = seconds - random() * Math.min(1, seconds / 3);
      let second = random() * Math.min(0.7, seconds / 3);
      for (; second < stop; second += period * between(0.93, 1.07)) {
        const fadeSeconds = between(0.004, 0.01);
        addBurst(sound, second, { hertz, sharpness, fadeSeconds, gain: gain * between(0.6, 1) });
      }
    }
    const echoes = [0.0131, 0.0297, 0.0371, 0.0533].map((delay) => Math.round(delay * rate));
    sound.forEach((_, at) => {
      for (const echo of echoes) if (at >= echo) sound[at]! += 0.25 * sound[at - echo]!;
    });
    return sound;
  }

  /** Several people who talk at once. */
  function babble(seconds: number): Sound {
    const sound = nothing(seconds);
    const people = Math.round(between(2, 8));
    for (let person = 0; person < people; person++) {
      let second = random();
      while (second < seconds - 0.2) {
        const { end } = add(sound, oneOf(material.speech), second, between(-4, 0));
        second = end + between(0.05, 0.3);
      }
    }
    return sound;
  }

  /** Higher, and so loud that it is distorted. */
  function shout(): Sound {
    const voice = part(oneOf(material.speech), between(1, 2.5));
    const high = Float32Array.from(
      { length: Math.floor(voice.length / 0.75) },
      (_, at) => voice[Math.floor(at * 0.75)]!,
    );
    return high.map((value, at) => Math.tanh(16 * value - 10.8 * (high[at - 1] ?? 0)));
  }

  function drumKit(seconds: number): Sound {
    const sound = nothing(seconds);
    const beat = between(0.28, 0.6);
    for (let half = 0; (half * beat) / 2 < seconds; half++) {
      const second = (half * beat) / 2;
      const hit = (hertz: number, sharpness: number, fadeSeconds: number, gain: number) =>
        addBurst(sound, second, { hertz, sharpness, fadeSeconds, gain });
      hit(6000, 0.8, between(0.015, 0.06), 0.5);
      if (half % 4 === 0) hit(70, 5, 0.07, 4);
      if (half % 4 === 2) {
        hit(1800, 0.5, 0.06, 1.5);
        hit(200, 4, 0.05, 1.5);
      }
      if (half % 16 === 0) hit(5000, 0.4, 0.5, 0.7);
    }
    return sound;
  }

  /** Bursts again and again. */
  function repeated(
    seconds: number,
    pause: readonly [number, number],
    burst: () => Omit<Burst, 'gain'>,
  ): Sound {
    const sound = nothing(seconds);
    for (let second = 0; second < seconds; second += between(...pause)) {
      addBurst(sound, second, { ...burst(), gain: between(0.3, 1) });
    }
    return sound;
  }

  function oneClap(): Sound {
    const sound = nothing(1);
    addBurst(sound, 0.01, { hertz: 1200, sharpness: 1, fadeSeconds: 0.007, gain: 1 });
    addBurst(sound, 0.02, { hertz: 900, sharpness: 0.4, fadeSeconds: 0.15, gain: 0.2 });
    return sound;
  }

  function rain(seconds: number): Sound {
    const sound = hiss('white', seconds);
    for (let drop = 0; drop < seconds * between(20, 300); drop++) {
      addBurst(sound, random() * seconds, {
        hertz: between(800, 5000),
        sharpness: between(1, 6),
        fadeSeconds: between(0.001, 0.005),
        gain: between(0.1, 1.2),
      });
    }
    return sound;
  }

  /** Cars that come and go. */
  function traffic(seconds: number): Sound {
    const sound = nothing(seconds);
    for (let car = 0; car < 3; car++) {
      const [engine, tyres] = [hiss('brown', seconds), hiss('pink', seconds)];
      const [middle, width] = [random() * seconds, between(0.6, 1.6)];
      sound.forEach((_, at) => {
        const near = 1 / (1 + ((at / rate - middle) / width) ** 2);
        sound[at]! += near * (engine[at]! + 1.2 * tyres[at]!);
      });
    }
    return sound;
  }

  function wind(seconds: number): Sound {
    let [drift, gust] = [0, 0];
    return hiss('pink', seconds).map((value) => {
      drift = 0.9995 * (drift + 0.002 * (random() * 2 - 1));
      gust = 0.999 * gust + 0.01 * Math.abs(drift);
      return value * (0.2 + gust);
    });
  }

  const events = {
    applause: () => part(oneOf(material.audience), between(1.5, 6)),
    clapping: () => clapping(between(1.5, 6)),
    laughter: () => laughter(between(1.5, 4)),
    music: () => part(oneOf(material.music), between(1.5, 8)),
    noise: () => part(oneOf(material.noise), between(1, 8)),
    hiss: () => hiss(colours[Math.floor(random() * 3)]!, between(1, 6)),
    'loud speech': () => part(oneOf(material.speech), between(1, 6)),
    'several talk': () => babble(between(2, 6)),
    shout,
    drums: () => drumKit(between(2, 8)),
    shaker: () =>
      repeated(between(2, 6), [0.1, 0.25], () => {
        const fadeSeconds = between(0.02, 0.05);
        return { hertz: 5000, sharpness: 0.6, fadeSeconds };
      }),
    keyboard: () =>
      repeated(between(1.5, 6), [0.04, 0.2], () => {
        const hertz = between(1500, 4500);
        return { hertz, sharpness: 1.2, fadeSeconds: between(0.002, 0.004) };
      }),
    'one clap': oneClap,
    rain: () => rain(between(1.5, 8)),
    traffic: () => traffic(between(3, 8)),
    wind: () => wind(between(2, 8)),
  } as const;

  const backgrounds = {
    none: () => null,
    music: () => ({ sound: part(oneOf(material.music), sceneSeconds), db: between(-18, -6) }),
    noise: () => ({
      sound: hiss(colours[Math.floor(random() * 3)]!, sceneSeconds),
      db: between(-35, -12),
    }),
  } as const;

  return { between, oneOf, events, backgrounds };
}

/** Each kind of event over each background, and each background alone. */
export function* crowdScenes(
  material: Material,
  { seed, each }: { seed: number; each: number },
): Generator<Scene> {
  const { between, oneOf, events, backgrounds } = soundMaker(material, randomNumbers(seed));
  const sceneOf = (event: Event | null, background: Background): Scene => {
    const scene = nothing(sceneSeconds);
    const below = backgrounds[background]();
    if (below) add(scene, below.sound, 0, below.db);
    const planted: Span[] = [];
    let second = 0.5;
    let next = between(4, 10);
    while (second < sceneSeconds - 1) {
      if (event && second >= next) {
        const sound = events[event]();
        const level = louder.has(event) ? between(0, 10) : between(-10, 5);
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
    return { event, background, samples, reactions: reactionEvents.has(event) ? planted : [] };
  };
  for (const background of Object.keys(backgrounds) as Background[]) {
    for (const event of [null, ...(Object.keys(events) as Event[])]) {
      for (let number = 0; number < each; number++) yield sceneOf(event, background);
    }
  }
}

const shared = (one: Span, other: Span) =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

/** How many reactions of a scene were found, and how many were claimed wrongly. */
export const countsOf = ({ reactions }: Pick<Scene, 'reactions'>, claims: readonly Span[]) => ({
  planted: reactions.length,
  found: reactions.filter((one) => claims.some((span) => shared(one, span) > 0.5)).length,
  claims: claims.length,
  wrong: claims.filter(
    (span) => !reactions.some((one) => shared(one, span) >= 0.5 * (span.end - span.start)),
  ).length,
});
