import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import { adaptEdit, frameEdit } from '../../src/editing/framed-edit.ts';
import { analyseFraming, makeFinders } from '../../src/editing/analyse-framing.ts';
import { listShownShots, type ShownShot } from '../../src/editing/shown-shots.ts';
import { framingSuite } from '../support/framing-suite.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo, type Person } from '../support/people-footage.ts';
import { plainEdit } from 'clip-testkit/plain-edit';
import { inLongRun } from 'clip-testkit/long-run';
import { runUrgently } from '../../src/program/urgency.ts';

framingSuite('faces', () => Promise.resolve(createFaceFinder));

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const size = { width: 480, height: 270 };
const edit = plainEdit({
  source: { ...size, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: 1.4 }],
  framing: { mode: 'crop', x: 164, y: 0, width: 151, height: 270 },
  needsAnalysis: true,
});

async function looked(name: string, people: readonly Person[]) {
  const video = await peopleVideo(join(directory.path, name), {
    ...size,
    seconds: 1.4,
    at: () => ({ scene: 0, people }),
  });
  return analysePictures(video, {
    span: { start: 0, end: 1.4 },
    source: size,
    frameRate: 25,
    shape: 9 / 16,
    finders: [createFaceFinder],
    signal: new AbortController().signal,
  });
}

test('each face is found where it is, small ones and large ones', async () => {
  const people = [
    { x: 90, y: 130, height: 40 },
    { x: 320, y: 120, height: 130 },
  ];
  const { sightings } = await looked('sizes.mp4', people);
  assert.ok(sightings.length >= 5);
  for (const { subjects } of sightings) {
    assert.equal(subjects.length, 2);
    const middles = subjects
      .map(({ box }) => (box.x + box.width / 2) * size.width)
      .toSorted((a, b) => a - b);
    assert.ok(Math.abs(middles[0]! - 90) < 8 && Math.abs(middles[1]! - 320) < 12, middles.join());
  }
});

test(
  'two people who do not fit in one window stand above each other, and captions keep clear of a face',
  inLongRun,
  async () => {
    const two = [
      { x: 110, y: 120, height: 70 },
      // Of the lower half of the output, where the style places captions.
      { x: 370, y: 125, height: 72 },
    ];
    const words = ['over', 'the', 'face'].map((text, index) => ({
      ...{ text, start: index * 0.4, end: index * 0.4 + 0.4 },
    }));
    const spoken = { ...edit, captions: [{ start: 0, end: 1.2, words }] };
    const { framing, faces, captions } = adaptEdit(spoken, await looked('two.mp4', two));
    assert.ok(framing.mode === 'shots');
    assert.equal(framing.shots[0]?.mode, 'stack');
    assert.equal(faces?.length, 2);
    const [{ position, rise } = {}] = captions;
    assert.ok(rise !== undefined || (position && position !== 'lower'), `${position} ${rise}`);
  },
);

test('faces come first; if they are turned off, there is what draws the eye', () => {
  assert.equal(makeFinders({ faces: true }).faces, createFaceFinder);
  const { faces, persons, salient } = makeFinders({ faces: false });
  assert.deepEqual([faces, persons, typeof salient], [null, null, 'function']);
});

/** The processes that this one has started. */
async function listChildren(): Promise<number[]> {
  const children: number[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === process.pid) children.push(Number(id));
  }
  return children;
}

test(
  'a search gives way to others, unless a person waits for it',
  {
    skip: process.platform !== 'linux',
  },
  async () => {
    const search = async () => {
      const finder = createFaceFinder({ size, shape: 1, signal: new AbortController().signal });
      await finder.find(new Uint8Array(new SharedArrayBuffer(size.width * size.height * 4)));
      await finder.close();
    };
    await search();
    const before = await listChildren();
    assert.ok(before.some((id) => getPriority(id) > getPriority()));
    await runUrgently(search);
    const more = (await listChildren()).filter((id) => !before.includes(id));
    assert.ok(more.length > 0);
    assert.deepEqual(new Set(more.map(getPriority)), new Set([getPriority()]));
  },
);

test('a draft frames the shots of a clip as its preview does', async () => {
  const seconds = 6;
  const video = await peopleVideo(join(directory.path, 'shots.mp4'), {
    ...{ ...size, seconds },
    at: (second) => ({
      scene: second < 2.99 ? 0 : 1,
      people: [{ x: second < 2.99 ? 110 : 350, y: 130, height: 90 }],
    }),
  });
  const clip = { ...edit, duration: seconds, ranges: [{ start: 0, end: seconds }] };
  const listShots = async (isDraft: boolean): Promise<ShownShot[]> => {
    const options = { finders: makeFinders({ faces: true }), isDraft, onFailed: assert.ifError };
    const signal = new AbortController().signal;
    const analysis = await analyseFraming(clip, video, { ...options, signal });
    return listShownShots(frameEdit(clip, analysis), {}, analysis);
  };
  const [draft, preview] = [await listShots(true), await listShots(false)];
  const listPlaces = (shots: readonly ShownShot[]) => shots.map(({ start, mode }) => [start, mode]);
  assert.equal(preview.length, 2);
  assert.deepEqual(listPlaces(draft), listPlaces(preview));
  for (const [at, { x = 0 }] of draft.entries()) {
    assert.ok(Math.abs(x - preview[at]!.x!) < (0.05 * 151) / size.width, `${x}`);
  }
});
