/** Slides with a person without straight borders. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Box } from '../../src/edit.ts';
import { adaptEdit } from '../../src/editing/framed-edit.ts';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import { createFaceFinder } from '../../src/framing/faces/face-finder.ts';
import { createTextFinder } from '../../src/framing/text/text-finder.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { peopleVideo } from '../support/people-footage.ts';
import { bullets, code, slideVideo, type Inset, type SlideLine } from '../support/slide-footage.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
const videos = { moving: '', still: '' };
const seconds = 2;
/** The person's video has this size, and its wall the colour of `wall`, down to its floor. */
const size = { width: 640, height: 360 } as const;
const wall = 'a8a096';
before(async () => {
  directory = await temporaryDirectory();
  for (const name of ['moving', 'still'] as const) {
    videos[name] = await peopleVideo(join(directory.path, `${name}.mp4`), {
      ...size,
      seconds,
      at: (second) => ({
        scene: 2,
        people: [
          { x: 320 + (name === 'moving' ? 8 * Math.sin(7 * second) : 0), y: 120, height: 120 },
        ],
      }),
    });
  }
});
after(() => directory.remove());

const source = { width: 1280, height: 720 };
const edit = plainEdit({
  source: { ...source, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: seconds }],
  dimensions: { width: 360, height: 640 },
  framing: { mode: 'crop', x: 438, y: 0, width: 405, height: 720 },
  needsAnalysis: true,
});

interface Slide {
  lines: readonly SlideLine[];
  ground?: string;
  people: readonly (Box & { still?: boolean; filter?: string })[];
}

async function framed({ lines, ground = 'ffffff', people }: Slide) {
  const insets = people.map(({ still, ...inset }): Inset => ({
    video: still ? videos.still : videos.moving,
    ...inset,
  }));
  const video = await slideVideo(join(directory.path, 'slide.mp4'), {
    ...{ seconds, lines, ground, letters: '222222', insets },
  });
  const analysis = await analysePictures(video, {
    span: { start: 0, end: seconds },
    source,
    frameRate: 25,
    shape: 9 / 16,
    finders: [createFaceFinder, createTextFinder],
    signal: new AbortController().signal,
  });
  return adaptEdit(edit, analysis).framing;
}

const transparent = (inside: string) =>
  `format=yuva444p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*${inside}'`;
const circle = transparent('lte(hypot(X-W/2,Y-H/2),H/2)');
const rounded = transparent('lte(hypot(max(0,abs(X-W/2)-W/2+30),max(0,abs(Y-H/2)-H/2+30)),30)');
/** Without the floor, the wall is the ground of a slide of its colour. */
const cutOut = { ground: wall, filter: 'crop=iw:0.78*ih:0:0' } as const;

const corner = { x: 900, y: 480, width: 356, height: 200 };
const right = { x: 720, y: 320, width: 560, height: 314 };
const left = { x: -40, y: 320, width: 560, height: 314 };
const aside = bullets.map((line) => ({ ...line, x: line.x + 440 }));

const shown: (Slide & { name: string; person: Box })[] = [
  { name: 'round corners', lines: bullets, people: [{ ...corner, filter: rounded }] },
  {
    name: 'a circle, over code',
    lines: code,
    people: [{ x: 1010, y: 450, width: 240, height: 240, filter: circle }],
  },
  { name: 'a wall almost like the slide', lines: bullets, ground: 'b4aca2', people: [corner] },
  { name: 'cut out, on the right', lines: bullets, ...cutOut, people: [{ ...right, ...cutOut }] },
  { name: 'cut out, on the left', lines: aside, ...cutOut, people: [{ ...left, ...cutOut }] },
].map((slide) => ({ ...slide, person: slide.people[0]! }));

for (const { name, person, ...slide } of shown) {
  test(`the speaker is below the slide: ${name}`, async () => {
    const framing = await framed(slide);
    const [shot] = framing.mode === 'shots' ? framing.shots : [];
    assert.ok(shot?.mode === 'screen', framing.mode);
    const { width, height, keys } = shot.speaker;
    const { x, y } = keys[0]!;
    const window = JSON.stringify({ x, y, width, height });
    // Of the slide, the window shows its ground at most, by the size of the squares.
    const slack = 10;
    assert.ok(x >= person.x - slack && x + width <= person.x + person.width + slack, window);
    assert.ok(y >= person.y - slack && y + height <= person.y + person.height + slack, window);
    const scale = person.height / size.height;
    const face = {
      x: person.x + person.width / 2,
      y: person.y + 120 * scale,
      height: 120 * scale,
    };
    assert.ok(x < face.x - face.height * 0.38 && x + width > face.x + face.height * 0.38, window);
    assert.ok(y < face.y - face.height * 0.5 && y + height > face.y + face.height * 0.5, window);
  });
}

const whole: (Slide & { name: string })[] = [
  { name: 'a photo with borders', lines: bullets, people: [{ ...corner, still: true }] },
  {
    name: 'a photo that is cut out',
    lines: bullets,
    ...cutOut,
    people: [{ ...right, ...cutOut, still: true }],
  },
  {
    name: 'two people who move',
    lines: bullets,
    ...cutOut,
    people: [
      { ...right, ...cutOut },
      { ...left, ...cutOut },
    ],
  },
  { name: 'code without anybody', lines: code, people: [] },
];

for (const { name, ...slide } of whole) {
  test(`the picture stays whole: ${name}`, async () => {
    assert.deepEqual(await framed(slide), { mode: 'fit' });
  });
}

test('the words of a video with a caption are below the person', async () => {
  const lines = [{ x: 220, y: 650, size: 48, text: 'and that is why we stayed there' }];
  const framing = await framed({ lines, people: [{ x: 0, y: 0, ...source }] });
  const [shot] = framing.mode === 'shots' ? framing.shots : [];
  assert.ok(shot?.mode === 'crop' && shot.band);
  assert.ok(shot.band.y < 626 && shot.band.y + shot.band.height > 674);
});
