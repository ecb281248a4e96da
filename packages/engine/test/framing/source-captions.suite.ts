import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { adaptEdit } from '../../src/editing/framed-edit.ts';
import type { CaptionLine, Dimensions, Edit } from '../../src/edit.ts';
import { analysePictures } from '../../src/framing/analyse-pictures.ts';
import type { PictureAnalysis } from '../../src/framing/subject-finder.ts';
import { getLargestWindow } from '../../src/framing/layout.ts';
import { createSaliencyFinder } from '../../src/framing/saliency.ts';
import { findSourceCaptions, withSourceCaptions } from '../../src/framing/text/source-captions.ts';
import { createTextFinder } from '../../src/framing/text/text-finder.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  directory = await temporaryDirectory();
});
after(() => directory.remove());

const seconds = 12;
const wide = { width: 640, height: 360 };
const said = [
  'and then I knew',
  'we did it all again',
  'nobody told us',
  'it was raining in June',
  'so let us try',
  'it took eleven years',
];

/** A text of a video, at heights and sizes in shares of the picture's. */
interface Text {
  text: string;
  from: number;
  to: number;
  options: string;
}

const each = (options: string): Text[] =>
  said.map((text, at) => ({ text, from: 2 * at, to: 2 * at + 1.9, options }));
const always = (text: string, options: string): Text[] => [{ text, from: 0, to: seconds, options }];

/** A camera that moves over a picture without quiet places, with texts. */
async function videoWith(name: string, texts: readonly Text[], size: Dimensions = wide) {
  const path = join(directory.path, name);
  const drawn = texts.map(
    ({ text, from, to, options }) =>
      `drawtext=font=DejaVu Sans:text=${text}:enable='between(t,${from},${to})':${options}`,
  );
  const camera = `crop=${size.width}:${size.height}:x='(iw-ow)*(0.5+0.4*sin(t))':y='(ih-oh)/2'`;
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `mandelbrot=s=960x960:r=1:start_scale=0.3,trim=end_frame=1,loop=-1:1,setpts=N/12/TB,fps=12`,
    '-vf', [camera, 'format=yuv420p', ...drawn].join(','), '-t', String(seconds),
    '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', path,
  ]);
  return path;
}

function look(video: string, source: Dimensions, output: Dimensions): Promise<PictureAnalysis> {
  const { width, height } = getLargestWindow(source, output);
  return analysePictures(video, {
    span: { start: 0, end: seconds },
    source,
    frameRate: 24,
    shape: width / height,
    finders: [createTextFinder],
    otherwise: createSaliencyFinder,
    signal: new AbortController().signal,
  });
}

const line = (start: number): CaptionLine => ({
  start,
  end: start + 2,
  words: [{ text: 'words', start, end: start + 2 }],
});

function editOf(source: Dimensions, dimensions: Dimensions, more: Partial<Edit> = {}): Edit {
  const { width, height } = getLargestWindow(source, dimensions);
  return plainEdit({
    source: { ...source, frameRate: 12, hasAudio: false },
    ranges: [{ start: 0, end: seconds }],
    frameRate: 24,
    dimensions,
    framing: { mode: 'crop', x: 0, y: 0, width: Math.floor(width), height: Math.floor(height) },
    needsAnalysis: true,
    captions: said.map((_, at) => line(2 * at)),
    ...more,
  });
}

const upright = { width: 360, height: 640 };
const low = 'x=(w-tw)/2:y=h*0.82:fontsize=h/14:fontcolor=white:borderw=2';

test('captions of an upright source: ours are left out, and their words stay known', async () => {
  const options = 'x=(w-tw)/2:y=h*0.7:fontsize=26:fontcolor=yellow:borderw=2';
  const video = await videoWith('tall.mp4', each(options), upright);
  const seen = await look(video, upright, upright);
  const edit = adaptEdit(editOf(upright, upright), seen);
  assert.equal(edit.sourceCaptions, true);
  assert.deepEqual(edit.captions, []);
  assert.equal(edit.words?.length, said.length);

  // A translation says something else: it stays, away from the captions.
  const translated = adaptEdit(editOf(upright, upright, { translated: true }), seen);
  assert.equal(translated.captions.length, said.length);
  const band = sourceBand(seen);
  assert.ok(band.y > 0.6 && band.y + band.height < 0.85, JSON.stringify(band));
  for (const { position, rise } of translated.captions) {
    assert.ok(position !== undefined || rise !== undefined, 'it made way');
  }
});

const sourceBand = ({ sightings }: PictureAnalysis) =>
  sightings.flatMap(({ subjects }) => subjects).find(({ kind }) => kind === 'caption')!.box;

test('captions of a wide source are not cut: a window that shows them, otherwise all of the picture', async () => {
  const video = await videoWith('wide.mp4', each(low));
  const seen = await look(video, wide, upright);
  assert.equal(adaptEdit(editOf(wide, upright), seen).framing.mode, 'fit');
});

test('a window moves for captions that fit in it; away from its subject, they are below it', () => {
  const square = { width: 360, height: 360 };
  const band = { x: 0.3, y: 0.8, width: 0.4, height: 0.1 };
  const framed = (face: number) =>
    adaptEdit(editOf(wide, square), {
      cuts: [],
      sightings: Array.from({ length: 48 }, (_, index) => ({
        time: index / 4,
        subjects: [
          { kind: 'face' as const, box: { x: face - 0.05, y: 0.3, width: 0.1, height: 0.2 } },
          { kind: 'caption' as const, box: band },
        ],
      })),
    }).framing;
  const near = framed(0.35);
  assert.ok(near.mode === 'crop', near.mode);
  assert.ok(near.x <= 0.3 * 640 && near.x + near.width >= 0.7 * 640, JSON.stringify(near));
  assert.ok(near.x < 100, 'it stays as near to the face as it can');
  const far = framed(0.9);
  assert.ok(far.mode === 'shots' && far.shots.length === 1);
  const [shot] = far.shots;
  assert.ok(shot?.mode === 'crop' && shot.band);
  assert.ok(shot.band.y <= 0.8 * 360 && shot.band.y + shot.band.height >= 0.9 * 360);
  assert.ok(shot.window.keys[0]!.x + shot.window.width > 0.95 * 640);
});

for (const [name, texts] of [
  ['a name that stays', always('Dr. Maria Keller', low)],
  ['a faint watermark', always('shutterpix', low.replace('white', 'white@0.3'))],
  ['a logo', always('TV5', 'x=20:y=16:fontsize=18:fontcolor=white')],
  [
    'a ticker',
    always(
      'markets close higher after a quiet week while farmers wait for rain in the north',
      'x=w-t*90:y=h*0.9:fontsize=18:fontcolor=white:box=1:boxcolor=black:boxborderw=6',
    ),
  ],
  ['lines at the left', each('x=20:y=h*0.82:fontsize=24:fontcolor=white:borderw=2')],
  ['titles at the top', each('x=(w-tw)/2:y=h*0.1:fontsize=24:fontcolor=white:borderw=2')],
] as const) {
  test(`${name}: not captions`, async () => {
    const video = await videoWith('other.mp4', texts);
    const seen = await look(video, wide, upright);
    assert.ok(
      seen.sightings.every(({ subjects }) => subjects.every(({ kind }) => kind !== 'caption')),
    );
    assert.equal(adaptEdit(editOf(wide, upright), seen).captions.length, said.length);
  });
}

test('slides change with a cut: their lines are not captions', () => {
  const box = (width: number) => ({ x: (1 - width) / 2, y: 0.7, width, height: 0.06 });
  const sightings = Array.from({ length: 48 }, (_, index) => ({
    time: index / 4,
    subjects: [{ kind: 'text' as const, box: box(0.3 + 0.05 * Math.floor(index / 8)) }],
  }));
  const cuts = [2, 4, 6, 8, 10];
  assert.equal(findSourceCaptions({ sightings, cuts }), null);
  assert.ok(findSourceCaptions({ sightings, cuts: [] }));
});

test('only the pictures that have captions show them, each its own words at one height', () => {
  const line = (width: number, y: number) => ({
    kind: 'text' as const,
    box: { x: (1 - width) / 2, y, width, height: 0.06 },
  });
  const words = [[line(0.3, 0.8)], [], [line(0.5, 0.8)], [line(0.7, 0.73), line(0.4, 0.8)], []];
  const sightings: PictureAnalysis['sightings'] = Array.from({ length: 40 }, (_, index) => ({
    time: index / 4,
    subjects: words[Math.floor(index / 8)]!,
  }));
  const seen = withSourceCaptions({ sightings, cuts: [] }).sightings.map(
    ({ subjects }) => subjects,
  );
  assert.deepEqual([seen[10], seen[39]], [[], []]);
  const found = [seen[0]!, seen[20]!, seen[30]!].map(([subject, ...others]) => {
    assert.ok(subject?.kind === 'caption' && others.length === 0);
    const { y, width, height } = subject.box;
    return [y, width, height].map((value) => Number(value.toFixed(3)));
  });
  assert.deepEqual(found, [
    [0.73, 0.3, 0.13],
    [0.73, 0.5, 0.13],
    [0.73, 0.7, 0.13],
  ]);
});
