import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTopicFinder } from '../../src/moments/topics.ts';

/** The finder of a source that begins with a clip; the others are the rest of the source. */
function finderOf(language: string, clip: readonly string[], rest: readonly string[]) {
  const others = Array.from({ length: 200 }, (_, index) => rest[index % rest.length]!);
  const units = [...clip, ...others].map((text, index) => ({
    text,
    words: text.split(' ').length,
    start: index,
    end: index + 1,
  }));
  return createTopicFinder(units, language);
}

const topicsOf = (language: string, clip: readonly string[], rest: readonly string[]): string[] =>
  finderOf(language, clip, rest).topics(0, clip.length - 1);

const everyday = ['We talk about code and people again.', 'The time is late, and we go home.'];

describe('the topics of a clip', () => {
  it('are the phrases that come back in it and are rare in the rest', () => {
    const clip = [
      'The old bridge was closed in spring.',
      'People say the bridge is code for time.',
      'I know nobody who crossed the old bridge.',
    ];
    assert.deepEqual(topicsOf('en', clip, everyday), ['old bridge']);
  });

  it('are names, which need to be said only once', () => {
    assert.deepEqual(topicsOf('en', ['I met Katrina Owen there.'], everyday), ['Katrina Owen']);
    assert.deepEqual(topicsOf('en', ['We had Redis for a week.'], everyday), ['Redis']);
  });

  it('are only as long as what comes back', () => {
    const clip = ['That was the normal speed.', 'Nobody changed the speed.'];
    assert.deepEqual(topicsOf('en', clip, everyday), ['speed']);
    const named = ['We found Windsurf leftovers in it.', 'Then Windsurf came back.'];
    assert.deepEqual(topicsOf('en', named, everyday), ['Windsurf']);
    const whole = ['We met Socket Security there.', 'We like security.'];
    assert.deepEqual(topicsOf('en', whole, everyday), ['Socket Security']);
  });

  it('keep the capitals of an abbreviation', () => {
    const clip = ['OHC is closed now.', 'Nobody knows OHC.'];
    assert.deepEqual(topicsOf('en', clip, everyday), ['OHC']);
  });

  it('are not found where nothing stands out', () => {
    assert.deepEqual(topicsOf('en', ['We talk about people again.'], everyday), []);
    assert.deepEqual(topicsOf('en', ['That was a great thing.'], everyday), []);
    assert.deepEqual(topicsOf('en', ['Adam, that was it.'], everyday), []);
    assert.deepEqual(topicsOf('en', ['They made foolish mistakes there.'], everyday), []);
  });

  it('are nouns, alone or as they are said', () => {
    const read = ['It was a fair read.', 'So they read and spread it.', 'Anything is fair.'];
    assert.deepEqual(topicsOf('en', read, everyday), []);
    const twice = ['I gave it a push.', 'One push was enough, and the push came late.'];
    assert.deepEqual(topicsOf('en', twice, everyday), ['push']);
  });

  it('are in lower case where the source writes them so, also at the start of a sentence', () => {
    const clip = ['Rivers are low now.', 'Nobody swims in the rivers.'];
    assert.deepEqual(topicsOf('en', clip, everyday), ['rivers']);
  });

  it('are words that come back in languages without a parser', () => {
    const clip = ['Die Brücke war im Frühling gesperrt.', 'Über die Brücke ging niemand.'];
    const rest = ['Wir reden wieder über den Code.', 'Es ist spät und wir gehen heim.'];
    assert.deepEqual(topicsOf('de', clip, rest), ['Brücke']);
    assert.deepEqual(topicsOf('ja', ['これは橋です。'], ['今日は。']), []);
  });
});

describe('the tags of a clip', () => {
  const tagsOf = (clip: readonly string[], language = 'en') =>
    finderOf(language, clip, everyday).tags(0, clip.length - 1);

  it('are its names and what comes back, in small letters, each once', () => {
    const clip = [
      'We moved from Erlang to Elixir at WhatsApp.',
      'Elixir made WhatsApp fast.',
      'WhatsApp bought a computer, and the computer liked Elixir.',
    ];
    assert.deepEqual(tagsOf(clip).toSorted(), ['elixir', 'erlang', 'whatsapp']);
  });

  it('are plain words only if they come back again and again', () => {
    const often = ['The bee sleeps.', 'A bee dances.', 'Every bee is warm.', 'No bee is cold.'];
    assert.deepEqual(tagsOf(often), ['bee']);
    assert.deepEqual(tagsOf(often.slice(0, 2)), []);
  });

  it('are not the names of people who are spoken to', () => {
    const talk = ['Thank you for that, Jerod.', 'Do you use Zulip, Jerod?', 'Jerod uses Zulip.'];
    assert.deepEqual(tagsOf(talk), ['zulip']);
  });

  it('are compounds too, also said once, but no first names', () => {
    assert.deepEqual(tagsOf(['Adam told Adam about his carbon footprint.']), ['carbon footprint']);
  });

  it('are eight at most', () => {
    const cities = 'Paris Lisbon Madrid Vienna Warsaw Prague Oslo Dublin Zagreb Athens'.split(' ');
    assert.equal(tagsOf(cities.map((city) => `We went to ${city} by train.`)).length, 8);
  });
});
