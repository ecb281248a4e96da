import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Span, Word } from '../packages/engine/src/facts.ts';
import { measuredRate } from '../packages/engine/src/source/sound-levels.ts';
import { copyWithAttention } from '../packages/engine/src/transcribers/decoder-attention.ts';
import { readRecognisedWords } from '../packages/engine/src/transcribers/recognised-words.ts';
import { withRecogniser } from '../packages/engine/src/transcribers/recogniser.ts';
import { openModel } from '../packages/engine/src/transcribers/speech-model.ts';
import { markdownTable } from './figures.ts';
import { runTimed } from './footage.ts';

type Recording = { language: string; text: string; said?: (Span & { text: string })[] };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const speech = here('../../shared/real/speech');
const folder = here('../../shared/real/models/whisper-base');
const { signal } = new AbortController();

const splitText = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Aligns what was said with what was heard: the heard word of each, or -1; and the changes. */
function align(said: readonly string[], heard: readonly string[]) {
  const cost = said.map(() => new Array<number>(heard.length + 1).fill(0));
  cost.push(Array.from({ length: heard.length + 1 }, (_, at) => heard.length - at));
  for (let row = said.length - 1; row >= 0; row--) {
    cost[row]![heard.length] = said.length - row;
    for (let column = heard.length - 1; column >= 0; column--) {
      cost[row]![column] = Math.min(
        cost[row + 1]![column + 1]! + Number(said[row] !== heard[column]),
        cost[row + 1]![column]! + 1,
        cost[row]![column + 1]! + 1,
      );
    }
  }
  const found = said.map(() => -1);
  let missing = 0;
  for (let row = 0, column = 0; row < said.length;) {
    const left = cost[row]![column]!;
    const isPair =
      column < heard.length &&
      left === cost[row + 1]![column + 1]! + Number(said[row] !== heard[column]);
    if (isPair) found[row++] = column++;
    else if (left === cost[row + 1]![column]! + 1) {
      missing++;
      row++;
    } else column++;
  }
  return { found, missing, wrong: cost[0]![0]! };
}

/** Words as the command line writes them, with the processor time of all processes. */
function recogniseWithEngine(path: string, language: string) {
  const cli = here('../packages/engine/src/cli.ts');
  const args = [cli, 'words', path, '--json', '--language', language];
  const { stdout, cpuSeconds } = runTimed(args, { SPEECH_MODEL: folder, SPEECH_URL: '' });
  return { ...(JSON.parse(stdout) as { words: Word[] }), cpuSeconds };
}

function readSound(path: string): Int16Array {
  const { stdout } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ar', `${measuredRate}`, '-ac', '1', '-f', 's16le', '-'],
    { maxBuffer: 2 ** 30 },
  );
  return new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1);
}

/** Words of the recogniser alone: 28 seconds after each other, times as it gives them. */
async function recogniseBlindly(sound: Int16Array, language: string, directory: string) {
  const model = await openModel({ model: folder, directory }, { signal });
  const decoder = join(directory, 'decoder.onnx');
  const hasAttention = await copyWithAttention(model.decoder, decoder, model.name);
  return withRecogniser(
    { ...model, decoder, hasAttention },
    { seconds: 600, signal },
    async (ask) => {
      const words: Word[] = [];
      for (let at = 0; at < sound.length; at += 28 * measuredRate) {
        const heard = await ask(sound.subarray(at, at + 28 * measuredRate), language);
        const shift = at / measuredRate;
        for (const word of readRecognisedWords({ ...heard, voice: [] }, []))
          words.push({ ...word, start: word.start + shift, end: word.end + shift });
      }
      return words;
    },
  );
}

const percent = (part: number, all: number): string => ((100 * part) / all).toFixed(1);
function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return value === undefined ? '–' : String(Math.round(1000 * value));
}

function compare({ text, said = [] }: Recording, words: readonly Word[]) {
  const heard = words.flatMap((word) => splitText(word.text).map((key) => ({ key, ...word })));
  const spoken = splitText(text);
  const keys = heard.map(({ key }) => key);
  const { found, missing, wrong } = align(spoken, keys);
  const off: number[] = [];
  let first = 0;
  for (const sentence of said) {
    const word = heard[found[first] ?? -1];
    if (word) off.push(Math.abs(word.start - sentence.start));
    first += splitText(sentence.text).length;
  }
  return [
    percent(wrong, spoken.length),
    percent(missing, spoken.length),
    at(off, 0.5),
    at(off, 0.95),
  ];
}

/**
 * Recognises recordings of which the words are known, beside the same recogniser on blind cuts of
 * 28 seconds.
 */
export async function measure(): Promise<string> {
  const truth = JSON.parse(await readFile(join(speech, 'truth.json'), 'utf8')) as Record<
    string,
    Recording
  >;
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const rows: string[][] = [];
    for (const [name, recording] of Object.entries(truth)) {
      const path = join(speech, `${name}.flac`);
      const sound = readSound(path);
      const { words, cpuSeconds } = recogniseWithEngine(path, recording.language);
      const blind = await recogniseBlindly(sound, recording.language, directory);
      const perMinute = (cpuSeconds / (sound.length / measuredRate / 60)).toFixed(1);
      rows.push([name, ...compare(recording, words), perMinute, ...compare(recording, blind)]);
    }
    const heads = ['wrong %', 'missing %', 'first words ms', '95 % ms'];
    const blind = heads.map((head) => `blind: ${head}`);
    return markdownTable(['recording', ...heads, 'CPU s a minute', ...blind], rows);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
