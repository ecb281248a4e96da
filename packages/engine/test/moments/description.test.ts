import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeClip, maxDescriptionWidth } from '../../src/moments/description.ts';
import { measureTextWidth } from '../../src/words/word-text.ts';

const saidBy = (...texts: string[]) =>
  texts.map((text, index) => ({ text, start: index, end: index + 1 }));

const describeIn = (language: string | null, ...texts: string[]): string | null =>
  describeClip(saidBy(...texts), { language, topics: ['bridge', 'Brücke', '工作'] });

describe('the description of a clip', () => {
  it('is two or three of its sentences, in order and whole', () => {
    const clip = [
      'Okay.',
      'The old bridge was closed in spring because it cost a million a year.',
      'Yeah.',
      'Nobody who lives there ever crossed the old bridge at night.',
      'Um.',
    ];
    assert.equal(describeIn('en', ...clip), `${clip[1]} ${clip[3]}`);
  });

  it('begins without the fillers of its first sentence', () => {
    assert.equal(
      describeIn(
        'en',
        'So, the bridge cost a million a year before they closed it.',
        'And nobody ever crossed it.',
      ),
      'The bridge cost a million a year before they closed it. And nobody ever crossed it.',
    );
    assert.equal(
      describeIn('de', 'Also, die Brücke kostet eine Million.', 'Niemand geht über sie.'),
      'Die Brücke kostet eine Million. Niemand geht über sie.',
    );
  });

  it('leaves out what breaks off and what is said again', () => {
    const clip = [
      'The bridge -- the bridge is, you know...',
      'Nobody ever crossed the bridge at night.',
      'Nobody ever crossed the bridge at night.',
      'A bridge that no one crosses is the best bridge of all.',
    ];
    assert.equal(describeIn('en', ...clip), `${clip[2]} ${clip[3]}`);
  });

  it('has no spaces between sentences where the language has none', () => {
    const clip = ['人工智能正在改变我们的工作。', '程序员的效率提高了两倍。'];
    assert.equal(describeIn('zh', ...clip), clip.join(''));
  });

  it('is about the topics of the clip', () => {
    const clip = saidBy(
      'My sister bought a new car in the summer of last year.',
      'My brother bought a red boat in the summer of last year.',
      'My mother bought a big house in the summer of last year.',
      'The ferry carries seven thousand people every single day.',
    );
    const found = describeClip(clip, { language: 'en', topics: ['ferry'] });
    assert.match(found!, /ferry/);
  });

  it('is never longer than a post shows', () => {
    const long = `${'Nobody ever crossed the bridge at night, '.repeat(20)}they say.`;
    assert.equal(describeIn('en', long), null);
    const short = 'The bridge cost a million a year, and nobody ever crossed it at night.';
    assert.equal(describeIn('en', long, short), short);
    assert.ok(measureTextWidth(short) <= maxDescriptionWidth);
  });

  it('is what one person says, and no question', () => {
    const [asked, answered, next] = saidBy(
      'Why did they close the old bridge?',
      'The bridge cost a million a year, and nobody ever crossed it at night.',
      'My brother lives right behind the bridge, and he misses it every day.',
    );
    const options = { language: 'en', topics: ['bridge'] };
    const found = describeClip([asked!, answered!, next!], options);
    assert.equal(found, `${answered!.text} ${next!.text}`);
    const byOther = describeClip([asked!, answered!, { ...next!, opens: 0.5 }], options);
    assert.equal(byOther, answered!.text);
  });

  it('is null in English if no sentence says something about the topics', () => {
    const clip = saidBy('I know, right?', 'That was a lot of fun, honestly.', 'Yeah, me too.');
    assert.equal(describeClip(clip, { language: 'en', topics: ['bridge'] }), null);
  });

  it('is null if nothing is said', () => assert.equal(describeIn('en'), null));
});
