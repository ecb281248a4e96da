import { Tensor } from 'onnxruntime-node';
import type { Dimensions } from '../../edit.ts';
import { openNetwork } from '../../program/open-network.ts';

const model = new URL('../../../models/face-landmarks.onnx', import.meta.url);

/** Where a face is in a picture, in its pixels. */
export interface FacePlace {
  /** The middle of the face. */
  x: number;
  y: number;
  /** Height from the chin to the brows. */
  height: number;
  /** By how much its eyes are not level: radians, clockwise. */
  tilt: number;
}

export interface Mouth {
  /** Distance of the inner lips, in distances of the eyes. */
  opening: number;
  /** The measured tilt of the face. */
  tilt: number;
  /** Distance of the lids of the eye that is wider open, in widths of it. */
  eyes: number;
  /** The network's confidence in the face, as a logit: less with a hand before it. */
  presence: number;
}

/** Side of the network's input, and how much of it a face fills. */
const inputPixels = 192;
const faceShare = 1 / 1.5;
/** The network is this sure that there is a face, as a logit. */
const minPresence = 0;

/** Numbers of the network's points. */
const eyes = { right: [33, 133], left: [362, 263] } as const;
/** The inner edges of the upper and of the lower lip, in its middle third. */
const innerLips = [
  [82, 87],
  [13, 14],
  [312, 317],
] as const;

/** The edges of the upper and of the lower lid, in the middle of each eye. */
const lids = {
  right: [
    [160, 144],
    [159, 145],
    [158, 153],
  ],
  left: [
    [385, 380],
    [386, 374],
    [387, 373],
  ],
} as const;

/** Cuts out a face with level eyes: all red values, then all green, then all blue, from 0 to 1. */
function cutLevelFace(
  picture: Uint8Array,
  size: Dimensions,
  { x, y, height, tilt }: FacePlace,
): Float32Array<ArrayBuffer> {
  const plane = inputPixels ** 2;
  const values = new Float32Array(3 * plane);
  const step = height / faceShare / inputPixels;
  const [along, across] = [Math.cos(tilt) * step, Math.sin(tilt) * step];
  const half = (inputPixels - 1) / 2;
  let at = 0;
  for (let row = -half; row <= half; row++) {
    for (let column = -half; column <= half; column++, at++) {
      const left = x + column * along - row * across - 0.5;
      const top = y + column * across + row * along - 0.5;
      const [fromX, fromY] = [Math.floor(left), Math.floor(top)];
      if (fromX < 0 || fromY < 0 || fromX + 1 >= size.width || fromY + 1 >= size.height) continue;
      const [shareX, shareY] = [left - fromX, top - fromY];
      const place = (fromY * size.width + fromX) * 4;
      const below = place + size.width * 4;
      for (let colour = 0; colour < 3; colour++) {
        const upper =
          picture[place + colour]! * (1 - shareX) + picture[place + 4 + colour]! * shareX;
        const lower =
          picture[below + colour]! * (1 - shareX) + picture[below + 4 + colour]! * shareX;
        values[colour * plane + at] = (upper * (1 - shareY) + lower * shareY) / 255;
      }
    }
  }
  return values;
}

/** Measures the mouth of a face; null if no face is there. */
export type MouthNetwork = (
  picture: Uint8Array,
  size: Dimensions,
  face: FacePlace,
) => Promise<Mouth | null>;

export async function loadMouthNetwork(): Promise<MouthNetwork> {
  const session = await openNetwork(model);
  const [input] = session.inputNames;
  return async (picture, size, face) => {
    const pixels = cutLevelFace(picture, size, face);
    const tensor = new Tensor('float32', pixels, [1, 3, inputPixels, inputPixels]);
    const { points, presence } = await session.run({ [input!]: tensor });
    const sure = (presence!.data as Float32Array)[0]!;
    if (sure < minPresence) return null;
    const values = points!.data as Float32Array;
    const point = (number: number) => values.subarray(number * 3, number * 3 + 3);
    const apart = (one: ArrayLike<number>, other: ArrayLike<number>) =>
      Math.hypot(...[0, 1, 2].map((axis) => one[axis]! - other[axis]!));
    const middle = ([one, other]: readonly [number, number]) =>
      [0, 1, 2].map((axis) => (point(one)[axis]! + point(other)[axis]!) / 2);
    const [right, left] = [middle(eyes.right), middle(eyes.left)];
    const meanDistance = (pairs: readonly (readonly [number, number])[]) =>
      pairs.reduce((sum, [one, other]) => sum + apart(point(one), point(other)), 0) / pairs.length;
    const openness = (side: 'right' | 'left') =>
      meanDistance(lids[side]) / meanDistance([eyes[side]]);
    return {
      opening: meanDistance(innerLips) / apart(right, left),
      eyes: Math.max(openness('right'), openness('left')),
      presence: sure,
      tilt: face.tilt + Math.atan2(left[1]! - right[1]!, left[0]! - right[0]!),
    };
  };
}
