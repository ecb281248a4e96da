import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Span } from '../../src/facts.ts';
import { joinCues, keepOwnCues, splitSpeech } from '../../src/transcribers/speech-segments.ts';
import type { Cue } from '../../src/words/subtitles.ts';
import { dice } from 'clip-testkit/media-analysis';

const cue = (...words: [text: string, start: number, end: number][]): Cue => ({
  start: words[0]![1],
  end: words.at(-1)![2],
  timed: true,
  words: words.map(([text, start, end]) => ({ text, start, end })),
});
const texts = (cues: readonly Cue[]) => cues.flatMap(({ words }) => words.map(({ text }) => text));

test('a short source is one piece', () => {
  assert.deepEqual(splitSpeech({ start: 0, end: 30 }, [], 580), [
    { from: 0, to: 30, start: 0, end: 30 },
  ]);
});

test('pieces are parted in silences, and none is too long', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const roll = dice(seed);
    const duration = 100 + roll() * 3000;
    const silences: Span[] = [];
    for (let at = roll() * 9; at < duration - 3; at += 2 + roll() * (seed % 3 ? 12 : 400)) {
      const end = at + 0.35 + roll();
      silences.push({ start: at, end });
      at = end;
    }
    const segments = splitSpeech({ start: 0, end: duration }, silences, 120);
    let at = 0;
    for (const segment of segments) {
      assert.ok(
        segment.end - segment.start <= 120 + 1e-6,
        `seed ${seed}: ${JSON.stringify(segment)}`,
      );
      assert.ok(segment.start <= segment.from && segment.to <= segment.end);
      assert.ok(segment.from >= at - 1e-9, 'in order');
      const silent = silences.some(({ start, end }) => segment.to > start && segment.to < end);
      const parted = segment.to === duration || silent || segment.end === segment.to + 1;
      assert.ok(parted, `seed ${seed}: parted in a word at ${segment.to}`);
      at = segment.to;
    }
  }
});

test('what is silent is not sent', () => {
  const silences = [{ start: 0, end: 100 }];
  const segments = splitSpeech({ start: 0, end: 130 }, silences, 60);
  assert.ok(segments.every(({ to }) => to > 100));
  assert.deepEqual(splitSpeech({ start: 0, end: 100 }, silences, 60), []);
});

test('where two segments overlap, each word is kept once and whole', () => {
  const [a, b] = splitSpeech({ start: 0, end: 30 }, [], 20);
  assert.ok(a && b);
  assert.ok(a.end > a.to && b.start < b.from && a.to === b.from);
  // "over" is on the seam. Both pieces contain all of it, at slightly different times.
  const seam = a.to;
  for (const [heardAt, thenAt] of [
    [-0.02, 0.02],
    [0.02, -0.02],
    [-0.2, -0.19],
    [0.2, 0.21],
  ] as const) {
    const byA = [
      cue(['well', seam - 0.9, seam - 0.6], ['over', seam + heardAt - 0.3, seam + heardAt + 0.3]),
    ];
    const at = seam + thenAt - b.start;
    const byB = [cue(['Over', at - 0.3, at + 0.3], ['there', 6, 6.5])];
    const joined = joinCues(keepOwnCues(a, byA), keepOwnCues(b, byB));
    assert.deepEqual(
      texts(joined).map((text) => text.toLowerCase()),
      ['well', 'over', 'there'],
    );
    assert.equal(joined.at(-1)?.words.at(-1)?.start, 6 + b.start);
  }
});

test('words that a server puts beyond the end of its piece are left out', () => {
  const segment = { from: 10, to: 20, start: 10, end: 20 };
  assert.deepEqual(texts(keepOwnCues(segment, [cue(['in', 1, 2], ['out', 14, 15])])), ['in']);
});
