import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FaceNetwork, readFaces, joinFaces } from '../../src/framing/faces/face-network.ts';
import { FaceSearch, planWholeSearch } from '../../src/framing/faces/face-search.ts';
import { samplePicture } from '../../src/framing/faces/sampled.ts';

const size = { width: 640, height: 360 };
const picture = (value: number) => new Uint8Array(size.width * size.height * 4).fill(value);

/** A network that sees one face in the middle, with the scores that are given for each input. */
function network(score: { whole: number; close: number }) {
  const analyses: ('whole' | 'close')[] = [];
  const run = (_: Float32Array, input: { width: number; height: number }) => {
    const kind = input.width === input.height ? 'close' : 'whole';
    analyses.push(kind);
    const [columns, rows] = [input.width / 4, input.height / 4];
    const cells = columns * rows;
    const scores = new Float32Array(cells).fill(-20);
    const boxes = new Float32Array(16 * cells);
    const middle = (rows / 2) * columns + columns / 2;
    scores[middle] = Math.log(score[kind] / (1 - score[kind]));
    boxes.fill(-2, 0, 2 * cells); // The middle of the input is a corner of the cell.
    boxes.fill(kind === 'close' ? 36 : 0.19 * input.height, 2 * cells, 4 * cells);
    return Promise.resolve({ scores, boxes });
  };
  return { looks: analyses, run };
}

test('a guess is a face only if it is one from close up; a certain one is not looked at again', async () => {
  const sure = new FaceSearch(network({ whole: 0.15, close: 0.6 }).run, size);
  const [face] = await sure.find(picture(90));
  assert.ok(face);
  assert.ok(Math.abs(face.x + face.width / 2 - 0.5) < 0.01);
  const unsure = new FaceSearch(network({ whole: 0.5, close: 0.35 }).run, size);
  assert.deepEqual(await unsure.find(picture(90)), []);
  const certain = network({ whole: 0.7, close: 0.35 });
  assert.equal((await new FaceSearch(certain.run, size).find(picture(90))).length, 1);
  assert.deepEqual(certain.looks, ['whole', 'whole']);
});

test('whole pictures are searched once a second, at cuts, and if a face is lost', async () => {
  const score = { whole: 0.5, close: 0.9 };
  const { looks: analyses, run } = network(score);
  const search = new FaceSearch(run, size);
  const looked = async (value: number) => {
    const before = analyses.length;
    await search.find(picture(value));
    return analyses.slice(before).join(' ');
  };
  assert.equal(await looked(90), 'whole whole close');
  for (let count = 0; count < 3; count++) assert.equal(await looked(91), 'close');
  // The known face is not looked at twice.
  assert.equal(await looked(91), 'close whole whole');
  assert.equal(await looked(200), 'whole whole close');
  score.close = 0.1;
  assert.equal(await looked(200), 'close whole whole close');
  assert.equal(await looked(200), '');
});

test('a known face may become less certain than a new one', async () => {
  const score = { whole: 0.5, close: 0.9 };
  const search = new FaceSearch(network(score).run, size);
  await search.find(picture(90));
  score.close = 0.35;
  assert.equal((await search.find(picture(90))).length, 1);
  assert.equal((await search.find(picture(200))).length, 0);
});

test('the input has the shape of the picture, in sides that the network can halve five times', () => {
  const input = (width: number, height: number) =>
    planWholeSearch({ width, height }, 'smallFaces').input;
  assert.deepEqual(input(640, 360), { width: 320, height: 192 });
  assert.deepEqual(input(360, 640), { width: 192, height: 320 });
  assert.deepEqual(input(640, 480), { width: 288, height: 224 });
  assert.deepEqual(input(640, 16), { width: 1568, height: 32 });
});

test('close-ups are searched in a smaller picture with room around it', () => {
  const { input, region } = planWholeSearch({ width: 640, height: 360 }, 'closeUps');
  assert.deepEqual(input, { width: 192, height: 96 });
  assert.deepEqual(Object.values(region).map(Math.round), [-64, -36, 768, 432]);
});

test('a face in the room around the picture is only a mirror image', async () => {
  const outside: FaceNetwork = (_, input) => {
    const cells = (input.width * input.height) / 16;
    const scores = new Float32Array(cells).fill(-20);
    const boxes = new Float32Array(16 * cells).fill(12);
    // At the upper left of the input, which is outside only in the search for close-ups.
    if (input.width === 192) scores[0] = 5;
    return Promise.resolve({ scores, boxes });
  };
  assert.deepEqual(await new FaceSearch(outside, size).find(picture(90)), []);
});

test('boxes of the same face are joined by their scores, others are kept', () => {
  const box = { y: 0.1, width: 0.2, height: 0.2 };
  const joined = joinFaces([
    { ...box, x: 0.1, score: 0.3 },
    { ...box, x: 0.12, score: 0.9 },
    { ...box, x: 0.6, score: 0.5 },
  ]);
  assert.deepEqual(
    joined.map(({ x, score }) => [Number(x.toFixed(3)), score]),
    [
      [0.115, 0.9],
      [0.6, 0.5],
    ],
  );
  const cells = { scores: Float32Array.of(-5, -5, 3, -5), boxes: new Float32Array(64).fill(4) };
  const [face] = readFaces(cells, { width: 8, height: 8 }, 0.5);
  assert.ok(face && Math.abs(face.x - 0.5) < 1e-6 && Math.abs(face.y - 1) < 1e-6);
});

test('a part of a picture is scaled to the input; outside of the picture is its mirror image', () => {
  const data = new Uint8Array(4 * 4 * 4);
  for (let at = 0; at < 16; at++) data.set([at % 4 < 2 ? 255 : 0, 255, 0, 255], at * 4);
  const four = { width: 4, height: 4 };
  const values = samplePicture(data, four, { x: -4, y: 0, width: 8, height: 4 }, four);
  assert.deepEqual([...values.subarray(0, 4)], [-1, 1, 1, -1]);
  assert.deepEqual([...values.subarray(16, 20)], [1, 1, 1, 1]);
  assert.deepEqual([...values.subarray(32, 36)], [-1, -1, -1, -1]);
  const far = samplePicture(data, four, { x: -8, y: 0, width: 8, height: 4 }, four);
  assert.deepEqual([...far.subarray(0, 4)], [-1, -1, -1, 1]);
});
