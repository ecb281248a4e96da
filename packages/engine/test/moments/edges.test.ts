import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateEdges } from '../../src/moments/edges.ts';
import { settings } from '../../src/moments/settings.ts';
import { findSpeakerTurns } from '../../src/moments/speaker-turns.ts';
import { listSubjectWords, rateFreshness } from '../../src/moments/subject-words.ts';
import { splitWords } from '../../src/words/word-text.ts';

/** Sentences of two seconds with pauses; one that begins with `>>` opens a turn. */
const unitsOf = (...texts: string[]) =>
  texts.map((marked, index) => {
    const text = marked.replace('>> ', '');
    return {
      text,
      words: splitWords(text).length,
      start: 3 * index,
      end: 3 * index + 2,
      opensTurn: marked !== text,
    };
  });

function rate(...texts: string[]) {
  const units = unitsOf(...texts);
  const turns = findSpeakerTurns(units, { language: 'en', minWords: 10 });
  return rateEdges(units, turns, 'en', settings);
}

describe('a clip opens best', () => {
  it('with a question, and not with its answer', () => {
    const { opening } = rate(
      '>> My sister lives in Norway now.',
      '>> How fast does a train go on the new line?',
      '>> A train goes three hundred kilometers an hour there.',
    );
    assert.ok(opening[1]! > 0.9 && opening[2]! < 0.3, String(opening));
  });

  it('with an answer no better if somebody says “Sure.” before it', () => {
    const { opening } = rate(
      '>> How fast does a train go on the new line?',
      '>> Sure.',
      '>> A train goes three hundred kilometers an hour there.',
    );
    assert.ok(opening[2]! < 0.3, String(opening));
  });

  it('but after “…, right?”, which only wants a nod', () => {
    const { opening } = rate(
      '>> The line opened in spring, right?',
      '>> A train goes three hundred kilometers an hour there.',
    );
    assert.ok(opening[1]! > 0.9, String(opening));
  });

  it('rather with a question that has a connector before it than with such a statement', () => {
    const { opening } = rate(
      '>> My sister lives in Norway now.',
      '>> So what does a ticket for the night train cost?',
      '>> So a ticket for the night train costs a fortune.',
    );
    assert.ok(opening[1]! > 0.25 && opening[2]! < 0.1, String(opening));
  });

  it('without a word that soon points back', () => {
    const rateOpening = (text: string) =>
      rate('>> My sister lives in Norway now.', `>> ${text}`).opening[1]!;
    for (const text of [
      'Think of that as a kind of metric for your servers.',
      'When you say that, my first server project comes to mind.',
      'How do you do it with all of your servers?',
      'Would you use a cloud server for that?',
    ]) {
      assert.ok(rateOpening(text) < 0.45, `${text} ${rateOpening(text)}`);
    }
    for (const text of [
      'Think of that server as a kind of metric for your customers.',
      'Every customer tells me that the server is slow.',
      'We sell servers and things like that to customers.',
      'The server that we sell costs a fortune, and every customer of ours wants it.',
    ]) {
      assert.ok(rateOpening(text) > 0.9, `${text} ${rateOpening(text)}`);
    }
  });

  it('outside a quotation, and ends outside one', () => {
    for (const [begin, end] of ['“”', '„“', '„”', '«»', '»«', '""']) {
      const { opening, ending } = rate(
        `>> My boss came in on Monday and said, ${begin}The server is down.`,
        `>> Every customer calls the support line.${end}`,
        '>> My phone rang three hundred times within one hour.',
      );
      assert.ok(opening[1]! < 0.2 && opening[2]! > 0.9, `${begin}${end} ${String(opening)}`);
      assert.ok(ending[0]! < ending[1]! / 2, `${begin}${end} ${String(ending)}`);
    }
  });

  it('and does not end where the speaker goes on with “because”', () => {
    const { ending } = rate(
      '>> The night train to Vienna is always full.',
      'Because nobody wants to fly any more.',
      '>> My brother works on that train every summer.',
    );
    assert.ok(ending[0]! < ending[1]! / 2, String(ending));
  });
});

describe('a thought is fresh', () => {
  const texts = Array.from({ length: 300 }, (_, index) => ({ text: `Word${index} is alone.` }));

  it('if the sentences before it tell of other subjects', () => {
    const talk = [
      { text: 'The glacier melts.' },
      { text: 'A glacier moves downhill.' },
      { text: 'Bread needs yeast.' },
    ];
    const fresh = rateFreshness(listSubjectWords([...texts, ...talk]));
    assert.ok(fresh[301]! < 0.7 && fresh[302] === 1, String(fresh.slice(300)));
  });

  it('whatever words most sentences have', () => {
    const [words] = listSubjectWords([{ text: 'The glaciers are alone' }, ...texts]);
    assert.deepEqual(words, ['glacier']);
  });
});
