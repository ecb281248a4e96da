import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Span, Word } from '../../src/facts.ts';
import { findFillers } from '../../src/editing/fillers.ts';
import { makeClipInputs } from '../../src/editing/make-inputs.ts';
import { makeEdit, findRemovedFillers } from '../../src/editing/make-edit.ts';
import { dice, spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

const soundSeconds = 0.4;
const pauseSeconds = 0.5;

/** Words of 0.4 s each; `|` is a pause of 0.5 s, and there is one at each end. */
function speech(text: string): { words: Word[]; silences: Span[] } {
  const words: Word[] = [];
  const silences = [{ start: 0, end: 1 }];
  let time = 1;
  for (const token of text.split(' ')) {
    if (token === '|') {
      silences.push({ start: time, end: time + pauseSeconds });
      time += pauseSeconds;
    } else {
      words.push({ text: token, start: time, end: time + soundSeconds });
      time += soundSeconds;
    }
  }
  return { words, silences: [...silences, { start: time, end: time + 1 }] };
}

/** The words of the text whose sound is removed. */
function removed(text: string, language: string | null): string {
  const { words, silences } = speech(text);
  const spans = findFillers(words, silences, language);
  const isIn = ({ start, end }: Word) =>
    spans.some((span) => start >= span.start && end <= span.end);
  return words
    .filter(isIn)
    .map((word) => word.text)
    .join(' ');
}

describe('fillers between pauses', () => {
  const rows: readonly (readonly [language: string | null, text: string, removed: string])[] = [
    ['en', 'We saw | um, | a bird', 'um,'],
    ['en-GB', 'Uh | we saw it', 'Uh'],
    ['en', 'We saw um a bird', ''],
    ['en', 'We saw um | a bird', ''],
    ['en', 'We saw | uh um | a bird', 'uh um'],
    ['de', 'Wir sahen | ähm, | einen Vogel', 'ähm,'],
    ['fr', 'On a vu | euh | un oiseau', 'euh'],
    ['es', 'Vimos | este, | un pájaro', 'este,'],
    ['es', '¿Cuál? | Este. | Gracias', ''],
    ['pt', 'Vimos | é... | um pássaro', 'é...'],
    ['pt', 'É bom? | É. | Sim', ''],
    ['ja', 'それは | えっと、 | 鳥です', 'えっと、'],
    ['zh', '我们 | 嗯 | 看见了', '嗯'],
    ['ar', 'رأينا | آه | طائرا', 'آه'],
    // An answer of its own.
    ['en', 'Right? | Mhm. | Good', ''],
    ['en', 'We left | Hm? | We left', ''],
    ['en', 'We saw | um? | a bird', ''],
    ['en', 'We saw | hmm, | a bird', 'hmm,'],
    ['de', 'Gut? | Mhm. | Gut', ''],
    ['zh', '好吗？ | 嗯。 | 好', ''],
    // An unknown language, and one without a list.
    [null, 'We saw | um | a bird', ''],
    ['fi', 'Me | um | tulimme', ''],
  ];
  for (const [language, text, expected] of rows) {
    it(`of ${language ?? 'no known language'}: ${text}`, () =>
      assert.equal(removed(text, language), expected));
  }
});

describe('beginnings that are said again', () => {
  const rows: readonly (readonly [text: string, removed: string])[] = [
    ['So yes | I, | I think so', 'I,'],
    ['So yes | I was | I was there', 'I was'],
    ['So yes | I— | I think so', 'I—'],
    // Said for effect, or as an answer.
    ['So | never, | never again', ''],
    ['Is it? | It is. | It is good', ''],
    ['So yes | I | you think so', ''],
    ['So yes | I | I', ''],
  ];
  for (const [text, expected] of rows) {
    it(text, () => assert.equal(removed(text, 'en'), expected));
  }

  it('by another person are none', () => {
    const { words, silences } = speech('Yes | I | I think');
    words[2]!.opensTurn = true;
    assert.deepEqual(findFillers(words, silences, 'en'), []);
  });
});

it('in 1,000 texts every cut is in a pause, and no sound but a filler is removed', () => {
  const random = dice(11);
  const texts = ['um', 'uh,', 'I', 'the', 'bird', 'saw', '|', '|', 'we', 'and', 'er'];
  let count = 0;
  for (let round = 0; round < 1000; round++) {
    const text = Array.from({ length: 30 }, () => texts[Math.floor(random() * texts.length)]!);
    const { words, silences } = speech(text.join(' '));
    for (const { start, end } of findFillers(words, silences, 'en')) {
      count++;
      for (const cut of [start, end]) {
        assert.ok(
          silences.some((one) => cut > one.start && cut < one.end),
          `${cut} of ${text}`,
        );
      }
      for (const word of words) {
        const isWhole = word.start >= start && word.end <= end;
        assert.ok(isWhole || word.end <= start || word.start >= end, `${word.text} of ${text}`);
      }
    }
  }
  assert.ok(count > 500, String(count));
});

describe('the edit of a clip with fillers', () => {
  const analysis = spokenAnalysis(['We saw', 'um,', 'a bird.']);
  const editing = { ...editingWith('captions'), remove_fillers: true };
  const options = { editing, dimensions: { width: 1080, height: 1920 } };
  const { words } = analysis.transcript!;
  const span = { start: 0, end: words.at(-1)!.end + 0.5 };
  const inputs = makeClipInputs(analysis, { ...span, title: '' }, options);
  const shown = (edit: ReturnType<typeof makeEdit>) =>
    edit.captions.flatMap((line) => line.words.map(({ text }) => text)).join(' ');

  it('has neither their sound nor their captions', () => {
    const edit = makeEdit(inputs);
    const [filler] = findRemovedFillers(inputs, {});
    assert.equal(shown(edit), 'We saw a bird.');
    assert.equal(edit.ranges.length, 2);
    const removedSeconds = edit.ranges[1]!.start - edit.ranges[0]!.end;
    assert.ok(Math.abs(removedSeconds - (filler!.end - filler!.start)) <= 0.08);
  });

  it('has those that a person has restored, and all without the option', () => {
    const [filler] = findRemovedFillers(inputs, {});
    assert.equal(shown(makeEdit(inputs, { restored: [filler!] })), 'We saw um, a bird.');
    const without = { editing_options: { remove_fillers: false } };
    assert.equal(shown(makeEdit(inputs, without)), 'We saw um, a bird.');
    assert.deepEqual(findRemovedFillers(inputs, without), []);
  });

  it('keeps them where the clip would be too short', () => {
    const long = { ...options, minSeconds: span.end - 0.2 };
    const edit = makeEdit(makeClipInputs(analysis, { ...span, title: '' }, long));
    assert.equal(shown(edit), 'We saw um, a bird.');
  });
});
