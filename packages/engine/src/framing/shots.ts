import type { PictureAnalysis } from './subject-finder.ts';
import { following, type Geometry, type ShotAnalysis, type WindowPath } from './following.ts';
import type { Box } from '../edit.ts';
import type { Span } from '../facts.ts';
import { screenTreatment } from './text/screens.ts';
import { presence, tracksOf, type Track } from './tracks.ts';

/**
 * How a shot is shown: whole on a blurred background, cut to one window, two windows, one above
 * the other, or whole with its speaker below.
 */
export type Treatment =
  | { mode: 'fit' }
  | { mode: 'crop'; window: WindowPath; band?: { y: number; height: number } }
  | { mode: 'stack'; windows: [WindowPath, WindowPath] }
  | { mode: 'screen'; speaker: WindowPath };

/** Faces fit in one window if this share of its width stays free. */
const sideMarginShare = 0.08;
/** Another one counts if a side of their box has at least this share of the main one's. */
const companions = {
  face: { side: 'width', minShare: 0.45 },
  person: { side: 'height', minShare: 0.6 },
} as const;
/** Of a face that is found in fewer pictures, the person is followed, too: it is turned away. */
const minFacePresence = 0.5;
/** In a larger group no one is recognised by their mouth. */
const maxSpeakers = 4;
/** Shorter shots are not shown whole between cropped ones: that would flicker. */
const minFitSeconds = 1;
/**
 * If a window would lose more of the source than this share, a picture without a subject is shown
 * whole.
 */
const maxLostShare = 0.4;

/** Splits a clip at its cuts. */
export function shotsOf(
  { sightings, cuts, talks = [] }: PictureAnalysis,
  seconds: number,
): ShotAnalysis[] {
  const edges = [0, ...cuts.filter((time) => time > 0 && time < seconds), seconds];
  return edges.slice(1).map((end, index) => {
    const start = edges[index]!;
    return {
      start,
      end,
      sightings: sightings.filter(({ time }) => time >= start - 1e-3 && time < end - 1e-3),
      talks: talks.filter((talk) => talk.start >= start - 1e-3 && talk.start < end - 1e-3),
    };
  });
}

const middleOf = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A value that this share of the sorted values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? 0;
}

/** The median box of a track, so that a wrong detection does not move it. */
function medianBox(track: Track): Box {
  const boxes = track.filter((box) => box !== null);
  const of = (side: keyof Box) =>
    quantile(
      boxes.map((box) => box[side]),
      0.5,
    );
  return { x: of('x'), y: of('y'), width: of('width'), height: of('height') };
}

/** Shares of a face's positions that may be left out as wrong detections, at each end. */
const strayShare = 0.05;

/** Where a face is during a shot: the part of the picture that it never leaves. */
function reachOf(track: Track): Box {
  const boxes = track.filter((box) => box !== null);
  const low = (axis: 'x' | 'y') =>
    quantile(
      boxes.map((box) => box[axis]),
      strayShare,
    );
  const high = (axis: 'x' | 'y', side: 'width' | 'height') =>
    quantile(
      boxes.map((box) => box[axis] + box[side]),
      1 - strayShare,
    );
  const [x, y] = [low('x'), low('y')];
  return { x, y, width: high('x', 'width') - x, height: high('y', 'height') - y };
}

/** The eyes are best at this share of a window's height. */
const eyeLine = 0.42;
/**
 * A face fills about this share of the height of its own window. That window has at least half of
 * the source's height.
 */
const faceShare = 0.3;

/** A window shows a face with this share of its size on each side. */
const faceRoomShare = 0.15;

/** One of two windows: around one person, in their part of the picture, without the other. */
function ownWindow(
  track: Track,
  part: { from: number; to: number },
  shot: ShotAnalysis,
  geometry: Geometry,
): WindowPath {
  const { source, upright } = geometry;
  const shape = 2 / upright;
  const reach = reachOf(track);
  const least = (1 + 2 * faceRoomShare) * reach.height * source.height;
  const idealHeight = (medianBox(track).height * source.height) / faceShare;
  const room = (part.to - part.from) * source.width;
  const maxHeight = Math.min(source.height, room / shape);
  const height = Math.min(Math.max(idealHeight, least, source.height / 2), maxHeight);
  const width = height * shape;
  const within = (value: number, low: number, high: number) =>
    Math.min(Math.max(value, low), Math.max(low, high));
  const middle = middleOf(reach);
  const key = {
    x: within(
      middle.x * source.width - width / 2,
      part.from * source.width,
      part.to * source.width - width,
    ),
    y: within(middle.y * source.height - height * eyeLine, 0, source.height - height),
  };
  return { width, height, keys: [{ time: shot.start, ...key }] };
}

/** Two people, one above the other, the left one on top; null if they are too close together. */
function stacked(
  shot: ShotAnalysis,
  tracks: readonly [Track, Track],
  geometry: Geometry,
): Treatment | null {
  const [left, right] = tracks.toSorted((a, b) => reachOf(a).x - reachOf(b).x) as [Track, Track];
  const [ends, begins] = [reachOf(left).x + reachOf(left).width, reachOf(right).x];
  if (begins <= ends) return null;
  return {
    mode: 'stack',
    windows: [
      ownWindow(left, { from: 0, to: begins }, shot, geometry),
      ownWindow(right, { from: ends, to: 1 }, shot, geometry),
    ],
  };
}

/**
 * The faces or persons of a shot that last, the most important first: one, unless others are like
 * it.
 */
function peopleIn(shot: ShotAnalysis, wanted: keyof typeof companions): Track[] {
  const { side, minShare } = companions[wanted];
  const people = tracksOf(
    shot.sightings.map(({ subjects }) =>
      subjects.filter(({ kind }) => kind === wanted).map(({ box }) => box),
    ),
  );
  const sizes = people.map((track) => medianBox(track)[side] * presence(track));
  return people.filter((_, one) => sizes[one]! >= sizes[0]! * minShare);
}

/** The middle of what a window shows of a person: the upper part of one who is higher than it. */
function upperMiddle({ x, y, width, height }: Box, { source, window }: Geometry) {
  return { x: x + width / 2, y: y + Math.min(height, window.height / source.height) / 2 };
}

/** Whether one window has room for all of some faces. */
function fitTogether(tracks: readonly Track[], { source, window }: Geometry): boolean {
  const all = around(tracks.map(reachOf));
  return (
    all.width * source.width <= window.width * (1 - sideMarginShare) &&
    all.height * source.height <= window.height
  );
}

/** The people of a shot if they are too far apart for one window; otherwise none. */
export function peopleApart(shot: ShotAnalysis, geometry: Geometry): Track[] {
  const people = screenTreatment(shot, geometry) ? [] : peopleIn(shot, 'face');
  const few = people.length > 1 && people.length <= maxSpeakers;
  return few && !fitTogether(people, geometry) ? people : [];
}

/** A window around one of several people: beside the others, as far as it can be. */
function speakerWindow(
  shot: ShotAnalysis,
  speaker: Track,
  others: readonly Track[],
  geometry: Geometry,
): WindowPath {
  const path = following(
    shot,
    speaker.map((box) => box && middleOf(box)),
    geometry,
  );
  const own = reachOf(speaker);
  const reaches = others.map(reachOf);
  const ends = reaches.map(({ x, width }) => x + width).filter((end) => end <= own.x);
  const begins = reaches.map(({ x }) => x).filter((begin) => begin >= own.x + own.width);
  const from = Math.max(0, ...ends) * geometry.source.width;
  const to = Math.min(1, ...begins) * geometry.source.width - path.width;
  if (to < from) return path;
  const keys = path.keys.map((key) => ({ ...key, x: Math.min(Math.max(key.x, from), to) }));
  return { ...path, keys };
}

/** A window around two or more people, each of them whole; null if they do not fit. */
function windowAround(
  shot: ShotAnalysis,
  tracks: readonly Track[],
  geometry: Geometry,
): Treatment | null {
  if (!fitTogether(tracks, geometry)) return null;
  const together = shot.sightings.map((_, index) => {
    const boxes = tracks.flatMap((track) => track[index] ?? []);
    return boxes.length > 0 ? around(boxes) : null;
  });
  const all = around(tracks.map(reachOf));
  // If one person is not found for a moment, the window must not move to the others.
  const whole = tracks.map(presence).every((count) => count >= shot.sightings.length * 0.8);
  const middles = together.map((box) => (whole ? box && middleOf(box) : middleOf(all)));
  return { mode: 'crop', window: following(shot, middles, geometry) };
}

/**
 * Two or more faces, each of them whole: in one window if all fit, otherwise two above each other,
 * otherwise the whole picture.
 */
function people(shot: ShotAnalysis, tracks: readonly Track[], geometry: Geometry): Treatment {
  const [first, second] = tracks;
  const isPair = tracks.length === 2 && geometry.upright >= 1.2;
  return (
    windowAround(shot, tracks, geometry) ??
    (isPair ? stacked(shot, [first!, second!], geometry) : null) ?? { mode: 'fit' }
  );
}

/**
 * Decides how a shot is shown.
 * @param windowsOnly always use one window, for clips with so many shots that changes between ways
 * would flicker
 */
export function treatmentOf(
  shot: ShotAnalysis,
  geometry: Geometry,
  { windowsOnly = false } = {},
): Treatment {
  const { source, window } = geometry;
  const screen = screenTreatment(shot, geometry);
  if (screen) return screen;
  const faces = peopleIn(shot, 'face');
  const [main] = faces;
  if (main && faces.length > 1 && !windowsOnly) return people(shot, faces, geometry);
  const turned = !main || presence(main) < shot.sightings.length * minFacePresence;
  const persons = turned ? peopleIn(shot, 'person') : [];
  if (!main && persons.length > 1 && !windowsOnly) {
    return windowAround(shot, persons, geometry) ?? { mode: 'fit' };
  }
  if (main || persons.length > 0) {
    const middles = shot.sightings.map((_, at) => {
      const [face, person] = [main?.[at], persons[0]?.[at]];
      return face ? middleOf(face) : person ? upperMiddle(person, geometry) : null;
    });
    return { mode: 'crop', window: following(shot, middles, geometry) };
  }
  const salient = shot.sightings.map(({ subjects }) => {
    const subject = subjects.find(({ kind }) => kind === 'salient');
    return subject ? middleOf(subject.box) : null;
  });
  const seen = salient.filter((middle) => middle !== null).length;
  const lost = 1 - (window.width * window.height) / (source.width * source.height);
  const nothing = seen * 2 <= shot.sightings.length && lost > maxLostShare;
  if (nothing && !windowsOnly && shot.end - shot.start >= minFitSeconds) return { mode: 'fit' };
  return { mode: 'crop', window: following(shot, salient, geometry) };
}

/** A part of a clip, and how it is shown. */
export interface TreatedPart extends Span {
  treatment: Treatment;
}

/** Decides how the parts of a shot are shown: the person who is known to speak has the picture. */
export function treatmentsOf(
  shot: ShotAnalysis,
  geometry: Geometry,
  options: { windowsOnly?: boolean } = {},
): TreatedPart[] {
  const { start, end, talks = [] } = shot;
  const treatment = treatmentOf(shot, geometry, options);
  const people = talks.length > 0 ? peopleApart(shot, geometry) : [];
  const windows = people.map((speaker) =>
    speakerWindow(
      shot,
      speaker,
      people.filter((one) => one !== speaker),
      geometry,
    ),
  );
  if (people.length === 0) return [{ start, end, treatment }];
  return talks.map(({ face, ...part }) => {
    const window = face === null ? undefined : windows[face];
    return { ...part, treatment: window ? { mode: 'crop', window } : treatment };
  });
}
