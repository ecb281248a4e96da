/** A frame, and how much its pixels differ from those of the frame before: on average, 0 to 100. */
export interface FrameChange {
  time: number;
  change: number;
}

/** A picture of the analysis, and some of its pixels: the same ones of each picture. */
export interface PictureSample {
  time: number;
  pixels: Uint8Array;
}

/** A frame with a smaller change never begins a shot, however still the frames around it are. */
const minCutChange = 4;
/** The first frame of a shot differs this many times as much as the frames around it. */
const minCutRatio = 1.9;
/** Frames that are compared with, on each side and at most so far away. */
const around = { frames: 5, seconds: 1 } as const;
/** A flash or a blended frame changes one or two others: the third highest is the scene's own. */
const sceneRank = 2;
/** A frame with a smaller change repeats the one before, as a source of few frames does. */
const minNewChange = 0.15;
/** A shorter shot is a flash, or part of a transition. */
export const minShotSeconds = 0.3;
/** After a flash, the picture has changed by at most this share of the flash. */
const maxFlashTrace = 0.4;

/**
 * The frames that stand out from those around them, be they bright or dark: the first ones of
 * shots and of flashes. Pans, shaking and dissolves change many frames alike.
 */
export function findCuts(frames: readonly FrameChange[]): FrameChange[] {
  const fresh = frames.filter(({ change }) => change >= minNewChange);
  return fresh.filter(({ time, change }, at) => {
    if (change < minCutChange) return false;
    const changes = [
      ...fresh.slice(Math.max(0, at - around.frames), at),
      ...fresh.slice(at + 1, at + 1 + around.frames),
    ]
      .filter((other) => Math.abs(other.time - time) <= around.seconds)
      .map((other) => other.change)
      .toSorted((one, other) => other - one);
    return change >= minCutRatio * (changes[sceneRank] ?? 0);
  });
}

/** Keeps only the last of several cuts within a moment. */
export const mergeCuts = (cuts: readonly number[]): number[] =>
  cuts.filter(
    (time, index) =>
      time > 0 && (cuts[index + 1] === undefined || cuts[index + 1]! - time >= minShotSeconds),
  );

/** Removes the cuts of flashes: those after which the pictures show what they did before. */
export function withoutFlashes(
  cuts: readonly FrameChange[],
  samples: readonly PictureSample[],
): FrameChange[] {
  const moments: FrameChange[][] = [];
  for (const cut of cuts) {
    const last = moments.at(-1);
    if (last && cut.time - last.at(-1)!.time < minShotSeconds) last.push(cut);
    else moments.push([cut]);
  }
  const isFlash = (moment: readonly FrameChange[]): boolean => {
    const [start, end] = [moment[0]!.time - 1e-3, moment.at(-1)!.time - 1e-3];
    const before = samples.findLast(({ time }) => time < start);
    const after = samples.find(({ time }) => time >= end);
    if (moment.length === 1 || !before || !after) return false;
    const sum = before.pixels.reduce(
      (so, pixel, at) => so + Math.abs(pixel - after.pixels[at]!),
      0,
    );
    const trace = (100 * sum) / (255 * before.pixels.length);
    return trace <= maxFlashTrace * Math.min(...moment.map(({ change }) => change));
  };
  return moments.filter((moment) => !isFlash(moment)).flat();
}

/** The distance of the pixels of a sample, in bytes: about 2,000 of a small picture. */
const sampleStep = 4 * 101;

/** Some of a picture's pixels, four bytes each: their green. */
export const samplePixels = (picture: Uint8Array): Uint8Array =>
  Uint8Array.from({ length: Math.floor(picture.length / sampleStep) }, (_, at) => {
    return picture[at * sampleStep + 1]!;
  });
