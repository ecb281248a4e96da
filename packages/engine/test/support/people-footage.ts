import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A face in the picture: the middle and the height of its oval, in pixels. */
export interface Person {
  x: number;
  y: number;
  height: number;
  /** Distance of the lips, as a share of the height. */
  opening?: number;
  /** Shows the back of a whole person, with a head of this height. */
  behind?: boolean;
}

/** What the picture shows at one time; `scene` selects the background. */
export interface Scene {
  scene: number;
  people: readonly Person[];
}

type Colour = readonly [number, number, number];

const skin: Colour = [220, 178, 150];
const shade: Colour = [136, 108, 92];
const light: Colour = [246, 202, 172];
const hair: Colour = [58, 40, 30];
const white: Colour = [240, 240, 240];
const black: Colour = [18, 18, 18];
const lips: Colour = [150, 70, 72];

/**
 * The colour of the tip of the nose, which nothing else in the pictures has. Tests find the face by
 * it.
 */
export const mark: Colour = [255, 0, 255];

const grounds: readonly (readonly [Colour, Colour])[] = [
  [
    [96, 118, 104],
    [70, 84, 92],
  ],
  [
    [40, 52, 96],
    [30, 40, 60],
  ],
  [
    [168, 160, 150],
    [200, 196, 188],
  ],
];

class Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.bytes = Buffer.alloc(width * height * 3);
  }

  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    for (let row = Math.max(0, y | 0); row < Math.min(this.height, y + height); row++) {
      for (let column = Math.max(0, x | 0); column < Math.min(this.width, x + width); column++) {
        this.bytes.set(colour, (row * this.width + column) * 3);
      }
    }
  }

  oval(x: number, y: number, radiusX: number, radiusY: number, colour: Colour): void {
    const top = Math.max(0, Math.floor(y - radiusY));
    for (let row = top; row <= Math.min(this.height - 1, y + radiusY); row++) {
      const reach = radiusX * Math.sqrt(Math.max(0, 1 - ((row - y) / radiusY) ** 2));
      const from = Math.max(0, Math.round(x - reach));
      for (let column = from; column <= Math.min(this.width - 1, Math.round(x + reach)); column++) {
        this.bytes.set(colour, (row * this.width + column) * 3);
      }
    }
  }

  /** An arm or a leg. */
  limb(
    from: readonly [number, number],
    to: readonly [number, number],
    width: number,
    colour: Colour,
  ) {
    const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 2);
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const [x, y] = [0, 1].map((axis) => from[axis]! + share * (to[axis]! - from[axis]!));
      this.oval(x!, y!, width, width, colour);
    }
  }

  /** A person from behind, down to the shoes. */
  back({ x, y, height: s }: Person): void {
    const [shirt, trousers]: [Colour, Colour] = [
      [60, 80, 130],
      [40, 42, 50],
    ];
    for (const side of [-1, 1]) {
      const at = (right: number, below: number) => [x + side * right * s, y + below * s] as const;
      this.limb(at(0.47, 2.8), at(0.55, 5.6), 0.3 * s, trousers);
      this.oval(...at(0.62, 5.9), 0.3 * s, 0.2 * s, black);
      this.limb(at(0.87, 1), at(1.13, 2.2), 0.25 * s, shirt);
      this.limb(at(1.13, 2.2), at(0.97, 3.1), 0.18 * s, skin);
    }
    this.limb([x, y + 1.1 * s], [x, y + 2.6 * s], 0.78 * s, shirt);
    this.rectangle(x - 0.2 * s, y + 0.3 * s, 0.4 * s, 0.5 * s, skin);
    this.oval(x, y, 0.38 * s, 0.5 * s, hair);
  }

  /** A face with the shadows that detectors look for, and shoulders below it. */
  person({ x, y, height: s, opening = 0 }: Person): void {
    this.oval(x, y + s * 1.55, s * 0.85, s * 0.95, [52, 92, 150]);
    this.rectangle(x - s * 0.14, y + s * 0.35, s * 0.28, s * 0.35, shade);
    this.oval(x, y - s * 0.06, s * 0.46, s * 0.58, hair);
    this.oval(x, y, s * 0.38, s * 0.5, skin);
    for (const side of [-1, 1]) {
      const eye = [x + side * s * 0.17, y - s * 0.08] as const;
      this.oval(...eye, s * 0.11, s * 0.07, shade);
      this.oval(...eye, s * 0.06, s * 0.03, white);
      this.oval(...eye, s * 0.03, s * 0.03, black);
      this.oval(eye[0], eye[1] - s * 0.1, s * 0.11, s * 0.025, hair);
    }
    this.oval(x, y + s * 0.08, s * 0.05, s * 0.14, light);
    this.oval(x, y + s * 0.18, s * 0.07, s * 0.03, shade);
    this.oval(x, y + s * (0.3 + opening / 2), s * 0.14, s * (0.04 + opening / 2), lips);
    if (opening > 0) this.oval(x, y + s * (0.3 + opening / 2), s * 0.11, (s * opening) / 2, black);
    this.oval(x, y + s * 0.1, Math.max(2, s * 0.045), Math.max(2, s * 0.045), mark);
  }
}

function ground(width: number, height: number, scene: number): Buffer {
  const picture = new Picture(width, height);
  const [wall, floor] = grounds[scene % grounds.length]!;
  picture.rectangle(0, 0, width, height, wall);
  picture.rectangle(0, height * 0.8, width, height, floor);
  return picture.bytes;
}

/**
 * Makes a video of drawn people. `at` returns what to show at a second. Silent without `sound`;
 * sizes are even. Takes about a tenth of a second of processor time per second of 480 by 270.
 */
export async function peopleVideo(
  path: string,
  options: {
    width: number;
    height: number;
    seconds: number;
    rate?: number;
    /** A tone, or a source of ffmpeg. */
    sound?: boolean | string;
    at: (second: number) => Scene;
  },
): Promise<string> {
  const { width, height, seconds, rate = 25, sound = false, at } = options;
  const source = typeof sound === 'string' ? sound : 'sine=f=330:r=48000';
  const heard = ['-f', 'lavfi', '-t', String(seconds), '-i', source, '-c:a', 'aac'];
  const child = spawn(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`,
      '-r', String(rate), '-i', 'pipe:0', ...(sound ? heard : []),
      '-vf', 'gblur=sigma=0.6,scale=out_color_matrix=bt709', '-colorspace', 'bt709',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16', '-pix_fmt', 'yuv420p',
      '-g', String(rate * 2), '-y', path,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'close');
  const grounded = new Map<number, Buffer>();
  for (let frame = 0; frame < Math.round(seconds * rate); frame++) {
    const { scene, people } = at(frame / rate);
    const behind = grounded.get(scene) ?? ground(width, height, scene);
    grounded.set(scene, behind);
    const picture = new Picture(width, height);
    behind.copy(picture.bytes);
    for (const person of people) {
      if (person.behind) picture.back(person);
      else picture.person(person);
    }
    if (!child.stdin.write(picture.bytes)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
  return path;
}
