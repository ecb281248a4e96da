/**
 * Real faces that talk, nod and chew: each picture of a face is a warp of its photo's pixels. The
 * mouth is found by the detector's keypoints, not by the network that is measured.
 */
import { loadFaceNetwork } from '../../packages/engine/src/framing/faces/face-network.ts';
import { sampled } from '../../packages/engine/src/framing/faces/sampled.ts';
import { layFace, sceneSize, type Face } from './face-scenes.ts';

interface Point {
  x: number;
  y: number;
}

/** A face, cut out: its pixels, how much of each is there, and where mouth and eyes are. */
export interface Head {
  width: number;
  height: number;
  colours: Buffer;
  cover: Float32Array;
  middle: Point;
  mouth: Point;
  /** From the mouth to the middle of the eyes. */
  up: Point;
}

/** How a head is at one time. */
export interface Pose {
  /** Distance of the lips, in distances from the mouth to the eyes. */
  opening: number;
  /** Its middle, in pixels of the scene. */
  x: number;
  y: number;
  /** Its height is shown smaller by this share: a nod. */
  nod: number;
}

const network = await loadFaceNetwork();
const inputPixels = 96;

/** The keypoints of the one face of a picture (three bytes per pixel). */
async function keypoints(picture: Buffer, face: { x: number; y: number; height: number }) {
  const rgba = new Uint8Array(sceneSize.width * sceneSize.height * 4);
  for (let at = 0; at < sceneSize.width * sceneSize.height; at++) {
    for (let colour = 0; colour < 3; colour++) rgba[at * 4 + colour] = picture[at * 3 + colour]!;
  }
  const side = (face.height * inputPixels) / 40;
  const region = { x: face.x - side / 2, y: face.y - side / 2, width: side, height: side };
  const input = { width: inputPixels, height: inputPixels };
  const { scores, boxes } = await network(sampled(rgba, sceneSize, region, input), input);
  const cell = scores.reduce((best, score, at) => (score > scores[best]! ? at : best), 0);
  const columns = inputPixels / 4;
  const point = (number: number): Point => ({
    x:
      region.x +
      (((cell % columns) + 0.5) * 4 + boxes[(4 + 2 * number) * scores.length + cell]!) *
        (side / inputPixels),
    y:
      region.y +
      ((Math.floor(cell / columns) + 0.5) * 4 + boxes[(5 + 2 * number) * scores.length + cell]!) *
        (side / inputPixels),
  });
  return { eyes: [point(0), point(1)] as const, mouth: point(3) };
}

/** Cuts out a face at a height in pixels. */
export async function headOf(face: Face, height: number, light: number): Promise<Head> {
  const at = { x: sceneSize.width / 2, y: sceneSize.height / 2, height, light };
  const blank = (value: number) => Buffer.alloc(sceneSize.width * sceneSize.height * 3, value);
  // What is laid on black and on white tells how much of the ground is seen through.
  const [black, white] = [blank(0), blank(255)];
  layFace(black, face, at);
  layFace(white, face, at);
  const { eyes, mouth } = await keypoints(black, at);
  const reach = { x: Math.ceil(height * 1.1), y: Math.ceil(height * 1.5) };
  const left = Math.max(0, Math.floor(at.x - reach.x));
  const top = Math.max(0, Math.floor(at.y - reach.y));
  const width = Math.min(sceneSize.width, Math.ceil(at.x + reach.x)) - left;
  const tall = Math.min(sceneSize.height, Math.ceil(at.y + reach.y)) - top;
  const colours = Buffer.alloc(width * tall * 3);
  const cover = new Float32Array(width * tall);
  for (let y = 0; y < tall; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((top + y) * sceneSize.width + left + x) * 3;
      const there = 1 - (white[from + 1]! - black[from + 1]!) / 255;
      cover[y * width + x] = there;
      for (let colour = 0; colour < 3; colour++) {
        colours[(y * width + x) * 3 + colour] = there > 0 ? black[from + colour]! / there : 0;
      }
    }
  }
  const within = ({ x, y }: Point): Point => ({ x: x - left, y: y - top });
  return {
    width,
    height: tall,
    colours,
    cover,
    middle: within(at),
    mouth: within(mouth),
    up: { x: (eyes[0].x + eyes[1].x) / 2 - mouth.x, y: (eyes[0].y + eyes[1].y) / 2 - mouth.y },
  };
}

/** Half the width of the part that moves, and how far below the mouth it ends. */
const jaw = { half: 0.36, below: 1.5 } as const;

/** Draws a head in a pose on a picture (three bytes per pixel). */
export function drawHead(picture: Buffer, head: Head, pose: Pose): void {
  const { width, height, middle, mouth, up } = head;
  const length = Math.hypot(up.x, up.y);
  const [downX, downY] = [-up.x / length, -up.y / length];
  const open = pose.opening * length;
  const [left, top] = [pose.x - middle.x, pose.y - middle.y];
  for (let y = Math.max(0, Math.ceil(top)); y < Math.min(sceneSize.height, top + height); y++) {
    for (let x = Math.max(0, Math.ceil(left)); x < Math.min(sceneSize.width, left + width); x++) {
      let fromX = x - left;
      let fromY = middle.y + (y - top - middle.y) / (1 - pose.nod);
      // Below the mouth, the picture comes from further up: the chin goes down.
      const down = (fromX - mouth.x) * downX + (fromY - mouth.y) * downY;
      const across = (fromX - mouth.x) * downY - (fromY - mouth.y) * downX;
      const wide = open * Math.max(0, 1 - (across / (jaw.half * length)) ** 2);
      const end = jaw.below * length;
      let shade = 1;
      if (down > 0 && down < end && wide > 0) {
        const lips = 0.03 * length;
        const source =
          down < wide + lips
            ? (down * lips) / (wide + lips)
            : end - ((end - down) * (end - lips)) / (end - wide - lips);
        // Between the lips it is dark, softly at the edges.
        const edge = Math.min(down, wide - down) / (0.04 * length);
        shade = 1 - 0.75 * Math.min(1, Math.max(0, edge));
        fromX += (source - down) * downX;
        fromY += (source - down) * downY;
      }
      const [cellX, cellY] = [Math.floor(fromX), Math.floor(fromY)];
      if (cellX < 0 || cellY < 0 || cellX + 1 >= width || cellY + 1 >= height) continue;
      const [shareX, shareY] = [fromX - cellX, fromY - cellY];
      const at = cellY * width + cellX;
      const mixed = (values: ArrayLike<number>, step: number, offset: number) =>
        (values[at * step + offset]! * (1 - shareX) + values[(at + 1) * step + offset]! * shareX) *
          (1 - shareY) +
        (values[(at + width) * step + offset]! * (1 - shareX) +
          values[(at + width + 1) * step + offset]! * shareX) *
          shareY;
      const cover = mixed(head.cover, 1, 0);
      if (cover <= 0) continue;
      const place = (y * sceneSize.width + x) * 3;
      for (let colour = 0; colour < 3; colour++) {
        picture[place + colour] =
          picture[place + colour]! * (1 - cover) + mixed(head.colours, 3, colour) * shade * cover;
      }
    }
  }
}
