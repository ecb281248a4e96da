/**
 * Two people in an upright clip: in how many pictures both faces are whole, and in how many a face
 * is cut. Prints a table: `node bench/framing.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { framedEdit } from '../engine/src/editing/framed-edit.ts';
import type { Box, CropWindow, Edit, Framing } from '../engine/src/edit.ts';
import { lookAtClip } from '../engine/src/framing/clip-look.ts';
import { findersWith } from '../engine/src/framing/finders.ts';
import { framingAt } from '../engine/src/framing/framing.ts';
import { layFace, randomNumbers, sceneMaterial, sceneSize, writeFilm } from './face-scenes.ts';
import { markdownTable } from './table.ts';

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
  unseen: true,
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

const { faces, grounds } = await sceneMaterial(
  fileURLToPath(new URL('../.data/bench/faces', import.meta.url)),
);
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
    const film = join(directory, `${clip}.mp4`);
    await writeFilm(
      film,
      shown.map(({ pixels }) => pixels),
      { rate },
    );
    const look = await lookAtClip(film, {
      span: { start: 0, end: seconds },
      source: sceneSize,
      shape: 9 / 16,
      finders: Object.values(findersWith({ faces: true })).filter((finder) => finder !== null),
      signal: new AbortController().signal,
    });
    const { framing } = framedEdit(edit, look);
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
  const share = (count: number) => `${((100 * count) / frames).toFixed(1)} %`;
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
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
