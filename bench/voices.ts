import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MediaInfo, Sentence, Span, Transcript, Word } from '../packages/engine/src/facts.ts';
import { run } from '../packages/engine/src/program/ffmpeg-process.ts';
import { openSource } from '../packages/engine/src/source/open-source.ts';
import { measuredRate } from '../packages/engine/src/source/sound-levels.ts';
import { readSamples } from '../packages/engine/src/source/sound-samples.ts';
import {
  loadVoiceNetwork,
  type VoiceNetwork,
} from '../packages/engine/src/transcribers/voice-network.ts';
import { readSpeakers } from '../packages/engine/src/transcribers/voice-reader.ts';
import { computeCosine, findVoiceSpan } from '../packages/engine/src/words/voices.ts';
import { markdownTable } from './figures.ts';
import { runFfmpeg } from './footage.ts';

const { signal } = new AbortController();
const shared = (path: string): string =>
  fileURLToPath(new URL(`../../shared/${path}`, import.meta.url));

/** One person who speaks, and where the sentences are; without them, there is one every 3.2 s. */
interface Recording {
  name: string;
  path: string;
  said?: readonly Span[];
}

/** A recording, and the samples of its sentences. */
interface Person {
  name: string;
  sentences: Int16Array[];
}

const evenly = { sentence: 2.8, step: 3.2 } as const;

async function listRecordings(): Promise<Recording[]> {
  const truth = shared('real/speech/truth.json');
  const known = existsSync(truth)
    ? (JSON.parse(await readFile(truth, 'utf8')) as Record<string, { said?: Span[] }>)
    : {};
  const inaugural = [
    { start: 0.3, end: 2.2 },
    { start: 3.4, end: 4.3 },
    { start: 5.4, end: 7.6 },
    { start: 8.2, end: 10.4 },
  ];
  return [
    ...Object.entries(known).map(([name, { said }]) => ({
      name,
      path: shared(`real/speech/${name}.flac`),
      ...(said && { said }),
    })),
    { name: 'jfk', path: shared('speech/jfk.wav'), said: inaugural },
    ...['man-square-vfr', 'woman-square-talks'].map((name) => ({
      name,
      path: shared(`real/footage/${name}.mp4`),
    })),
  ].filter(({ path }) => existsSync(path));
}

async function readPerson({ name, path, said }: Recording): Promise<Person> {
  const opened = await openSource(path, { from: 0, picture: null, signal });
  const { stdout } = await run(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path],
    { signal, deadlineSeconds: 60 },
  );
  const seconds = Number(stdout);
  const samples = await readSamples(opened, { source: {}, seconds, signal });
  const spans: readonly Span[] =
    said ??
    Array.from({ length: Math.floor(seconds / evenly.step) }, (_, at) => ({
      start: at * evenly.step + 0.3,
      end: at * evenly.step + 0.3 + evenly.sentence,
    }));
  return { name, sentences: spans.map((span) => cutSpan(samples, span)) };
}

const cutSpan = (samples: Int16Array, { start, end }: Span): Int16Array =>
  samples.slice(Math.round(start * measuredRate), Math.round(end * measuredRate));

const measureSeconds = ({ length }: Int16Array): number => length / measuredRate;

/** Lengths of the compared spans, in seconds. */
const lengths = [0.75, 1.5, 2.8] as const;

/** Below this cosine, two spans count as those of two persons. */
const otherCosine = 0.5;

/** Compares the voices of neighbouring spans of each person, and those of different persons. */
async function comparePairs(persons: readonly Person[], seconds: number, read: VoiceNetwork) {
  const voices: Float32Array[][] = [];
  for (const { sentences } of persons) {
    const own: Float32Array[] = [];
    for (const sentence of sentences) {
      const before = (measureSeconds(sentence) - seconds) / 2;
      if (before < -1e-3) continue;
      const span = { start: Math.max(0, before), end: Math.max(0, before) + seconds };
      own.push(await read(cutSpan(sentence, span)));
    }
    voices.push(own);
  }
  const same = voices.flatMap((own) =>
    own.slice(1).map((voice, at) => computeCosine(voice, own[at]!)),
  );
  const other = voices.flatMap((own, index) =>
    voices
      .slice(index + 1)
      .flatMap((others) => own.flatMap((one) => others.map((two) => computeCosine(one, two)))),
  );
  return { same, other };
}

const computeShare = (values: readonly number[], isSo: (value: number) => boolean): number =>
  values.filter(isSo).length / values.length;

/** Precision counts as if there were as many pairs of one person as of two. */
function writePairs(seconds: number, same: readonly number[], other: readonly number[]): string[] {
  const area = other.reduce((sum, two) => sum + computeShare(same, (one) => one > two), 0);
  const recall = computeShare(other, (value) => value < otherCosine);
  const wrong = computeShare(same, (value) => value < otherCosine);
  return [
    `${seconds} s`,
    ...[same.length, other.length].map(String),
    ...[area / other.length, recall / (recall + wrong), recall].map((value) => value.toFixed(2)),
  ];
}

/** Builds a talk: speakers take turns of one to three sentences until one of them runs out. */
function makeTalk(persons: readonly Person[]): { person: number; samples: Int16Array }[] {
  const left = persons.map(({ sentences }) => [...sentences]);
  const talk: { person: number; samples: Int16Array }[] = [];
  for (let turn = 0; left.every(({ length }) => length > 0); turn++) {
    const person = turn % persons.length;
    for (const samples of left[person]!.splice(0, 1 + (turn % 3))) talk.push({ person, samples });
  }
  return talk;
}

const pauseSeconds = 0.3;

/** Writes a talk as a file, and returns its transcript: a word for each sentence. */
async function writeTalk(talk: readonly { samples: Int16Array }[], path: string) {
  const words: Word[] = [];
  let at = 0;
  const pause = Buffer.alloc(2 * measuredRate * pauseSeconds);
  const parts = talk.flatMap(({ samples }) => {
    const end = at + measureSeconds(samples);
    words.push({ text: 'Said.', start: at, end });
    at = end + pauseSeconds;
    return [Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), pause];
  });
  const raw = `${path}.raw`;
  await writeFile(raw, Buffer.concat(parts));
  const input = ['-f', 's16le', '-ar', `${measuredRate}`, '-ac', '1', '-i', raw];
  await runFfmpeg(['-y', ...input, '-b:a', '96k', path], tmpdir());
  const sentences = words.map((word, index): Sentence => {
    return { ...word, firstWord: index, lastWord: index };
  });
  return { seconds: at, transcript: { language: 'en', words, sentences } satisfies Transcript };
}

/** Seconds of a talk with the right, a wrong and no speaker; a number is one person's at most. */
function judgeSpeakers(
  talk: readonly { person: number; samples: Int16Array }[],
  numbers: readonly (number | undefined)[],
) {
  const seconds = new Map<string, number>();
  let unsure = 0;
  talk.forEach(({ person, samples }, index) => {
    const number = numbers[index];
    const length = measureSeconds(samples);
    if (number === undefined) unsure += length;
    else {
      const key = `${number} ${person}`;
      seconds.set(key, (seconds.get(key) ?? 0) + length);
    }
  });
  const taken = new Set<string>();
  let [right, wrong] = [0, 0];
  for (const [key, length] of [...seconds].sort(([, one], [, two]) => two - one)) {
    const [number, person] = key.split(' ');
    const names = [`number ${number}`, `person ${person}`];
    if (names.some((name) => taken.has(name))) wrong += length;
    else {
      right += length;
      for (const name of names) taken.add(name);
    }
  }
  const count = new Set(numbers.filter((number) => number !== undefined)).size;
  return {
    right,
    wrong,
    unsure,
    isCountRight: count === new Set(talk.map((one) => one.person)).size,
  };
}

/** All choices of `count` persons. */
const chooseFrom = (persons: readonly Person[], count: number): Person[][] =>
  count === 0
    ? [[]]
    : persons.flatMap((person, index) =>
        chooseFrom(persons.slice(index + 1), count - 1).map((rest) => [person, ...rest]),
      );

async function judgeTalks(name: string, talks: readonly Person[][], directory: string) {
  const path = join(directory, 'talk.m4a');
  const sum = { right: 0, wrong: 0, unsure: 0, counts: 0 };
  for (const persons of talks) {
    const talk = makeTalk(persons);
    const { seconds, transcript } = await writeTalk(talk, path);
    const media = { duration: seconds, hasAudio: true } as MediaInfo;
    const opened = await openSource(path, { from: 0, picture: null, signal });
    const source = { media, opened, from: 0 };
    const heard = await readSpeakers(transcript, source, { signal, onProgress: () => {} });
    const judged = judgeSpeakers(
      talk,
      heard.words.map(({ speaker }) => speaker),
    );
    for (const kind of ['right', 'wrong', 'unsure'] as const) sum[kind] += judged[kind];
    sum.counts += Number(judged.isCountRight);
  }
  const all = sum.right + sum.wrong + sum.unsure;
  const percent = (part: number): string => `${((100 * part) / all).toFixed(1)} %`;
  return [
    ...[name, String(talks.length), (all / 60).toFixed(1)],
    ...[percent(sum.wrong), percent(sum.unsure), `${sum.counts} of ${talks.length}`],
  ];
}

/** Processor seconds for a minute of talk: decoding, and the network on each sentence. */
async function measureCost(persons: readonly Person[], read: VoiceNetwork, directory: string) {
  const talk = persons.flatMap(({ sentences }, person) =>
    sentences.map((samples) => ({ person, samples })),
  );
  const path = join(directory, 'all.m4a');
  const { seconds } = await writeTalk(talk, path);
  const sound = ['-vn', '-ar', `${measuredRate}`, '-ac', '1', '-f', 'null', '-'];
  const decoding = await runFfmpeg(['-i', path, ...sound], directory);
  const before = process.cpuUsage();
  for (const { samples } of talk) {
    const span = findVoiceSpan({ start: 0, end: measureSeconds(samples) });
    if (span) await read(cutSpan(samples, span));
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1e6 + decoding) / (seconds / 60);
}

/** Compares voices of recordings of one person each, and tells the speakers of talks of them. */
export async function measure(): Promise<string> {
  const recordings = await listRecordings();
  if (recordings.length < 3) throw new Error('The recordings beside the checkout are missing.');
  const persons = await Promise.all(recordings.map(readPerson));
  const read = await loadVoiceNetwork();
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const pairs: string[][] = [];
    for (const seconds of lengths) {
      const { same, other } = await comparePairs(persons, seconds, read);
      pairs.push(writePairs(seconds, same, other));
    }
    const long = persons.filter(({ sentences }) => sentences.length > 3);
    const talks = [
      await judgeTalks('one', chooseFrom(long, 1), directory),
      await judgeTalks('two', chooseFrom(long, 2), directory),
      await judgeTalks('three', chooseFrom(long, 3), directory),
    ];
    const cost = await measureCost(persons, read, directory);
    const heads = ['same', 'other', 'AUC', 'precision of “other”', 'recall of “other”'];
    const counts = ['talks', 'minutes', 'wrong person', 'not sure', 'number of persons right'];
    return [
      `${persons.length} persons; ${cost.toFixed(2)} s of CPU for a minute of sound.`,
      markdownTable(['spans of', ...heads], pairs),
      markdownTable(['persons', ...counts], talks),
    ].join('\n\n');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
