import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Word } from '../../src/facts.ts';
import { snappedToPauses } from '../../src/transcribers/speech-segments.ts';
import { whisperLanguage, whisperWords } from '../../src/transcribers/whisper-process.ts';
import { dice } from '../support/media-analysis.ts';

/** What whisper.cpp returns: a token each 200 ms. `¦` splits tokens. */
function said(tokens: string, broken: Record<number, string> = {}) {
  const texts = tokens.split('¦');
  return {
    language: 'en',
    result: texts.join(''),
    segments: texts.map((text, index) => ({
      text: broken[index] ?? text,
      t0: index * 200,
      t1: index * 200 + 200,
    })),
  };
}

const shown = (words: readonly Word[]) =>
  words.map(({ text, start, end }) => `${text} ${start.toFixed(1)}-${end.toFixed(1)}`);

test('tokens become words with their times and marks', () => {
  const words = whisperWords(said(' And¦ so¦,¦ my¦ fell¦ow¦ Americ¦ans¦.'), []);
  assert.deepEqual(shown(words), [
    'And 0.0-0.2',
    'so, 0.2-0.4',
    'my 0.6-0.8',
    'fellow 0.8-1.2',
    'Americans. 1.2-1.6',
  ]);
});

test('letters that are split between tokens become whole again', () => {
  const answer = said(' 我¦想¦说', { 1: '\ufffd', 2: '\ufffd\ufffd' });
  const words = whisperWords(answer, []);
  assert.equal(words.map(({ text }) => text).join(''), '我想说');
  const middle = whisperWords(said(' a¦é¦ b', { 1: '\ufffd' }), []);
  assert.deepEqual(
    middle.map(({ text }) => text),
    ['aé', 'b'],
  );
});

test('sounds in brackets are not words, what is said in brackets is', () => {
  const heard = (tokens: string) => whisperWords(said(tokens), []).map(({ text }) => text);
  assert.deepEqual(heard(' [¦BL¦ANK¦_¦AUDIO¦]¦ Yes'), ['Yes']);
  assert.deepEqual(heard(' No¦ (¦aud¦ience¦ laughing¦)¦ way'), ['No', 'way']);
  assert.deepEqual(heard(' *¦s¦ighs¦*¦ fine'), ['fine']);
  assert.deepEqual(heard(' ♪¦ la¦ la¦ ♪'), []);
  const open = ` (${Array.from({ length: 60 }, () => ' so').join('¦')}`;
  assert.equal(heard(open).length, 60);
});

test('words that are invented in a long pause are dropped', () => {
  const words = whisperWords(said(' I¦ know¦.¦ Thanks¦ for¦ watching¦.¦ And¦ then'), [
    { start: 0.15, end: 1.75 },
  ]);
  assert.deepEqual(
    words.map(({ text }) => text),
    ['I', 'know.', 'And', 'then'],
  );
});

test('times are within 80 ms at pauses, if those of the recogniser are up to 0.25 s off', () => {
  const random = dice(5);
  const exact: Word[] = [];
  const pauses = [{ start: 0, end: 0.28 }];
  let at = 0.3;
  for (let sentence = 0; sentence < 40; sentence++) {
    for (let word = 0; word < 6; word++) {
      const end = at + 0.28 + 0.2 * random();
      exact.push({ text: 'word', start: at, end });
      at = end;
    }
    pauses.push({ start: at + 0.02, end: at + 0.68 });
    at += 0.7;
  }
  const moved = exact.map(({ text, start, end }, index) => {
    const edge = index % 6 === 0;
    const last = index % 6 === 5;
    const off = () => 0.5 * random() - 0.25;
    return { text, start: edge ? start + off() : start, end: last ? end + off() : end };
  });
  snappedToPauses(moved, pauses).forEach((word, index) => {
    assert.ok(Math.abs(word.start - exact[index]!.start) <= 0.08, `start of ${index}`);
    assert.ok(Math.abs(word.end - exact[index]!.end) <= 0.08, `end of ${index}`);
  });
});

test('languages get the codes of the model', () => {
  assert.deepEqual(['pt-BR', 'nb-NO', 'jv', 'zh-Hant', 'ga', 'tlh'].map(whisperLanguage), [
    'pt',
    'no',
    'jw',
    'zh',
    null,
    null,
  ]);
});
