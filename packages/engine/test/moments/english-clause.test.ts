import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNounPhrases, readWholeClause } from '../../src/moments/english-clause.ts';

const isWhole = (text: string) => readWholeClause(text) !== null;

describe('a whole clause', () => {
  for (const text of [
    'Vim is still very much alive',
    'Claude Code is great for tests',
    'Nobody teaches her, but everyone can read it',
    'People really love this stuff',
    'Who is your agent of choice?',
    'Do you have to buy discs?',
    'Don’t ever write code after midnight',
    'My dad was holding the ladder',
  ]) {
    it(`is: ${text}`, () => assert.ok(isWhole(text)));
  }

  for (const text of [
    'Lots of people have',
    'Except maybe the Avengers',
    'In addition to the numbers you just saw',
    'The numbers you just saw',
    'The best way to learn',
    'When you are the juggernaut',
    'They just nailed the user experience',
    'It takes about four years',
    'I like it, you know',
    'We make mistakes, and when you make one',
    'We want to talk about the',
    'I don’t know about that',
    'Good morning',
    'Was for shell scripts?',
    'Change the rules of the game?',
    'A big word that got lost',
    'Don’t know the rules of the game',
  ]) {
    it(`is not: ${text}`, () => assert.ok(!isWhole(text)));
  }
});

describe('a clause that a stranger understands', () => {
  const isClear = (text: string) => readWholeClause(text)?.clear ?? false;

  for (const text of [
    'Nobody in the town said a word about the bridge',
    'VMware supported Redis for a time',
    'Why do you never sleep?',
    'The secret is that you never stop',
    'The opposite of magic is boring',
    'Everyone should read The Phoenix Project',
    'Why do the bees dance?',
    'Where do you see WebTorrent in five years?',
  ]) {
    it(`is: ${text}`, () => assert.ok(isClear(text)));
  }

  for (const [text, why] of [
    ['Nobody teaches her about the bridge', 'whom?'],
    ['We like that bridge in the town', 'which one?'],
    ['We’ll have you back in the spring', 'speaks to somebody'],
    ['I would like to start with the process', 'about the talk itself'],
    ['I read the book a year', 'ends too early'],
    ['I am never wrong', 'names nothing'],
    ['Do you run YOLO mode?', 'asks the one who is there'],
    ['I was looking at the bridge', 'one person, and no reason'],
    ['My brother is using like a bridge', 'a filler'],
    ['My brother is on the bridge, my sister too', 'joined'],
    ['Our bridge looks like a bridge', 'begins again'],
    ['The sidebar is ridiculous', 'which one?'],
    ['Denver would be great', 'an opinion'],
    ['The guys from the bridge say hi', 'which ones?'],
    ['How did the speaking go?', 'which one?'],
    ['I did not go for the bridge', 'a “not” is no reason'],
    ['How come we’re getting letters?', 'asks those who are there'],
    ['Do your friends build a bridge?', 'asks the one who is there'],
    ['June would be nicer than March', 'supposes something'],
    ['Bricks are even cooler with a bridge', 'than what?'],
    ['Your bridge is mounted in your /mount', 'a path'],
    ['Landon keeps bees in a box', 'known to those who are there'],
    ['The bridge is a sponsor of the town', 'about the event'],
    ['Ashkin5 was Jeremy Ashkinas', 'who is who'],
    ['The URL only has the name of the bridge', 'which one?'],
    ['My bridge is in a town', 'one person, and no reason'],
    ['We measure the town on our bridge', 'who?'],
    ['Is a bridge of use to me?', 'asks the one who is there'],
    ['How much bridge do you build?', 'asks the one who is there'],
    ['What about a bridge in the town?', 'beside what?'],
    ['Four points go to the bridge', 'of how many?'],
  ] as const) {
    it(`is not: ${text} (${why})`, () => assert.ok(!isClear(text)));
  }
});

describe('a sentence', () => {
  it('names what has a capital inside it', () => {
    assert.equal(readWholeClause('Redis was kept alive by VMware.')?.names, 1);
    assert.equal(readWholeClause('My bridge fell in the spring. It is gone.'), null, 'two of them');
  });

  it('has phrases of nouns', () => {
    const phrases = findNounPhrases(
      'We put the event loop on the old bridge, in our new data center.',
    );
    assert.deepEqual(phrases, ['event loop', 'old bridge', 'new data center']);
  });

  it('has no phrases that name nothing, or whom somebody speaks to', () => {
    assert.deepEqual(findNounPhrases('I saw old Jerod at the bridge.'), ['Jerod', 'bridge']);
    assert.deepEqual(findNounPhrases('It was way less than that.'), []);
    assert.deepEqual(findNounPhrases('Adam, the whole thing took a couple of weeks.'), []);
    assert.deepEqual(findNounPhrases('That was the same great bridge.'), ['bridge']);
  });
});
