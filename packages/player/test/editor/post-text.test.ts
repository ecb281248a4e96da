import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTexts, formatHashtags, parseTags } from '../../src/editor/post-text.ts';

describe('the tags that a person writes', () => {
  for (const [written, tags] of [
    ['bees, how they dance', ['bees', 'how they dance']],
    [' #bees #wasps\n', ['bees', 'wasps']],
    ['Bees, bees, , BEES', ['Bees']],
    ['蜜蜂、舞蹈，花', ['蜜蜂', '舞蹈', '花']],
    ['النحل، الرقص', ['النحل', 'الرقص']],
    ['', []],
    ['x'.repeat(51), []],
    ['1,2,3,4,5,6,7,8,9', ['1', '2', '3', '4', '5', '6', '7', '8']],
  ] as const) {
    it(`are read: ${JSON.stringify(written.slice(0, 24))}`, () =>
      assert.deepEqual(parseTags(written), tags));
  }
});

it('tags are copied as platforms link them', () => {
  assert.equal(
    formatHashtags(['carbon footprint', 'c++', '人工智能', '+']),
    '#carbonfootprint #c #人工智能',
  );
});

it('all texts of a post are copied with an empty line between them', () => {
  const post = { title: 'Bees', description: 'They dance.\nAll day.', tags: ['bees'] };
  assert.equal(joinTexts(post), 'Bees\n\nThey dance.\nAll day.\n\n#bees');
  assert.equal(joinTexts({ ...post, description: '', tags: [] }), 'Bees');
});
