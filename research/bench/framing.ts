/**
 * Upright clips of two people: in how many pictures both faces are whole, and in how many a face is
 * cut. Of slides and code: in how many no line of text is cut. Prints tables: `npm run
 * bench:framing`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adaptedEdit } from '../../packages/engine/src/editing/framed-edit.ts';
import type { Box, CropWindow, Edit, Framing } from '../../packages/engine/src/edit.ts';
import { analysePictures } from '../../packages/engine/src/framing/analyse-pictures.ts';
import { faceFinder } from '../../packages/engine/src/framing/faces/face-finder.ts';
import { saliencyFinder } from '../../packages/engine/src/framing/saliency.ts';
import { textFinder } from '../../packages/engine/src/framing/text/text-finder.ts';
import { framingAt } from '../../packages/engine/src/framing/layout.ts';
import { slideVideo } from '../../packages/engine/test/support/slide-footage.ts';
import {
  layFace,
  randomNumbers,
  sceneMaterial,
  sceneSize,
  writeFilm,
  type Face,
  type SceneMaterial,
} from './face-scenes.ts';
import { markdownTable } from './table.ts';
import { scenes, webcamFilm } from './webcams.ts';

const rate = 12;
const seconds = 2;
const clips = 24;
const poses = 4;
/** Heights of the two faces, and the distance of their middles, in shares of the picture. */
const heights = [0.1, 0.15, 0.22, 0.33] as const;
const distances = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7] as const;

const edit: Edit = {
  version: 1,
  source: { ...sceneSize, frameRate: rate, hasAudio: false },
  ranges: [{ start: 0, end: seconds }],
  duration: seconds,
  frameRate: rate,
  dimensions: { width: 1080, height: 1920 },
  framing: { mode: 'crop', x: 438, y: 0, width: 405, height: 720 },
  needsAnalysis: true,
  captions: [],
  emojis: [],
  title: null,
};

const windowBox = ({ width, height, keys }: CropWindow): Box => ({ ...keys[0]!, width, height });

/** The parts of the source that a framing shows at one frame, in pixels. */
function shownParts(framing: Framing): Box[] {
  if (framing.mode === 'fit') return [{ x: 0, y: 0, ...sceneSize }];
  if (framing.mode === 'crop') return [framing];
  return framing.shots.flatMap((shot) =>
    shot.mode === 'crop'
      ? [windowBox(shot.window)]
      : shot.mode === 'stack'
        ? shot.windows.map(windowBox)
        : [],
  );
}

/** The share of a face that a part of the source shows. */
function shownShare(face: Box, part: Box): number {
  const across = Math.min(face.x + face.width, part.x + part.width) - Math.max(face.x, part.x);
  const down = Math.min(face.y + face.height, part.y + part.height) - Math.max(face.y, part.y);
  return (Math.max(0, across) * Math.max(0, down)) / (face.width * face.height);
}

/** Slides and code in many colours and sizes, half of them with a webcam in a corner. */
async function slidePictures(directory: string, faces: readonly Face[]) {
  const colours = ['ffffff 222222', '14213d ffffff', 'e5e7eb 6b7280', '1e1e1e d4d4d4'] as const;
  const sizes = [18, 26, 34, 46, 64] as const;
  const corners = ['right bottom', 'right top', 'left bottom', 'left top'] as const;
  const counted = { pictures: 0, whole: 0, webcams: 0, below: 0 };
  for (const [at, size] of sizes.entries()) {
    for (const [which, colour] of colours.entries()) {
      const [ground, letters] = colour.split(' ') as [string, string];
      const lines = Array.from(
        { length: Math.min(20, Math.floor(560 / (size * 1.6))) },
        (_, line) => ({
          x: 70 + (which === 3 ? (line % 3) * 2 * size : 0),
          y: 80 + line * size * 1.6,
          size,
          text: said.slice(0, Math.floor(1100 / (size * 0.62)) - (line % 3) * 4),
        }),
      );
      const video = join(directory, 'slide.mp4');
      const place = { width: 320, height: 180 };
      const corner = corners[(at + which) % corners.length]!.split(' ');
      const webcam = (at + which) % 2 === 0;
      const inset = webcam && {
        video: join(directory, 'webcam.mp4'),
        x: corner[0] === 'left' ? 0 : sceneSize.width - place.width,
        y: corner[1] === 'top' ? 0 : sceneSize.height - place.height,
        ...place,
      };
      if (webcam) {
        const pictures = [0, 1, 2, 1, 0, 1].map((pose) => {
          const picture = Buffer.alloc(sceneSize.width * sceneSize.height * 3, 90);
          layFace(picture, faces[(at * colours.length + which) % faces.length]!, {
            ...{ x: 630 + 10 * pose, y: 330, height: 300, light: 1 },
          });
          return picture;
        });
        await writeFilm(join(directory, 'webcam.mp4'), pictures, { rate: 4 });
      }
      await slideVideo(video, {
        seconds: 1.2,
        lines,
        ground,
        letters,
        ...(inset && { insets: [inset] }),
      });
      const analysis = await analysePictures(video, {
        span: { start: 0, end: 1.2 },
        source: sceneSize,
        frameRate: 25,
        shape: 9 / 16,
        finders: [faceFinder, textFinder],
        otherwise: saliencyFinder,
        signal: new AbortController().signal,
      });
      const { framing } = adaptedEdit(
        { ...edit, source: { ...edit.source, frameRate: 25 } },
        analysis,
      );
      const shot = framing.mode === 'shots' ? framing.shots[0] : null;
      const speaker = shot?.mode === 'screen' ? windowBox(shot.speaker) : null;
      const alone = speaker && inset && shownShare(speaker, inset) > 0.99;
      counted.pictures += 1;
      counted.webcams += webcam ? 1 : 0;
      if (framing.mode === 'fit' || alone) counted.whole += 1;
      if (alone) counted.below += 1;
      if (process.argv.includes('--each'))
        console.log(size, colour, webcam, framing.mode, shot?.mode);
    }
  }
  return counted;
}

/** Slides with people in any way: where the speaker belongs below, and where nobody does. */
async function webcamPictures(directory: string, material: SceneMaterial) {
  const counted = { speakers: 0, below: 0, others: 0, whole: 0 };
  for (const [at, scene] of scenes.entries()) {
    const video = await webcamFilm(directory, scene, at, material);
    const analysis = await analysePictures(video, {
      span: { start: 0, end: seconds },
      source: sceneSize,
      frameRate: 25,
      shape: 9 / 16,
      finders: [faceFinder, textFinder],
      otherwise: saliencyFinder,
      signal: new AbortController().signal,
    });
    const { framing } = adaptedEdit(
      { ...edit, source: { ...edit.source, frameRate: 25 } },
      analysis,
    );
    const shot = framing.mode === 'shots' ? framing.shots[0] : null;
    const speaker = shot?.mode === 'screen' ? windowBox(shot.speaker) : null;
    // The window is on the speaker and on nothing else: of it, 5 % may be beside them.
    const below = scene.speaker && speaker && shownShare(speaker, scene.speaker) > 0.95;
    counted.speakers += scene.speaker ? 1 : 0;
    counted.others += scene.speaker ? 0 : 1;
    if (below) counted.below += 1;
    if (!scene.speaker && framing.mode === 'fit') counted.whole += 1;
    if (process.argv.includes('--each')) console.log(scene.name, shot?.mode ?? framing.mode, below);
  }
  return counted;
}

const said =
  'customers in northern markets renew their contracts earlier than we had expected and support costs fall'.repeat(
    2,
  );

const material = await sceneMaterial(
  fileURLToPath(new URL('../../.data/bench/faces', import.meta.url)),
);
const { faces, grounds } = material;
const directory = await mkdtemp(join(tmpdir(), 'bench-framing-'));
try {
  const random = randomNumbers(11);
  const modes = new Map<string, number>();
  let [frames, whole, cut] = [0, 0, 0];
  for (let clip = 0; clip < clips; clip++) {
    const ground = grounds[clip % grounds.length]!;
    const height = heights[clip % heights.length]! * sceneSize.height;
    const apart = Math.max(distances[clip % distances.length]! * sceneSize.width, height * 1.2);
    const middle =
      sceneSize.width / 2 + (random() - 0.5) * (sceneSize.width - apart - height * 1.2);
    const people = [-0.5, 0.5].map((side, at) => ({
      face: faces[(clip * 2 + at) % faces.length]!,
      x: middle + side * apart,
      y: height + random() * (sceneSize.height / 2 - height / 2),
      height: height * (0.8 + 0.4 * random()),
      light: 0.7 + 0.4 * random(),
    }));
    // They sway: a few pictures, shown to and fro.
    const pictures = Array.from({ length: poses }, (_, pose) => {
      const pixels = Buffer.from(ground);
      const faces = people.map(({ face, ...at }, person) => {
        const sway = Math.sin(pose + person * 2) * height * 0.12;
        const box = layFace(pixels, face, { ...at, x: at.x + sway });
        return {
          x: box.x * sceneSize.width,
          y: box.y * sceneSize.height,
          width: box.width * sceneSize.width,
          height: box.height * sceneSize.height,
        };
      });
      return { pixels, faces };
    });
    const shown = Array.from({ length: rate * seconds }, (_, frame) => {
      const step = Math.floor(frame / 3) % (2 * poses - 2);
      return pictures[Math.min(step, 2 * poses - 2 - step)]!;
    });
    const video = join(directory, `${clip}.mp4`);
    await writeFilm(
      video,
      shown.map(({ pixels }) => pixels),
      { rate },
    );
    const analysis = await analysePictures(video, {
      span: { start: 0, end: seconds },
      source: sceneSize,
      frameRate: 25,
      shape: 9 / 16,
      finders: [faceFinder, textFinder],
      otherwise: saliencyFinder,
      signal: new AbortController().signal,
    });
    const { framing } = adaptedEdit(edit, analysis);
    const kind =
      framing.mode === 'shots' ? framing.shots.map(({ mode }) => mode).join() : framing.mode;
    modes.set(kind, (modes.get(kind) ?? 0) + 1);
    for (const [frame, { faces: both }] of shown.entries()) {
      const parts = shownParts(framingAt(framing, frame));
      const shares = both.map((face) => parts.map((part) => shownShare(face, part)));
      frames += 1;
      if (shares.every((face) => Math.max(...face) > 0.98)) whole += 1;
      if (shares.some((face) => face.some((share) => share > 0.02 && share < 0.98))) cut += 1;
    }
    if (process.argv.includes('--each')) {
      console.log(clip, kind, heights[clip % heights.length], (apart / sceneSize.width).toFixed(2));
    }
  }
  const share = (count: number, all = frames) => `${((100 * count) / all).toFixed(1)} %`;
  console.log(
    markdownTable(
      ['two people', 'pictures', 'share'],
      [
        ['all', String(frames), ''],
        ['both faces whole', String(whole), share(whole)],
        ['a part of a face', String(cut), share(cut)],
      ],
    ),
  );
  console.log(`\n${[...modes].map(([mode, count]) => `${mode}: ${count}`).join(', ')}`);

  const slides = await slidePictures(directory, faces);
  console.log(
    `\n${markdownTable(
      ['slides and code', 'pictures', 'share'],
      [
        ['all', String(slides.pictures), ''],
        ['no line of text is cut', String(slides.whole), share(slides.whole, slides.pictures)],
        ['with a webcam', String(slides.webcams), ''],
        ['the speaker is below', String(slides.below), share(slides.below, slides.webcams)],
      ],
    )}`,
  );

  const webcams = await webcamPictures(directory, material);
  console.log(
    `\n${markdownTable(
      ['people on slides', 'films', 'share'],
      [
        ['one speaker', String(webcams.speakers), ''],
        ['the speaker is below', String(webcams.below), share(webcams.below, webcams.speakers)],
        ['nobody, photos, two, or a film', String(webcams.others), ''],
        ['the picture is whole', String(webcams.whole), share(webcams.whole, webcams.others)],
      ],
    )}`,
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
