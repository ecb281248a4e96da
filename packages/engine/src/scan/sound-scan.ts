import type { Loudness, Span } from '../facts.ts';
import {
  weighCrowd,
  measureCrowd,
  findReactions,
  windowFrames as crowdFrames,
  type CrowdWindow,
} from './audience.ts';
import { frameSeconds, measuredRate, minLevelDb } from '../source/sound-levels.ts';
import { findPauses } from './speech-pauses.ts';

/** Length of a loudness window in seconds. */
export const loudnessStep = 0.5;
/** Lowest level that is reported, in dBFS. */
export const minLoudnessDb = -70;

const frameSamples = measuredRate * frameSeconds;
const windowFrames = Math.round(loudnessStep / frameSeconds);
const bytesPerSample = 2;

const convertToDecibels = (power: number): number =>
  power > 0 ? Math.max(minLevelDb, 10 * Math.log10(power)) : minLevelDb;

const round = (value: number, places: number): number =>
  Math.round(value * 10 ** places) / 10 ** places;

/** Reads raw samples in chunks of any size. */
export class SoundReader {
  /** The level of each frame in dBFS; five hours have 1.8 million. */
  #levels = new Float32Array(2 ** 16);
  #frames = 0;
  readonly #loudness: number[] = [];
  /** The sum of the frames' mean powers since its last value: 1 is a square wave at full scale. */
  #power = 0;
  /** The samples since the last window that was listened to for an audience. */
  readonly #window = new Int16Array(crowdFrames * frameSamples);
  /** The zero crossings in each frame since that window, as a share of its samples. */
  readonly #crossings: number[] = [];
  readonly #crowds: CrowdWindow[] = [];
  #sum = 0;
  #crossed = 0;
  #before = 0;
  #samples = 0;
  /** The first byte of a sample whose second byte is in the next chunk. */
  #half: number | null = null;
  readonly #measure: typeof measureCrowd;

  /** @param measure measures a window for an audience: to see what is measured */
  constructor(measure = measureCrowd) {
    this.#measure = measure;
  }

  read(bytes: Buffer): void {
    let at = 0;
    if (this.#half !== null && bytes.length > 0) {
      this.#add(Uint8Array.of(this.#half, bytes[at++]!), 0, 1);
      this.#half = null;
    }
    const samples = Math.floor((bytes.length - at) / bytesPerSample);
    for (let done = 0; done < samples;) {
      const some = Math.min(samples - done, frameSamples - this.#samples);
      this.#add(bytes, at, some);
      at += some * bytesPerSample;
      done += some;
    }
    if (at < bytes.length) this.#half = bytes[at]!;
  }

  /** Adds samples of one frame. */
  #add(bytes: Uint8Array, from: number, samples: number): void {
    // Five hours have 300 million samples: local variables take half of the time.
    let [sum, crossed, before] = [0, 0, this.#before];
    let place = (this.#frames % crowdFrames) * frameSamples + this.#samples;
    const end = from + samples * bytesPerSample;
    for (let at = from; at < end; at += bytesPerSample) {
      const sample = ((bytes[at + 1]! << 24) >> 16) | bytes[at]!;
      this.#window[place++] = sample;
      sum += sample * sample;
      if (sample < 0 !== before < 0) crossed += 1;
      before = sample;
    }
    this.#sum += sum;
    this.#crossed += crossed;
    this.#before = before;
    this.#samples += samples;
    if (this.#samples < frameSamples) return;
    this.#addPower(this.#sum / frameSamples / 32_768 ** 2);
    this.#crossings.push(this.#crossed / frameSamples);
    this.#sum = 0;
    this.#crossed = 0;
    this.#samples = 0;
    if (this.#frames % crowdFrames === 0) this.#listen();
  }

  #addPower(power: number): void {
    if (this.#frames === this.#levels.length) {
      const known = this.#levels;
      this.#levels = new Float32Array(2 * known.length);
      this.#levels.set(known);
    }
    this.#levels[this.#frames++] = convertToDecibels(power);
    this.#power += power;
    if (this.#frames % windowFrames === 0) this.#addLoudness(windowFrames);
  }

  #addLoudness(frames: number): void {
    const level = convertToDecibels(this.#power / frames);
    this.#loudness.push(Math.max(minLoudnessDb, round(level, 1)));
    this.#power = 0;
  }

  /** Listens to the last window for an audience. */
  #listen(): void {
    const levels = this.#levels.slice(this.#frames - crowdFrames, this.#frames);
    const crossings = Float32Array.from(this.#crossings.splice(0));
    const number = this.#frames / crowdFrames - 1;
    const measures = this.#measure(levels, crossings, this.#window);
    const evidence = measures ? weighCrowd(measures) : 0;
    if (evidence > 0) this.#crowds.push({ number, evidence });
  }

  /** Seconds of sound that were read so far. */
  get seconds(): number {
    return this.#frames * frameSeconds;
  }

  /**
   * The pauses, levels and reactions of a source of this length. What follows the sound is a pause.
   */
  end(duration: number): { silences: Span[]; loudness: Loudness; reactions: Span[] } {
    const levels = new Float32Array(Math.ceil(duration / frameSeconds)).fill(minLevelDb);
    levels.set(this.#levels.subarray(0, Math.min(levels.length, this.#frames)));
    if (this.#frames % windowFrames > 0) this.#addLoudness(this.#frames % windowFrames);
    const silences = findPauses(levels)
      .map(({ start, end }) => ({ start: round(start, 3), end: round(Math.min(end, duration), 3) }))
      .filter(({ start, end }) => start < end);
    const reactions = findReactions(levels.subarray(0, this.#frames), this.#crowds);
    return { silences, loudness: { step: loudnessStep, values: this.#loudness }, reactions };
  }
}
