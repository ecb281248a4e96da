import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Span, Word } from '../../src/facts.ts';
import { measuredRate } from '../../src/source/sound-levels.ts';
import { type Heard, voiceSeconds } from '../../src/transcribers/recognised-words.ts';
import {
  cutPieces,
  Recognition,
  createSpeechModel,
  getWhisperLanguage,
} from '../../src/transcribers/speech-recognition.ts';
import type { SpeechJob, Transcription } from '../../src/transcribers/transcriber.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech, whisperBase } from '../support/real-speech.ts';
import { transcribeFile } from '../support/recognised-speech.ts';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
await mkdir(at('work'));
const { signal } = new AbortController();

const texts = ({ cues }: Transcription) =>
  cues.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');

describe('the sound is cut into pieces', () => {
  const pause = (start: number, seconds = 1): Span => ({ start, end: start + seconds });

  test('of at most 24 seconds, at pauses, of which a little is left at their ends', () => {
    const silences = [pause(0, 3), pause(12), pause(22), pause(40), pause(50, 10)];
    assert.deepEqual(
      cutPieces(60, silences, 0).map(({ start, end }) => [start, end]),
      [
        [2.7, 22.3],
        [22.7, 40.3],
        [40.7, 50.3],
      ],
    );
  });

  test('that are not too short for the model: it would say nothing', () => {
    const silences = [pause(0, 13), pause(14, 14.5)];
    const lengths = (minSeconds: number) =>
      cutPieces(30, silences, minSeconds).map(({ start, end }) => Number((end - start).toFixed(1)));
    assert.deepEqual(lengths(0), [1.6, 1.8]);
    assert.deepEqual(lengths(2), [17.3]);
    assert.equal(cutPieces(1, [], 2).length, 1);
  });
});

/** What a recogniser hears in a piece: words of half a second each. */
function hear(text: string, language: string, voice = 90): Heard {
  const tokens = text.split(' ').map((word, index) => ({
    text: ` ${word}`,
    start: index / 2,
    end: index / 2 + 0.5,
  }));
  const frames = (tokens.length / 2 / voiceSeconds) | 0;
  return { text, language, tokens, segmentsOnly: false, voice: new Array(frames).fill(voice) };
}

/** Recognises pieces of ten seconds each; `answer` is what is heard in which language. */
async function recognise(
  count: number,
  stated: string | null,
  answer: (piece: number, language: string, seconds: number) => Heard,
) {
  const asked: string[] = [];
  const recognition = new Recognition(
    (samples, language) => {
      asked.push(`${samples[0]}${language && ` ${language}`}`);
      return Promise.resolve(answer(samples[0]!, language, samples.length / measuredRate));
    },
    [],
    stated,
  );
  const known: number[] = [];
  for (let piece = 0; piece < count; piece++) {
    const [from, to] = [10 * piece, 10 * piece + 10];
    await recognition.add(
      { from, to, start: from, end: to },
      new Int16Array(10 * measuredRate).fill(piece),
    );
    known.push(recognition.knownUntil(to));
  }
  await recognition.end();
  return { ...recognition.transcription, asked, known };
}

describe('the language', () => {
  /** Ten seconds of words that name their piece, in the asked language or their own. */
  const talk =
    (languages: string, seconds = 10) =>
    (piece: number, language: string) => {
      const own = language || languages.split(' ')[piece]!;
      return hear(
        Array.from({ length: 2 * seconds }, (_, word) => `${own}${piece}.${word}`).join(' '),
        own,
      );
    };
  const heardIn = (result: Transcription) =>
    result.cues.map(({ words }) => words[0]!.text.slice(0, 2)).join(' ');

  test('that was named is the language of all pieces', async () => {
    const result = await recognise(2, 'fr', talk('en en'));
    assert.equal(heardIn(result), 'fr fr');
    assert.deepEqual(result.asked, ['0 fr', '1 fr']);
  });

  test('changes if two pieces show it: nothing of a talk in two languages is lost', async () => {
    const result = await recognise(5, null, talk('en en fr fr fr'));
    assert.equal(heardIn(result), 'en en fr fr fr');
    assert.deepEqual(result.asked, ['0', '1', '2', '3', '4']);
    assert.equal(result.language, 'fr');
    assert.deepEqual(result.known, [10, 20, 20, 40, 50]);
  });

  test('does not change for a quotation, also at the end', async () => {
    const result = await recognise(5, null, talk('en de en en de'));
    assert.equal(heardIn(result), 'en en en en en');
    assert.deepEqual(result.asked, ['0', '1', '2', '1 en', '3', '4', '4 en']);
    assert.equal(result.language, 'en');
  });

  test('is not told by a few words: they wait for more', async () => {
    const short = talk('cy en en', 2);
    const long = talk('cy en en');
    const result = await recognise(3, null, (piece, language) =>
      (piece === 0 ? short : long)(piece, language),
    );
    assert.equal(heardIn(result), 'en en en');
    assert.deepEqual(result.known, [0, 20, 30]);
    const only = await recognise(1, null, talk('it', 2));
    assert.equal(only.language, 'it');
  });

  test('has the code of the model', () => {
    assert.deepEqual(['pt-BR', 'nb-NO', 'jv', 'zh-Hant', 'ga', 'tlh'].map(getWhisperLanguage), [
      ...['pt', 'no', 'jw', 'zh'],
      ...[null, null],
    ]);
  });
});

describe('a piece is heard again', () => {
  test('at another cut if a phrase repeats; then the phrase is kept once', async () => {
    const loop = 'we go on we go on we go on stop';
    const lengths: number[] = [];
    const result = await recognise(1, 'en', (_, language, seconds) => {
      lengths.push(seconds);
      const text = seconds > 9 || lengths.length === 3 ? loop : 'well well';
      return { ...hear(text, language), voice: [] };
    });
    assert.deepEqual(lengths.slice(0, 3), [10, 5, 5]);
    assert.equal(texts(result), 'well well we go on stop');
  });

  test('where there is a voice and no word', async () => {
    const result = await recognise(1, 'en', (_, language, seconds) => {
      const voice = new Array<number>((seconds / voiceSeconds) | 0).fill(90);
      const heard = hear(seconds > 9 ? 'one two three four' : 'five six seven', language);
      const later = heard.tokens.map(({ text, start, end }) => ({
        text,
        start: start! + 0.4,
        end: end! + 0.4,
      }));
      return { ...heard, voice, tokens: seconds > 9 ? heard.tokens : later };
    });
    assert.equal(texts(result), 'one two three four five six seven');
    const [first] = result.cues[0]!.words.slice(4);
    assert.ok(Math.abs(first!.start - 2.1) < 0.05, `${first!.start}`);
  });
});

const isHere = existsSync(whisperBase);
const skip = isHere ? false : 'the model is not beside this checkout';

test('all words of a speech are there, each within 60 ms', { skip }, async () => {
  const shares: number[] = [];
  const heard: { words: number; until: number }[] = [];
  const result = await transcribeFile(realSpeech('jfk.wav'), at('work'), {
    onProgress: (share) => shares.push(share),
    onWords: ({ cues }, until) =>
      heard.push({ words: cues.flatMap(({ words }) => words).length, until }),
  });
  assert.equal(result.language, 'en');
  const words = result.cues.flatMap((cue) => cue.words);
  type Expected = { tokens: string[]; timestamps: number[]; durations: number[] };
  const expected = JSON.parse(
    await readFile(join(whisperBase, 'expected-jfk.json'), 'utf8'),
  ) as Expected;
  const spoken = expected.tokens.flatMap((token, index): Word[] => {
    const start = expected.timestamps[index]!;
    const end = start + expected.durations[index]!;
    return token.startsWith(' ') ? [{ text: token.trim(), start, end }] : [];
  });
  assert.deepEqual(
    words.map(({ text }) => text.replace(/\W/g, '')),
    spoken.map(({ text }) => text),
  );
  // After a pause, a word begins where its sound does, and not where the word before it ends.
  const afterPauses: Record<number, number> = { 0: 0.32, 5: 3.28, 7: 5.41, 14: 8.19 };
  words.forEach(({ text, start, end }, index) => {
    const begins = afterPauses[index] ?? spoken[index]!.start;
    assert.ok(Math.abs(start - begins) <= 0.06, `${text} begins at ${start}`);
    assert.ok(Math.abs(end - spoken[index]!.end) <= 0.06, `${text} ends at ${end}`);
  });
  assert.equal(shares.at(-1), 1);
  assert.deepEqual(heard.at(-1)?.words, 22);
  assert.deepEqual(await readdir(at('work')), []);
});

test('a model of one language is not asked about others', async () => {
  const folder = at('base.en');
  await mkdir(folder);
  for (const name of ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt']) {
    await writeFile(join(folder, `base.en-${name}`), '');
    await truncate(join(folder, `base.en-${name}`), 30e6);
  }
  const job = { hasAudio: true, duration: 5, silences: [], language: 'de', signal };
  const chosen = createSpeechModel({ model: folder, directory: at('models') });
  assert.equal(await chosen.transcribe(job as unknown as SpeechJob), null);
  assert.equal(await chosen.transcribe({ ...job, hasAudio: false } as unknown as SpeechJob), null);
});
