import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { waitFor } from 'clip-testkit/wait-for';
import {
  analysePictures,
  computeSmallSize,
  findEarlyKeyframes,
} from '../../src/framing/analyse-pictures.ts';
import type { OpenFinder, Subject } from '../../src/framing/subject-finder.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo } from '../support/people-footage.ts';

const execute = promisify(execFile);
const directory = await temporaryDirectory();
const video = join(directory.path, 'video.mp4');
const size = { width: 320, height: 180 };

before(async () => {
  await peopleVideo(video, {
    ...size,
    seconds: 3,
    at: (second) => ({ scene: second < 1.48 ? 0 : 1, people: [] }),
  });
});
after(() => directory.remove());

const box = { x: 0, y: 0, width: 0.1, height: 0.1 };
const subject: Subject = { kind: 'salient', box };

function finder(analysis: (picture: Uint8Array) => Promise<Subject[]>) {
  const seen = { pictures: 0, closed: 0, bytes: new Set<number>() };
  const open: OpenFinder = () => ({
    find: (picture) => {
      seen.pictures += 1;
      seen.bytes.add(picture.length);
      return analysis(picture);
    },
    close: () => {
      seen.closed += 1;
      return Promise.resolve();
    },
  });
  return { seen, open };
}

const looked = (
  finders: OpenFinder[],
  more: Partial<Parameters<typeof analysePictures>[1]> = {},
  path = video,
) =>
  analysePictures(path, {
    span: { start: 0, end: 3 },
    source: size,
    frameRate: 25,
    shape: 9 / 16,
    finders,
    signal: new AbortController().signal,
    ...more,
  });

test('it pauses before a picture for as long as it is told to, and misses none', async () => {
  const { seen, open } = finder(() => Promise.resolve([subject]));
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const found = looked([open], {
    beforePicture: () => {
      asked += 1;
      return asked > 3 ? gate.promise : Promise.resolve();
    },
  });
  await waitFor('the fourth picture', () => asked > 3);
  assert.equal(seen.pictures, 3);
  gate.resolve();
  const { sightings } = await found;
  assert.equal(sightings.length, (await looked([open])).sightings.length);
});

/** A video with a keyframe every two seconds, and a cut at one of them. */
async function keyedVideo(seconds: number, cut = Infinity): Promise<string> {
  const path = join(directory.path, `keyed-${seconds}-${cut}.mp4`);
  await peopleVideo(path, {
    ...{ ...size, seconds },
    at: (second) => ({ scene: second < cut - 0.01 ? 0 : 1, people: [] }),
  });
  return path;
}

test('a draft is of one picture of each shot, which is taken for the whole of it', async () => {
  let searched = 0;
  const each = finder(() => {
    searched += 1;
    return Promise.resolve([{ kind: 'salient', box: { ...box, x: searched / 10 } }]);
  });
  const draft = await looked([each.open], { draft: 'keyframes' }, await keyedVideo(3, 2));
  assert.equal(each.seen.pictures, 2);
  assert.deepEqual(draft.cuts, [2]);
  const places = draft.sightings.map(({ time, subjects }) => [time, subjects[0]?.box.x]);
  assert.equal(places.length, 13);
  for (const [time, x] of places) assert.equal(x, time! < 2 ? 0.1 : 0.2, `${time}`);
});

test('a draft that begins after a keyframe is of a picture of its own, not of that keyframe', async () => {
  let searched = 0;
  const each = finder(() => {
    searched += 1;
    return Promise.resolve([{ kind: 'salient', box: { ...box, x: searched / 10 } }]);
  });
  const span = { start: 1, end: 3 };
  const draft = await looked([each.open], { draft: 'keyframes', span }, await keyedVideo(3, 2));
  // The keyframes at 0 and 2 s, then the picture at 1.5 s.
  assert.equal(each.seen.pictures, 3);
  assert.deepEqual(draft.cuts, [1]);
  for (const { time, subjects } of draft.sightings) {
    assert.equal(subjects[0]?.box.x, time < 1 ? 0.3 : 0.2, `${time}`);
  }
});

test('a keyframe is early if it does not come at the distance that the encoder keeps', () => {
  const early = (...times: number[]) => findEarlyKeyframes(times, 25).map(Number).join('');
  assert.equal(early(0, 2, 4, 6, 8), '00000');
  assert.equal(early(-3, 7, 11.08, 21.08), '0010');
  assert.equal(early(-0.6, 6.36, 14.12, 20.72), '0111');
  assert.equal(
    findEarlyKeyframes([0, 250 / 30, 10], 30)
      .map(Number)
      .join(''),
    '001',
  );
  // A distance that several have is the encoder's own.
  assert.equal(early(0, 5.34, 10.68, 12.2), '0001');
  assert.equal(early(0), '0');
});

for (const [seconds, pictures] of [
  [5, 3],
  [40, 10],
] as const) {
  test(`a draft of a shot of ${seconds} s is of ${pictures} pictures`, async () => {
    const every = finder(() => Promise.resolve([]));
    const span = { start: 0, end: seconds };
    await looked([every.open], { draft: 'keyframes', span }, await keyedVideo(seconds));
    assert.equal(every.seen.pictures, pictures);
  });
}

test('about four pictures a second are looked at, in their order and with their times; cuts are found to the frame', async () => {
  const every = finder(() => Promise.resolve([subject]));
  const analysis = await looked([every.open]);
  const { width, height } = computeSmallSize(size);
  assert.deepEqual([...every.seen.bytes], [width * height * 4]);
  assert.ok(analysis.sightings.length >= 9 && analysis.sightings.length <= 13);
  analysis.sightings.forEach(({ time }, index) => {
    const before = analysis.sightings[index - 1]?.time ?? -0.3;
    assert.ok(time - before > 0.2 && time - before < 0.4, `${before} to ${time}`);
  });
  assert.deepEqual(analysis.cuts, [1.48]);
});

test('a source segment is analysed alone, its times from its start', async () => {
  const every = finder(() => Promise.resolve([]));
  const analysis = await looked([every.open], { span: { start: 1, end: 2 } });
  assert.ok(analysis.sightings.every(({ time }) => time >= 0 && time <= 1));
  assert.ok(Math.abs(analysis.cuts[0]! - 0.48) < 0.001);
});

test('the next pictures are decoded while one is looked at', async () => {
  const programs = async () =>
    (await execute('ps', ['-eo', 'args'])).stdout
      .split('\n')
      .filter((line) => line.includes(directory.path));
  let first = true;
  const slow = finder(async () => {
    if (first) {
      first = false;
      await waitFor('the end of decoding', async () => !(await programs()).length, programs);
    }
    return [subject];
  });
  const { sightings } = await looked([slow.open], { span: { start: 0, end: 1 } });
  assert.equal(sightings.length, slow.seen.pictures);
  assert.ok(sightings.length >= 3);
});

test('persons are searched twice a second, once beside another subject; the last finder is asked where all see nothing', async () => {
  const face: Subject = { ...subject, kind: 'face' };
  for (const [seen, every] of [
    [[face], 4],
    [[], 2],
  ] as const) {
    const first = finder(() => Promise.resolve([...seen]));
    const persons = finder(() => Promise.resolve([]));
    const last = finder(() => Promise.resolve([subject]));
    const span = { start: 0, end: 1.4 };
    await looked([first.open], { span, persons: persons.open, otherwise: last.open });
    assert.equal(persons.seen.pictures, Math.ceil(first.seen.pictures / every));
    assert.equal(last.seen.pictures, seen.length > 0 ? 0 : first.seen.pictures);
    assert.deepEqual(
      [first, persons, last].map((one) => one.seen.closed),
      [1, 1, 1],
    );
  }
});

test('people are searched beside a title, not beside a slide', async () => {
  const line = (y: number): Subject => ({
    kind: 'text',
    box: { x: 0.2, y, width: 0.5, height: 0.1 },
  });
  for (const [lines, isAsked] of [
    [[line(0.2), line(0.4)], true],
    [[line(0.2), line(0.4), line(0.6)], false],
  ] as const) {
    const text = finder(() => Promise.resolve([...lines]));
    const persons = finder(() => Promise.resolve([]));
    await looked([text.open], { persons: persons.open });
    assert.equal(persons.seen.pictures > 0, isAsked);
  }
});

test('a face that is taken for a line of text is none; wide letters over it are', async () => {
  const face: Subject = { kind: 'face', box: { x: 0.4, y: 0.3, width: 0.12, height: 0.3 } };
  const eyes: Subject = { kind: 'text', box: { x: 0.38, y: 0.28, width: 0.16, height: 0.34 } };
  const words: Subject = { kind: 'text', box: { x: 0.2, y: 0.52, width: 0.5, height: 0.06 } };
  const faces = finder(() => Promise.resolve([face]));
  const text = finder(() => Promise.resolve([eyes, words]));
  const { sightings } = await looked([faces.open, text.open]);
  for (const { subjects } of sightings) {
    assert.deepEqual(
      subjects.map(({ box: seen }) => seen),
      [words.box, face.box],
    );
  }
});

test('a finder that breaks is told of once, and the other goes on', async () => {
  const broken = finder(() => Promise.reject(new Error('out of order')));
  const other = finder(() => Promise.resolve([subject]));
  const told: unknown[] = [];
  const analysis = await looked([broken.open, other.open], {
    onBroken: (error) => told.push(error),
  });
  assert.equal(told.length, 1);
  assert.equal(broken.seen.pictures, 1);
  assert.ok(analysis.sightings.every(({ subjects }) => subjects.length === 1));
  assert.equal(broken.seen.closed, 1);
});

test('a slow finder holds the decoder up: pictures do not pile up', async () => {
  let waiting = 0;
  let most = 0;
  const slow = finder(async () => {
    waiting += 1;
    most = Math.max(most, waiting);
    await new Promise(setImmediate);
    waiting -= 1;
    return [];
  });
  await looked([slow.open]);
  assert.equal(most, 1);
});

test('an abort ends it, with everything closed', async () => {
  const stop = new AbortController();
  const every = finder(() => {
    stop.abort(new Error('enough'));
    return Promise.resolve([]);
  });
  await assert.rejects(looked([every.open], { signal: stop.signal }), /enough/);
  assert.equal(every.seen.closed, 1);
});

test('a file that cannot be decoded is an error', async () => {
  const every = finder(() => Promise.resolve([]));
  const missing = join(directory.path, 'missing.mp4');
  await assert.rejects(looked([every.open], {}, missing), { name: 'ProcessError' });
  assert.equal(every.seen.closed, 1);
});

test('small pictures have the shape of the large ones, with even sides', () => {
  assert.deepEqual(computeSmallSize({ width: 1920, height: 1080 }), { width: 640, height: 360 });
  assert.deepEqual(computeSmallSize({ width: 1080, height: 1920 }), { width: 360, height: 640 });
  assert.deepEqual(computeSmallSize({ width: 4000, height: 20 }), { width: 640, height: 16 });
});
