import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QualityMeter, measureSharpness } from '../../src/framing/picture-quality.ts';
import type { FacePlace } from '../../src/framing/faces/mouth-network.ts';

const size = { width: 96, height: 96 };
const whole = { x: 0, y: 0, width: 1, height: 1 };

/** A picture of stripes, each as wide as `pixels`. */
const stripes = (pixels: number): Uint8Array =>
  Uint8Array.from({ length: 96 * 96 * 4 }, (_, at) =>
    Math.floor(((at / 4) % 96) / pixels) % 2 ? 200 : 50,
  );

test('a picture with more steps is sharper, and only the wanted part counts', () => {
  assert.ok(
    measureSharpness(stripes(1), size, whole) > 1.5 * measureSharpness(stripes(2), size, whole),
  );
  assert.equal(measureSharpness(stripes(48), size, { ...whole, width: 0.4 }), 0);
});

test('the first picture of a clip and twelve others are looked at, at their largest face, tilted ones twice', async () => {
  const asked: FacePlace[] = [];
  const looks = new QualityMeter(
    size,
    () => ({
      read: (_, [place]) => {
        asked.push(place!);
        return Promise.resolve([{ opening: 0, tilt: 0.3, eyes: 0.3, presence: 30 }]);
      },
      close: () => {},
    }),
    120,
  );
  const face = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
  const boxes = [{ ...face, width: 0.1 }, face];
  const subjects = boxes.map((box) => ({ kind: 'face' as const, box }));
  let count = 0;
  for (let at = 0; at < 120; at++) {
    const look = await looks.measure(stripes(2), subjects);
    if (!look) continue;
    count += 1;
    assert.deepEqual(look.face, { box: face, eyes: 0.3, presence: 30 });
  }
  assert.equal(count, 13);
  assert.deepEqual(asked.slice(0, 2), [
    { x: 48, y: 48, height: 48, tilt: 0 },
    { x: 48, y: 48, height: 48, tilt: 0.3 },
  ]);
});

test('blank pictures are not looked at, so that the first one after them is', async () => {
  const meter = new QualityMeter(size, undefined, 120);
  const blank = new Uint8Array(96 * 96 * 4);
  const seen = [];
  for (const picture of [blank, blank, stripes(2), stripes(2)]) {
    seen.push((await meter.measure(picture, [])) !== undefined);
  }
  assert.deepEqual(seen, [false, false, true, false]);
});

test('eyes of a small face are not read', async () => {
  const read = () => assert.fail('A face of 24 pixels was read.');
  const meter = new QualityMeter(size, () => ({ read, close: () => {} }), 120);
  const box = { x: 0.25, y: 0.25, width: 0.25, height: 0.25 };
  assert.equal((await meter.measure(stripes(2), [{ kind: 'face', box }]))?.face, undefined);
});
