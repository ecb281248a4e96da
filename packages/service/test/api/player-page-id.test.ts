import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePlayerPageId } from '../../src/api/player.ts';

describe('the address of a player page', () => {
  it('may be below a path', () => {
    const id = (url: string) => parsePlayerPageId(url, 'https://site.example/clips');
    assert.equal(id('https://site.example/clips/player/a1'), 'a1');
    assert.equal(id('https://site.example/clips/player/a1?x=1#y'), 'a1');
    assert.equal(id('https://site.example/clips/player/a1/'), 'a1');
    assert.equal(id('https://site.example/clips/player/a1//'), null);
    assert.equal(id('https://site.example/player/a1'), null);
    assert.equal(id('https://site.example/clips/player/'), null);
    assert.equal(id('http://site.example/clips/player/a1'), null);
  });
});
