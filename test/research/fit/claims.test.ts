import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimsOf } from '../../../research/fit/claims.ts';
import { readConversation } from '../../../research/fit/conversation.ts';

const talk = await readConversation(
  'talk',
  [
    '**Ann:** Who built the old bridge?',
    '**Bob:** My father built it in 12 years, with three friends. \\[laughter\\]',
    '**Ann:** Nobody knew that.',
  ].join('\n\n'),
);
const { duration } = talk.analysis;
const post = { titles: [], description: null, tags: [] };
const laugh = `0:${String(Math.round(talk.laughs[0]!)).padStart(2, '0')}`;

const claimed = (explanation: string) =>
  claimsOf([talk], () => [
    { start: 0, end: duration, title: 'Clip at 0:00', score: 1, features: {}, explanation, post },
  ]);

describe('the claims of an explanation', () => {
  for (const explanation of [
    'About old bridge and friends. “Who built the old bridge?” – “My father built it in 12 years”.',
    'Mentions “12 years”; changes speaker 2 times.',
    `Laughter or applause at ${laugh}.`,
  ]) {
    it(`hold: ${explanation}`, () => assert.deepEqual(claimed(explanation).wrong, []));
  }

  for (const explanation of [
    'About new bridge.',
    '“Who closed the old bridge?”',
    'Mentions “13 years”.',
    'Changes speaker 3 times.',
    'Laughter or applause at 1:00.',
  ]) {
    it(`do not hold: ${explanation}`, () => assert.equal(claimed(explanation).wrong.length, 1));
  }

  it('are counted: those that name a topic, and the share of the commonest sentence', () => {
    const explanations = [
      'About Ann. Mentions “12 years”.',
      'Mentions “three friends”.',
      '4 cuts.',
    ];
    const claims = claimsOf([talk], () =>
      explanations.map((explanation) => ({
        ...{ start: 0, end: duration, title: 'Old bridge', ownWords: true, score: 1, features: {} },
        explanation,
        post,
      })),
    );
    assert.deepEqual([claims.clips, claims.titles, claims.named], [3, 3, 1]);
    assert.equal(claims.commonest, 2 / 3);
  });
});
