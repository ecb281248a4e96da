import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from 'clip-testkit/media-analysis';
import { countPresence, findTracks } from '../../src/framing/tracks.ts';

const face = (x: number, width = 0.1) => ({ x, y: 0.3, width, height: width * 1.7 });

test('two faces are two tracks, the larger first, whatever the order in which they are found', () => {
  const samples = Array.from({ length: 12 }, (_, index) => {
    const both = [face(0.2 + index * 0.01), face(0.7, 0.14)];
    return index % 2 === 0 ? both : both.toReversed();
  });
  const tracks = findTracks(samples);
  assert.equal(tracks.length, 2);
  assert.ok(tracks[0]!.every((box) => box!.x === 0.7));
  assert.ok(Math.abs(tracks[1]![11]!.x - 0.31) < 1e-9);
});

test('a face that is lost for a moment is the same one after it', () => {
  const samples = Array.from({ length: 20 }, (_, index) =>
    index >= 8 && index < 12 ? [] : [face(0.4)],
  );
  const tracks = findTracks(samples);
  assert.equal(tracks.length, 1);
  assert.equal(countPresence(tracks[0]!), 16);
});

test('chance finds are no faces', () => {
  const samples = Array.from({ length: 20 }, (_, index) =>
    index === 5 ? [face(0.4), face(0.9, 0.3)] : [face(0.4)],
  );
  assert.equal(findTracks(samples).length, 1);
});

test('a face does not become another of quite another size at the same place', () => {
  const samples = Array.from({ length: 20 }, (_, index) => [face(0.4, index < 10 ? 0.08 : 0.25)]);
  assert.equal(findTracks(samples).length, 2);
});

test('a face that darts from one side to the other is one, two that are there together are two', () => {
  const darting = Array.from({ length: 20 }, (_, index) => [face(index % 10 < 5 ? 0.1 : 0.8)]);
  assert.equal(findTracks(darting).length, 1);
  assert.equal(countPresence(findTracks(darting)[0]!), 20);
  const both = darting.map(([first], index) => (index === 7 ? [first!, face(0.1)] : [first!]));
  assert.equal(findTracks(both).length, 1, 'but for a moment');
  assert.equal(findTracks(darting.map(() => [face(0.1), face(0.8)])).length, 2);
});

test('no samples, no tracks', () => {
  assert.deepEqual(findTracks([]), []);
  assert.deepEqual(findTracks([[], []]), []);
});

test('a crowd that goes to and fro for minutes is no trouble', () => {
  const roll = dice(5);
  let links = 0;
  const samples = Array.from({ length: 900 }, () =>
    Array.from({ length: 30 }, () => {
      const box = { ...face(roll(), 0.03 + 0.1 * roll()) };
      // Most of the work is reading boxes.
      return new Proxy(box, {
        get(target, name) {
          links += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
    }),
  );
  findTracks(samples);
  assert.ok(links < 15_000_000, `${links} looks at boxes`);
});
