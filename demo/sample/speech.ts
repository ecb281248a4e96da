import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { leadIn, sentencePause, topicPause, topics } from './script.ts';

const execute = promisify(execFile);

/** Samples per second of the speech. */
export const speechRate = 16_000;

interface Spoken {
  text: string;
  topic: number;
  /** Seconds from the start of the sample. */
  start: number;
  end: number;
}

export interface Speech {
  sentences: Spoken[];
  duration: number;
  samples: Int16Array;
}

/**
 * Speaks one sentence with one of flite's voices. Silence at both ends is removed, so that its
 * times are exact.
 */
export async function speak(text: string, directory: string, voice = 'slt'): Promise<Int16Array> {
  await writeFile(join(directory, 'sentence.txt'), text);
  const { stdout } = await execute(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', '-nostdin', '-f', 'lavfi', '-i', `flite=textfile=sentence.txt:voice=${voice}`,
      '-af', 'atempo=0.94', '-ac', '1', '-ar', String(speechRate), '-f', 's16le', 'pipe:1',
    ],
    { cwd: directory, encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
  );
  const samples = new Int16Array(
    stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~1)),
  );
  const heard = (sample: number) => Math.abs(sample) > 250;
  const first = samples.findIndex(heard);
  const last = samples.findLastIndex(heard);
  return samples.slice(Math.max(0, first - 160), last + 480);
}

/**
 * Speaks the script, or only the first sentences of each topic. Writes the files that it needs to
 * `directory`.
 */
export async function speakScript(directory: string, ofEach = Infinity): Promise<Speech> {
  const parts: Int16Array[] = [];
  const sentences: Spoken[] = [];
  let length = 0;
  const add = (part: Int16Array) => {
    parts.push(part);
    length += part.length;
  };
  const quiet = (seconds: number) => add(new Int16Array(Math.round(seconds * speechRate)));
  quiet(leadIn);
  for (const [topic, { sentences: all }] of topics.entries()) {
    const texts = all.slice(0, ofEach);
    for (const [index, text] of texts.entries()) {
      const start = length / speechRate;
      add(await speak(text, directory));
      sentences.push({ text, topic, start, end: length / speechRate });
      quiet(index + 1 < texts.length ? sentencePause : topicPause);
    }
  }
  return { sentences, duration: length / speechRate, samples: joined(parts) };
}

/** Pieces of sound, one after another. */
export function joined(parts: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

/** Volume of the speech around a time, 0 to 1; opens the drawn mouth. */
export function loudnessAt({ samples }: Pick<Speech, 'samples'>, time: number): number {
  const from = Math.max(0, Math.floor((time - 0.03) * speechRate));
  const to = Math.min(samples.length, from + Math.floor(0.06 * speechRate));
  let sum = 0;
  for (let index = from; index < to; index++) sum += Math.abs(samples[index] ?? 0);
  return Math.min(1, sum / Math.max(1, to - from) / 3500);
}
