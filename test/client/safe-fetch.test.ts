import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redirectTarget } from '../../src/client/safe-fetch.ts';

const followed: [from: string, location: string, to: string][] = [
  ['https://clips.example/a', '/b?c', 'https://clips.example/b?c'],
  ['https://clips.example/a', 'https://cdn.example.com/b', 'https://cdn.example.com/b'],
  [
    'https://clips.example/a',
    'https://xn--bcher-kva.xn--p1ai/b',
    'https://xn--bcher-kva.xn--p1ai/b',
  ],
  ['http://10.0.0.5:4400/a', 'http://10.0.0.6/b', 'http://10.0.0.6/b'],
  ['http://service:4400/a', 'http://bucket/b', 'http://bucket/b'],
  ['http://localhost/a', 'https://clips.example/b', 'https://clips.example/b'],
];

const refused: [from: string, location: string | null][] = [
  ['https://clips.example/a', null],
  ['https://clips.example/a', 'https://['],
  ['https://clips.example/a', 'file:///etc/passwd'],
  ['https://clips.example/a', 'data:text/plain,a'],
  ...[
    '127.0.0.1',
    '169.254.169.254',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    'localhost',
    'a.localhost',
    'metadata.google.internal',
    'printer.local',
    'bucket',
    'bucket.',
    'localhost.',
  ].map((name): [string, string] => ['https://clips.example/a', `http://${name}/b`]),
];

describe('where a redirect of a file leads', () => {
  for (const [from, location, to] of followed) {
    it(`${from} to ${location}`, () =>
      assert.equal(redirectTarget(new URL(from), location)?.href, to));
  }
  for (const [from, location] of refused) {
    it(`not ${from} to ${location}`, () =>
      assert.equal(redirectTarget(new URL(from), location), null));
  }
});
