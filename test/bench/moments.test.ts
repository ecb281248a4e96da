import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConversation } from '../../bench/moments/conversation.ts';
import { judgePick, judgePicks } from '../../bench/moments/judge.ts';

const said = [
  '**Ann:** What do you do when it rains?',
  '**Bob:** We stay at home with the children and read one of the old books that my mother left us when she moved to the coast last year. \\[laughter\\]',
  '**Ann:** So you read.',
  '**Bob:** Every single day. Do you?',
  '**Ann:** No.',
].join('\n\n');
const talk = await readConversation('rain', said);
const { sentences } = talk.analysis.transcript!;
const span = (first: number, last: number) => ({
  start: sentences[first]!.start - 0.1,
  end: sentences[last]!.end + 0.1,
});

describe('a conversation', () => {
  it('has words, turns and times of laughter, and no marks', () => {
    const { words } = talk.analysis.transcript!;
    assert.equal(talk.laughs.length, 1);
    assert.ok(!words.some(({ text }) => /laugh|\[|\*/.test(text)));
    assert.deepEqual(
      words.filter(({ opensTurn }) => opensTurn).map(({ text }) => text),
      ['What', 'We', 'So', 'Every', 'No.'],
    );
  });
});

describe('a pick', () => {
  it('stands alone, has substance and answers its question', () => {
    assert.deepEqual(judgePick(talk, span(0, 1)), {
      leans: false,
      cut: false,
      answered: true,
      substance: true,
      alone: true,
    });
  });

  it('may lean on what came before and be banter', () => {
    const { leans, substance, alone } = judgePick(talk, span(2, 3));
    assert.deepEqual({ leans, substance, alone }, { leans: true, substance: false, alone: false });
  });

  it('is cut where it ends with a question or inside a sentence', () => {
    assert.equal(judgePick(talk, span(3, 4)).cut, true);
    assert.equal(judgePick(talk, { ...span(0, 1), end: sentences[1]!.end - 2 }).cut, true);
    assert.equal(judgePick(talk, { ...span(0, 1), end: sentences[1]!.end - 2 }).answered, true);
    assert.equal(judgePick(talk, span(0, 0)).answered, false);
  });
});

describe('the figures', () => {
  it('compare laughs with chance', async () => {
    const filler = Array.from(
      { length: 60 },
      (_, at) =>
        `**${at % 2 ? 'Ann' : 'Bob'}:** This is sentence number ${at} of a long and quiet talk.`,
    ).join('\n\n');
    const long = await readConversation('long', `${filler}\n\n${said}\n\n${filler}`);
    const [laugh] = long.laughs;
    const clip = (start: number) => ({
      ...{ start, end: start + 20, score: 1, title: '', explanation: '', features: {} },
      post: { titles: [], description: null, tags: [] },
    });
    assert.ok(judgePicks([long], () => [clip(laugh! - 18)]).lift > 3);
    assert.equal(judgePicks([long], () => [clip(10)]).lift, 0);
  });
});
