import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { third } from '../../scripts/third.ts';

const sites = ['vue', 'angular', 'php', 'html', 'hugo', 'solid', 'lit', 'turbo'].map((name) => ({
  name,
  types: ['vue', 'angular', 'solid', 'lit'].includes(name),
}));
/** Hashes of commits, one for each remainder of their first eight digits. */
const hashes = ['00000000', '00000001', '00000002'].map((first) => first.padEnd(40, 'f'));

describe('the third of the sites that a commit chooses', () => {
  it('has its share of the sites with a type check', () => {
    assert.deepEqual(
      hashes.map((hash) => third(sites, hash)),
      [
        { number: 1, names: ['angular', 'vue', 'php'] },
        { number: 2, names: ['lit', 'html', 'turbo'] },
        { number: 3, names: ['solid', 'hugo'] },
      ],
    );
  });

  it('depends on nothing but the names and the hash', () => {
    const turned = sites.toReversed();
    for (const hash of hashes) assert.deepEqual(third(turned, hash), third(sites, hash));
  });
});
