import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getSourceName } from '../../src/clips/rules.ts';

test('a source is named by the end of its path, without what signs its address', () => {
  for (const [address, name] of [
    ['https://cdn.example/a/My%20talk.mp4?signature=secret#x', 'My talk.mp4'],
    ['https://cdn.example/talk.MOV', 'talk.MOV'],
    ['https://video.example/watch?v=abc.mp4', 'source.mp4'],
    ['https://cdn.example/', 'source.mp4'],
    ['https://cdn.example/%ff.mp4', '%ff.mp4'],
    ['https://cdn.example/..%2F..%2Fetc%2Fpasswd.mp4', 'source.mp4'],
    ['https://cdn.example/.mp4', 'source.mp4'],
  ] as const) {
    assert.equal(getSourceName(address), name, address);
  }
});

test('a file that was sent has its own name, if that is no path', () => {
  const address = 'https://clips.example/uploads/secret';
  assert.equal(getSourceName(address, 'My talk.mp4'), 'My talk.mp4');
  assert.equal(getSourceName(address, '../../etc/passwd.mp4'), 'source.mp4');
  assert.equal(getSourceName(address, 'talk'), 'source.mp4');
});
