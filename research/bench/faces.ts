/**
 * How many real faces are found, by their height, and how many are claimed wrongly. Prints a table:
 * `npm run bench:faces`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Box } from '../../packages/engine/src/edit.ts';
import { smallSize } from '../../packages/engine/src/framing/analyse-pictures.ts';
import { faceFinder } from '../../packages/engine/src/framing/faces/face-finder.ts';
import {
  layFace,
  randomNumbers,
  sceneMaterial,
  sceneSize,
  writeFilm,
  type SceneMaterial,
} from './face-scenes.ts';

const heights = [0.06, 0.08, 0.1, 0.15, 0.22, 0.33, 0.5, 0.75, 0.9] as const;
/** Height of faces that are half out of the picture, on its left or right. */
const halfOutHeight = 0.6;
/** Larger faces are alone in their picture. */
const maxPairHeight = 0.2;

interface Scene {
  /** Height of its faces; 0 if it has none. */
  height: number | 'half out';
  faces: Box[];
  pixels: Buffer;
}

function* scenes({ faces, grounds }: SceneMaterial): Generator<Scene> {
  const random = randomNumbers(7);
  for (const height of heights) {
    const pair = height <= maxPairHeight ? 2 : 1;
    for (let first = 0; first < faces.length; first += pair) {
      const pixels = Buffer.from(grounds[Math.floor(random() * grounds.length)]!);
      const tall = height * sceneSize.height;
      const room = sceneSize.width / pair;
      const laid = faces.slice(first, first + pair).map((face, at) =>
        layFace(pixels, face, {
          x: at * room + tall + random() * Math.max(0, room - 2 * tall),
          y: tall * 0.8 + random() * Math.max(0, sceneSize.height - 1.8 * tall),
          height: tall,
          light: 0.6 + 0.6 * random(),
        }),
      );
      yield { height, faces: laid, pixels };
    }
  }
  for (const [at, face] of faces.entries()) {
    const pixels = Buffer.from(grounds[Math.floor(random() * grounds.length)]!);
    const tall = halfOutHeight * sceneSize.height;
    const laid = layFace(pixels, face, {
      x: at % 2 === 0 ? 0 : sceneSize.width,
      y: tall * 0.8 + random() * (sceneSize.height - 1.6 * tall),
      height: tall,
      light: 0.6 + 0.6 * random(),
    });
    yield { height: 'half out', faces: [laid], pixels };
  }
  for (const pixels of grounds) yield { height: 0, faces: [], pixels };
}

/** A find counts if its middle is in the face, and its size is about the face's. */
function shows(found: Box, face: Box): boolean {
  const [x, y] = [found.x + found.width / 2, found.y + found.height / 2];
  const inside = x > face.x && x < face.x + face.width && y > face.y && y < face.y + face.height;
  return inside && found.height > face.height * 0.6 && found.height < face.height * 1.8;
}

const material = await sceneMaterial(
  fileURLToPath(new URL('../../.data/bench/faces', import.meta.url)),
);
const directory = await mkdtemp(join(tmpdir(), 'bench-faces-'));
try {
  const all: Omit<Scene, 'pixels'>[] = [];
  const video = join(directory, 'film.mp4');
  await writeFilm(
    video,
    (function* () {
      for (const { pixels, ...scene } of scenes(material)) {
        all.push(scene);
        yield pixels;
      }
    })(),
    { group: 1 },
  );
  const size = smallSize(sceneSize);
  const scale = `scale=${size.width}:${size.height}:flags=area,format=rgba`;
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', video, '-vf', scale, '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 30 },
  );
  const bytes = size.width * size.height * 4;
  const search = async (at: number) => {
    // A worker gets a copy of all the memory that an array is a part of.
    const picture = Uint8Array.from(stdout.subarray(at * bytes, (at + 1) * bytes));
    const finder = faceFinder({ size, shape: 9 / 16, signal: new AbortController().signal });
    const faces = await finder.find(picture);
    await finder.close();
    return faces.map(({ box }) => box);
  };
  const before = process.memoryUsage.rss();
  await search(0);
  const found = new Map<Scene['height'], number>();
  const strange = new Map<boolean, number>();
  const busy = process.cpuUsage();
  for (const [at, scene] of all.entries()) {
    const boxes = await search(at);
    const seen = scene.faces.filter((face) => boxes.some((box) => shows(box, face))).length;
    found.set(scene.height, (found.get(scene.height) ?? 0) + seen);
    const wrong = boxes.filter((box) => !scene.faces.some((face) => shows(box, face))).length;
    const faces = scene.height !== 0;
    strange.set(faces, (strange.get(faces) ?? 0) + wrong);
  }
  const { user, system } = process.cpuUsage(busy);
  const milliseconds = (user + system) / 1e3 / all.length;
  const shares = [...heights.map((height) => `${Math.round(height * 100)} %`), 'half out'];
  const recall = [...heights, 'half out' as const].map(
    (height) => `${Math.round((100 * (found.get(height) ?? 0)) / material.faces.length)} %`,
  );
  const without = material.grounds.length;
  const wrong = (faces: boolean, count: number) => ((strange.get(faces) ?? 0) / count).toFixed(3);
  console.log(
    [
      `| height of the face | ${shares.join(' | ')} |`,
      `|---|${shares.map(() => '---|').join('')}`,
      `| found, of ${material.faces.length} | ${recall.join(' | ')} |`,
      '',
      `False faces a picture: ${wrong(true, all.length - without)} with faces (${all.length - without}), ` +
        `${wrong(false, without)} without (${without}).`,
      `Processor time of a first look: ${milliseconds.toFixed(0)} ms. ` +
        `Memory: ${((process.memoryUsage.rss() - before) / 1e6).toFixed(0)} MB.`,
    ].join('\n'),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
