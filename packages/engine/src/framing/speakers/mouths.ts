import type { Box, Dimensions } from '../../edit.ts';
import type { PictureFacts } from '../../facts.ts';
import {
  type OpenedSource,
  makePictureFilters,
  makeToneMapFilter,
} from '../../source/open-source.ts';
import { createMouthReader } from '../faces/face-finder.ts';
import type { FacePlace } from '../faces/mouth-network.ts';
import { readPictures } from '../picture-reader.ts';

/** The opening of the mouths of some faces. Times are in seconds from the start of the shot. */
export interface Mouths {
  times: number[];
  /** For each face: the distance of its lips at each time, in distances of its eyes, or null. */
  openings: (number | null)[][];
}

/** Where a face was found, in shares of the picture. */
type FaceTimes = readonly { time: number; box: Box | null }[];

/** Least time between two pictures: 12 to 15 are read a second, at the usual frame rates. */
const minStepSeconds = 0.066;
/** Room around the faces, in heights of each. */
const roomShare = 0.5;
/** The smallest face is read at this height, if the source has it. */
const facePixels = 144;
/**
 * A found face goes from the chin to the hair. The network reads it from the chin to the brows:
 * this share of the height, and further down.
 */
const browShare = 0.83;
const browShift = 0.035;

/** The box of a face at a time: between those before and after, on a straight line. */
function interpolateBox(face: FaceTimes, time: number): Box | null {
  const before = face.findLast((one) => one.box && one.time <= time);
  const after = face.find((one) => one.box && one.time > time) ?? before;
  const [from, to] = [(before ?? after)?.box, after?.box];
  if (!from || !to) return null;
  const share = before && after !== before ? (time - before.time) / (after!.time - before.time) : 0;
  const between = (side: keyof Box) => from[side] + share * (to[side] - from[side]);
  return { x: between('x'), y: between('y'), width: between('width'), height: between('height') };
}

/** The part of the picture with all faces, in its shares, and the size in which it is read. */
function findPartWithFaces(faces: readonly FaceTimes[], source: Dimensions) {
  const boxes = faces.flatMap((face) => face.flatMap(({ box }) => box ?? []));
  const shape = source.height / source.width;
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x - roomShare * box.height * shape)));
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y - roomShare * box.height)));
  const right = boxes.map((box) => box.x + box.width + roomShare * box.height * shape);
  const bottom = boxes.map((box) => box.y + (1 + roomShare) * box.height);
  const part = {
    x,
    y,
    width: Math.min(1, Math.max(...right)) - x,
    height: Math.min(1, Math.max(...bottom)) - y,
  };
  const heights = boxes.map(({ height }) => height * source.height).toSorted((a, b) => a - b);
  const scale = Math.min(1, facePixels / heights[Math.floor(heights.length / 10)]!);
  const side = (length: number) => Math.max(16, 2 * Math.round((length * scale) / 2));
  return {
    part,
    size: { width: side(part.width * source.width), height: side(part.height * source.height) },
  };
}

/**
 * Reads how far the mouths of the faces of a shot are open. Throws ProcessError if the pictures
 * cannot be decoded, or the signal's reason.
 * @param opened the source at the start of the shot
 */
export async function readMouths(
  opened: OpenedSource,
  options: {
    source: Dimensions & PictureFacts;
    frameRate: number;
    /** Length of the shot. */
    seconds: number;
    faces: readonly FaceTimes[];
    signal: AbortSignal;
  },
): Promise<Mouths> {
  const { source, frameRate, seconds, faces, signal } = options;
  const { part, size } = findPartWithFaces(faces, source);
  const everyFrames = Math.ceil(minStepSeconds * frameRate);
  const filters = [
    `${makePictureFilters(opened, source, frameRate)}trim=end=${seconds.toFixed(6)}`,
    `select='not(mod(n,${everyFrames}))'`,
    // In shares: the pixels of the source may not be square.
    `crop=w=iw*${part.width}:h=ih*${part.height}:x=iw*${part.x}:y=ih*${part.y}:exact=1`,
    `scale=${size.width}:${size.height}:flags=area`,
    `${makeToneMapFilter(source)}format=rgba`,
    'showinfo=checksum=0',
  ].join(',');
  const openings: (number | null)[][] = faces.map(() => []);
  const tilts = faces.map(() => 0);
  const place = (face: number, time: number): FacePlace | null => {
    const box = interpolateBox(faces[face]!, time);
    return (
      box && {
        x: ((box.x + box.width / 2 - part.x) / part.width) * size.width,
        y: ((box.y + (0.5 + browShift) * box.height - part.y) / part.height) * size.height,
        height: ((box.height * browShare) / part.height) * size.height,
        // As in the picture before: heads turn slowly.
        tilt: tilts[face]!,
      }
    );
  };
  const reader = createMouthReader(size);
  let count = 0;
  try {
    const times = await readPictures(
      opened,
      { source, filters, size, seconds, signal },
      async (picture) => {
        const time = (count++ * everyFrames) / frameRate;
        const mouths = await reader.read(
          picture,
          faces.map((_, face) => place(face, time)),
        );
        mouths.forEach((mouth, face) => {
          openings[face]!.push(mouth?.opening ?? null);
          tilts[face] = mouth?.tilt ?? 0;
        });
      },
    );
    return { times, openings };
  } finally {
    reader.close();
  }
}
