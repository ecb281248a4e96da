import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHousekeepingFinder } from '../../src/moments/housekeeping.ts';

/** Whether sentences of four seconds from `at` on, in ten minutes or more, are housekeeping. */
function isHousekeeping(
  texts: readonly string[],
  at: number,
  { language = 'en', duration = 600 } = {},
): boolean {
  const units = texts.map((text, index) => ({
    text,
    words: text.split(' ').length,
    start: at + 4 * index,
    end: at + 4 * index + 4,
  }));
  const find = createHousekeepingFinder(units, { language, span: { start: 0, end: duration } });
  return find(0, units.length - 1);
}

const greeting = ['Welcome back to the show.', 'Today we are joined by our friend Ada.'];
const goodbye = [
  'Thank you so much for coming on the show.',
  'It was a pleasure.',
  'Bye, friends.',
];
const talk = [
  'Most people do not know how a bridge is built.',
  'You need a plan, a river and a lot of stone.',
  'The stone has to come from somewhere.',
];

describe('housekeeping is', () => {
  it('a greeting at the start, and a goodbye at the end', () => {
    assert.equal(isHousekeeping(greeting, 0), true);
    assert.equal(isHousekeeping(goodbye, 585), true);
  });

  it('a plain goodbye in the middle too: a recording may have several parts', () => {
    assert.equal(isHousekeeping(goodbye, 300), true);
  });

  it('less far from the edges in a short source', () => {
    const introduction = ['And he is a friend of ours.', 'We have known him for years.'];
    for (const [duration, isLate] of [
      [600, false],
      [3600, true],
    ] as const) {
      assert.equal(isHousekeeping(introduction, 20, { duration }), true);
      assert.equal(isHousekeeping(introduction, 70, { duration }), isLate);
      assert.equal(isHousekeeping(introduction, duration - 38, { duration }), isLate);
      assert.equal(isHousekeeping(introduction, 300, { duration }), false);
    }
  });

  it('a clip of which a third is', () => {
    assert.equal(isHousekeeping([...talk, ...greeting], 0), true);
  });
});

describe('housekeeping in the middle of a video', () => {
  const whereToFind = [
    'Where can people find you online?',
    'Just jump on our website.',
    'I am on LinkedIn.',
    'Join us in the Slack channel.',
  ];

  it('is a clip of which every sentence is a little', () => {
    assert.equal(isHousekeeping(whereToFind, 300), true);
    assert.equal(isHousekeeping([...whereToFind, ...talk, ...talk], 300), false);
    assert.equal(isHousekeeping(whereToFind.slice(1), 300), false);
  });

  it('is no single sentence that might be', () => {
    for (const text of whereToFind) assert.equal(isHousekeeping([text, talk[0]!], 300), false);
  });
});

describe('housekeeping is not', () => {
  it('what a video is about, also at its start and end', () => {
    for (const at of [0, 300, 588]) assert.equal(isHousekeeping(talk, at), false);
  });

  it('thanks in a story', () => {
    const story = [
      'She wrote a letter of two pages to the builder.',
      'He never said thanks for it.',
    ];
    assert.equal(isHousekeeping(story, 300), false);
  });

  it('known in other languages', () => {
    assert.equal(isHousekeeping(greeting, 0, { language: 'de' }), false);
  });
});
