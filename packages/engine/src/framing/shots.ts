import type { PictureAnalysis } from './subject-finder.ts';
import { followSubject, type Geometry, type ShotAnalysis, type WindowPath } from './following.ts';
import type { Box, Dimensions } from '../edit.ts';
import type { Span } from '../facts.ts';
import { getLargestWindow } from './layout.ts';
import { findPeople, getHeadAround, findHead, type Person } from './people.ts';
import { joinBoxes } from './text/found-lines.ts';
import { showScreen } from './text/screens.ts';
import { countPresence, getMiddle, type Track } from './tracks.ts';

/**
 * The way in which a shot is shown: whole on a blurred background, cut to one window, two windows,
 * one above the other, or whole with its speaker below.
 */
export type Treatment =
  | { mode: 'fit' }
  | { mode: 'crop'; window: WindowPath; band?: { y: number; height: number } }
  | { mode: 'stack'; windows: [WindowPath, WindowPath] }
  | { mode: 'screen'; speaker: WindowPath };

/**
 * The minimum size of another person who counts: a side of the box, as a share of the main
 * person's.
 */
const companions = {
  face: { side: 'width', minShare: 0.45 },
  body: { side: 'height', minShare: 0.6 },
} as const;
/** The minimum share of a scene's pictures in which a person counts. */
const minSceneShare = 0.25;
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
export function splitIntoShots(
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

/** A value that this share of the sorted values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? 0;
}

/** The median of a side of the boxes of a track, so that a wrong detection does not count. */
const getMedianSide = (track: Track, side: keyof Box): number =>
  quantile(
    track.flatMap((box) => (box ? [box[side]] : [])),
    0.5,
  );

/** Shares of a person's positions that may be left out as wrong detections, at each end. */
const strayShare = 0.05;

/** The part of the picture that some boxes never leave. */
function findReach(track: Track): Box {
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

const clampValue = (value: number, low: number, high: number) =>
  Math.min(Math.max(value, low), Math.max(low, high));

/** A window that stands still around a middle, as far as the source reaches. */
function holdWindowAround(
  { width, height }: Dimensions,
  { x, y }: { x: number; y: number },
  { source, start }: { source: Dimensions; start: number },
): WindowPath {
  const key = {
    x: clampValue(x * source.width - width / 2, 0, source.width - width),
    y: clampValue(y * source.height - height / 2, 0, source.height - height),
  };
  return { width, height, keys: [{ time: start, ...key }] };
}

/** One of two windows: around one person, in their part of the picture, without the other. */
function placeOwnWindow(
  track: Track,
  part: { from: number; to: number },
  start: number,
  geometry: Geometry,
): WindowPath {
  const { source, upright } = geometry;
  const shape = 2 / upright;
  const reach = findReach(track);
  const least = (1 + 2 * faceRoomShare) * reach.height * source.height;
  const idealHeight = (getMedianSide(track, 'height') * source.height) / faceShare;
  const room = (part.to - part.from) * source.width;
  const maxHeight = Math.min(source.height, room / shape);
  const height = Math.min(Math.max(idealHeight, least, source.height / 2), maxHeight);
  const width = height * shape;
  const middle = getMiddle(reach);
  const key = {
    x: clampValue(
      middle.x * source.width - width / 2,
      part.from * source.width,
      part.to * source.width - width,
    ),
    y: clampValue(middle.y * source.height - height * eyeLine, 0, source.height - height),
  };
  return { width, height, keys: [{ time: start, ...key }] };
}

/** Two people, one above the other, the left one on top; null if they are too close together. */
function stackPeople(
  start: number,
  tracks: readonly [Track, Track],
  geometry: Geometry,
): Treatment | null {
  const [left, right] = tracks.toSorted((a, b) => findReach(a).x - findReach(b).x) as [
    Track,
    Track,
  ];
  const [ends, begins] = [findReach(left).x + findReach(left).width, findReach(right).x];
  if (begins <= ends) return null;
  return {
    mode: 'stack',
    windows: [
      placeOwnWindow(left, { from: 0, to: begins }, start, geometry),
      placeOwnWindow(right, { from: ends, to: 1 }, start, geometry),
    ],
  };
}

/** The pictures of a shot in which the same people are there: a scene. */
interface Scene {
  /** Indices of its first picture, and of the one after its last. */
  from: number;
  to: number;
  /** The most important first. */
  people: Person[];
}

const cutTracks = ({ faces, bodies }: Person, from: number, to: number): Person => ({
  faces: faces.slice(from, to),
  bodies: bodies.slice(from, to),
});

/** Returns the main people: one, unless others are of similar size. Faces come before bodies. */
function findMain(people: readonly Person[], pictures: number): Person[] {
  const least = Math.max(1, minSceneShare * pictures);
  for (const part of ['face', 'body'] as const) {
    const tracks = people.map((person) => (part === 'face' ? person.faces : person.bodies));
    const { side, minShare } = companions[part];
    const sizes = tracks.map((track) =>
      countPresence(track) >= least ? getMedianSide(track, side) * countPresence(track) : 0,
    );
    const most = Math.max(0, ...sizes);
    if (most > 0) {
      return people
        .map((person, at) => ({ person, size: sizes[at]! }))
        .filter(({ size }) => size >= most * minShare)
        .toSorted((a, b) => b.size - a.size)
        .map(({ person }) => person);
    }
  }
  return [];
}

/** A person who is not seen for this many pictures is still there. */
const maxAbsence = 12;
/** A person is there this many pictures before they are found. */
const lateFind = 2;
/** A scene of fewer pictures belongs to the one before it. */
const minScene = 8;

/** Where a person is there, though not always found: indices of pictures. */
function findStays({ faces, bodies }: Person): { from: number; to: number }[] {
  const stays: { from: number; to: number }[] = [];
  faces.forEach((face, at) => {
    if (!face && !bodies[at]) return;
    const last = stays.at(-1);
    if (last && at - last.to <= maxAbsence) last.to = at + 1;
    else stays.push({ from: Math.max(0, at - lateFind), to: at + 1 });
  });
  return stays;
}

/**
 * Returns the parts of a shot with the same people, none of them short, except where a person
 * enters.
 */
function splitAtEntries(count: number, people: readonly Person[]): { from: number; to: number }[] {
  const stays = people.flatMap(findStays);
  const edges = new Set([0, count, ...stays.flatMap(({ from, to }) => [from, to])]);
  const sorted = [...edges].toSorted((a, b) => a - b);
  const parts: { from: number; to: number; isEmpty: boolean }[] = [];
  sorted.slice(1).forEach((to, index) => {
    const from = sorted[index]!;
    const isEmpty = !stays.some((stay) => stay.from <= from && stay.to >= to);
    const last = parts.at(-1);
    const isShort = to - from < minScene && (isEmpty || !last?.isEmpty);
    if (last && (isShort || last.to - last.from < minScene)) last.to = to;
    else parts.push({ from, to, isEmpty });
  });
  return parts;
}

/** Splits a shot where people come and go. */
function findScenes(shot: ShotAnalysis, people: readonly Person[]): Scene[] {
  const isSame = (one: readonly Person[], other: readonly Person[]) =>
    one.length === other.length && one.every((person) => other.includes(person));
  const scenes: Scene[] = [];
  for (const { from, to } of splitAtEntries(shot.sightings.length, people)) {
    const parts = new Map(people.map((person) => [cutTracks(person, from, to), person]));
    const found = findMain([...parts.keys()], to - from).map((part) => parts.get(part)!);
    const last = scenes.at(-1);
    if (last && isSame(last.people, found)) last.to = to;
    else scenes.push({ from, to, people: found });
  }
  return scenes;
}

/** A head should fit into its window in this share of the pictures. */
const headQuantile = 0.8;
/** A head that fills more of its window must not move further than the window reaches. */
const steadyShare = 0.9;
/** In a window on a ground there is room enough for hair: this much, in sizes of the head. */
const groundRoom = 1.18;
/** Shapes of windows (width / height) that are wider or taller than the output. */
const otherShapes = [4 / 5, 1, 4 / 3] as const;

/** The part of a box that is in the picture. */
function clipBox({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return {
    x: left,
    y: top,
    width: Math.min(1, x + width) - left,
    height: Math.min(1, y + height) - top,
  };
}

/** A window with room for a head: of the output's shape, or else of the next one that has. */
function fitWindowToHead(faces: readonly Box[], { source, window }: Geometry): Dimensions {
  const reach = findReach([...faces]);
  const measure = (side: 'width' | 'height') => {
    const sizes = faces.map((face) => clipBox(getHeadAround(face, null))[side] * source[side]);
    const head = quantile(sizes, headQuantile);
    const isLarge = head > steadyShare * window[side];
    return { head, needed: isLarge ? Math.max(head, reach[side] * source[side]) : head };
  };
  const [width, height] = [measure('width'), measure('height')];
  if (window.width >= width.needed && window.height >= height.needed) return window;
  const own = window.width / window.height;
  const far = (shape: number) => Math.abs(Math.log(shape / own));
  const whole = source.width / source.height;
  const side = width.needed > window.width ? 'width' : 'height';
  const { head, needed } = side === 'width' ? width : height;
  const size = otherShapes
    .filter((shape) => shape > Math.min(own, whole) && shape < Math.max(own, whole))
    .toSorted((a, b) => far(a) - far(b))
    .map((shape) => getLargestWindow(source, { width: shape, height: 1 }))
    .find((one) => one[side] >= Math.max(groundRoom * head, needed));
  return size ?? source;
}

/**
 * The way in which a scene is shown: by a window that follows boxes, or by a treatment that stands
 * still.
 */
type Plan = { size: Dimensions; boxes: Track } | Treatment;

/** The upper part of a body that is higher than a window. */
const getUpperPart = (body: Box, { source, window }: Geometry): Box => ({
  ...body,
  height: Math.min(body.height, window.height / source.height),
});

/** Lists the part of a person that a window shows in each picture. */
const listPartsToShow = (person: Person, geometry: Geometry): Track =>
  person.faces.map((_, at) => {
    const [face, body] = [person.faces[at], person.bodies[at]];
    if (!face) return body ? getUpperPart(body, geometry) : null;
    const head = getHeadAround(face, body ?? null);
    const isTooWide = head.width * geometry.source.width > geometry.window.width;
    return isTooWide ? getHeadAround(face, null) : head;
  });

/** Where the heads of a scene are, or the bodies of those whose face is not seen. */
function listHeadsOrBodies(person: Person): Track {
  const heads = person.faces.map((_, at) => findHead(person, at));
  return heads.some((head) => head) ? heads : person.bodies;
}

function followOne(person: Person, geometry: Geometry): Plan {
  const faces = person.faces.filter((face) => face !== null);
  const size = faces.length > 0 ? fitWindowToHead(faces, geometry) : geometry.window;
  return { size, boxes: listPartsToShow(person, { ...geometry, window: size }) };
}

/** Whether one window has room for all of some parts of the picture. */
function fitTogether(reaches: readonly Box[], { source, window }: Geometry): boolean {
  const all = joinBoxes(reaches);
  return all.width * source.width <= window.width && all.height * source.height <= window.height;
}

/** A window around two or more people who fit into it. */
function followTogether(people: readonly Person[], geometry: Geometry): Plan {
  const tracks = people.map(listHeadsOrBodies);
  const all = joinBoxes(tracks.map(findReach));
  const pictures = tracks[0]!.length;
  // If one person is not found for a moment, the window must not move to the others.
  const whole = tracks.map(countPresence).every((count) => count >= pictures * 0.8);
  const boxes = tracks[0]!.map((_, at) => {
    const seen = tracks.flatMap((track) => track[at] ?? []);
    return seen.length === 0 ? null : whole ? joinBoxes(seen) : all;
  });
  return { size: geometry.window, boxes };
}

/** A window around a group has this much room on each side, in widths of a head or body. */
const groupRoom = 0.4;
/** A window that would show more of the source's width shows all of it. */
const maxGroupShare = 0.85;
/** The least width for its height, so that it fills the width of the output. */
const minGroupShape = 4 / 5;
/** People are shown at least this large, as shares of the output's height. */
const minShown = { face: 0.055, body: 0.15 } as const;

/** The size of a window around a group that is too wide for the output's shape. */
function groupSize(group: Box, { source, window, upright }: Geometry): Dimensions {
  const width = Math.max(window.width, group.width * source.width);
  if (width > maxGroupShare * source.width) return source;
  const isWide = width > window.width;
  const least = isWide ? width / Math.max(minGroupShape, 1 / upright) : window.height;
  return { width, height: Math.min(source.height, Math.max(least, group.height * source.height)) };
}

/** Returns the people, from left to right, who together fill one window the most. */
function fillWindow(people: readonly Person[], geometry: Geometry): Person[] {
  const members = people
    .map((person) => {
      const track = listHeadsOrBodies(person);
      const weight = getMedianSide(track, 'height') * countPresence(track);
      return { person, weight, reach: findReach(track) };
    })
    .toSorted((a, b) => a.reach.x - b.reach.x);
  const subsets = members.map((first, index) => {
    const chosen = [first];
    for (const next of members.slice(index + 1)) {
      const reaches = [...chosen, next].map(({ reach }) => reach);
      if (fitTogether(reaches, geometry)) chosen.push(next);
    }
    return { chosen, weight: chosen.reduce((sum, { weight }) => sum + weight, 0) };
  });
  const [best] = subsets.toSorted((a, b) => b.weight - a.weight);
  return best!.chosen.map(({ person }) => person);
}

/** A group: in a window of its own shape on a ground, otherwise the people who fit together. */
function showGroup(people: readonly Person[], geometry: Geometry, start: number): Plan {
  const { source, upright } = geometry;
  const tracks = people.map(listHeadsOrBodies);
  const widths = tracks.map((track) => getMedianSide(track, 'width'));
  const room = groupRoom * quantile(widths, 0.5);
  const { x, width, ...rows } = joinBoxes(tracks.map(findReach));
  const group = clipBox({ x: x - room, width: width + 2 * room, ...rows });
  const size = groupSize(group, geometry);
  const scale = Math.min(1 / (size.width * upright), 1 / size.height);
  const isReadable = people.every(({ faces, bodies }) => {
    const [track, least] =
      countPresence(faces) > 0 ? [faces, minShown.face] : [bodies, minShown.body];
    return getMedianSide(track, 'height') * source.height * scale >= least;
  });
  if (isReadable && size === source) return { mode: 'fit' };
  if (isReadable) {
    return { mode: 'crop', window: holdWindowAround(size, getMiddle(group), { source, start }) };
  }
  const shown = fillWindow(people, geometry);
  return shown.length > 1 ? followTogether(shown, geometry) : followOne(shown[0]!, geometry);
}

/** The faces of a shot's people if they are too far apart for one window; otherwise none. */
export function findPeopleApart(shot: ShotAnalysis, geometry: Geometry): Person[] {
  if (showScreen(shot, geometry)) return [];
  const people = findMain(findPeople(shot.sightings), shot.sightings.length);
  const few = people.length > 1 && people.length <= maxSpeakers;
  const haveFaces = people.every(({ faces }) => countPresence(faces) > 0);
  const reaches = () => people.map((person) => findReach(listHeadsOrBodies(person)));
  return few && haveFaces && !fitTogether(reaches(), geometry) ? people : [];
}

/** A window around one of several people: beside the others, as far as it can be. */
function placeSpeakerWindow(
  shot: ShotAnalysis,
  speaker: Person,
  others: readonly Person[],
  geometry: Geometry,
): WindowPath {
  const path = followSubject(shot, listPartsToShow(speaker, geometry), geometry);
  const own = findReach(speaker.faces);
  const reaches = others.map(({ faces }) => findReach(faces));
  const ends = reaches.map(({ x, width }) => x + width).filter((end) => end <= own.x);
  const begins = reaches.map(({ x }) => x).filter((begin) => begin >= own.x + own.width);
  const from = Math.max(0, ...ends) * geometry.source.width;
  const to = Math.min(1, ...begins) * geometry.source.width - path.width;
  if (to < from) return path;
  const keys = path.keys.map((key) => ({ ...key, x: Math.min(Math.max(key.x, from), to) }));
  return { ...path, keys };
}

/** Decides how the people of a scene are shown; each of them whole, if that is possible. */
function arrangeScene(
  { from, to, people }: Scene,
  geometry: Geometry,
  { start, windowsOnly }: { start: number; windowsOnly: boolean },
): Plan {
  const here = people.map((person) => cutTracks(person, from, to));
  if (here.length === 1 || windowsOnly) return followOne(here[0]!, geometry);
  if (
    fitTogether(
      here.map((person) => findReach(listHeadsOrBodies(person))),
      geometry,
    )
  ) {
    return followTogether(here, geometry);
  }
  const [first, second] = here.map(({ faces }) => faces);
  const isPair = here.length === 2 && geometry.upright >= 1.2;
  const haveFaces = isPair && countPresence(first!) > 0 && countPresence(second!) > 0;
  const pair = haveFaces ? stackPeople(start, [first!, second!], geometry) : null;
  return pair ?? showGroup(here, geometry, start);
}

/** A shot without people: what draws the eye, or else the whole picture. */
function showThings(shot: ShotAnalysis, geometry: Geometry, windowsOnly: boolean): Treatment {
  const { source, window } = geometry;
  const salient = shot.sightings.map(({ subjects }) => {
    const subject = subjects.find(({ kind }) => kind === 'salient');
    return subject ? { ...getMiddle(subject.box), width: 0, height: 0 } : null;
  });
  const seen = salient.filter((middle) => middle !== null).length;
  const lost = 1 - (window.width * window.height) / (source.width * source.height);
  const nothing = seen * 2 <= shot.sightings.length && lost > maxLostShare;
  if (nothing && !windowsOnly && shot.end - shot.start >= minFitSeconds) return { mode: 'fit' };
  return { mode: 'crop', window: followSubject(shot, salient, geometry) };
}

/** A part of a clip, and how it is shown. */
export interface TreatedPart extends Span {
  treatment: Treatment;
}

/** People who are in a smaller share of a shot do not decide what it shows without them. */
const minPeopledShare = 0.25;

/** Decides how the scenes of a shot with people are shown. Scenes without people do not change. */
function showScenes(
  shot: ShotAnalysis,
  scenes: readonly Scene[],
  geometry: Geometry,
  windowsOnly: boolean,
): TreatedPart[] {
  const { sightings } = shot;
  const timeAt = (at: number) =>
    at <= 0 ? shot.start : at >= sightings.length ? shot.end : sightings[at]!.time;
  const parts: { from: number; to: number; plan: Plan; boxes: Track }[] = [];
  for (const [index, scene] of scenes.entries()) {
    const { from, to, people } = scene;
    const last = parts.at(-1);
    if (people.length === 0) {
      // The window rests where it is until somebody comes.
      if (last) last.to = to;
      continue;
    }
    const plan = arrangeScene(scene, geometry, { start: timeAt(from), windowsOnly });
    const followed = 'size' in plan ? plan.boxes : [];
    const before = last?.plan;
    const goesOn =
      before &&
      'size' in before &&
      'size' in plan &&
      before.size.width === plan.size.width &&
      before.size.height === plan.size.height &&
      scenes[index - 1]!.people.length > 0;
    const part = goesOn
      ? last!
      : { from: last ? from : 0, to, plan, boxes: sightings.map((): Box | null => null) };
    followed.forEach((box, at) => (part.boxes[from + at] = box));
    part.to = to;
    if (!goesOn) parts.push(part);
  }
  return parts.map(({ from, to, plan, boxes }) => {
    const [start, end] = [timeAt(from), timeAt(to)];
    if (!('size' in plan)) return { start, end, treatment: plan };
    const part = { start, end, sightings: sightings.slice(from, to) };
    const window = followSubject(part, boxes.slice(from, to), { ...geometry, window: plan.size });
    return { start, end, treatment: { mode: 'crop', window } };
  });
}

/**
 * Decides how the parts of a shot are shown: the person who is known to speak has the picture.
 * @param windowsOnly always use windows, for clips with so many shots that changes between ways
 * would flicker
 */
export function chooseTreatments(
  shot: ShotAnalysis,
  geometry: Geometry,
  { windowsOnly = false } = {},
): TreatedPart[] {
  const { start, end, talks = [] } = shot;
  const screen = showScreen(shot, geometry);
  if (screen) return [{ start, end, treatment: screen }];
  const people = findPeople(shot.sightings);
  const scenes = findScenes(shot, people);
  const peopled = scenes
    .filter((scene) => scene.people.length > 0)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  const parts =
    peopled === 0 || peopled < minPeopledShare * shot.sightings.length
      ? [{ start, end, treatment: showThings(shot, geometry, windowsOnly) }]
      : showScenes(shot, scenes, geometry, windowsOnly);
  const speakers = talks.length > 0 ? findPeopleApart(shot, geometry) : [];
  if (speakers.length === 0) return parts;
  const windows = speakers.map((speaker) =>
    placeSpeakerWindow(
      shot,
      speaker,
      speakers.filter((one) => one !== speaker),
      geometry,
    ),
  );
  return talks.flatMap(({ face, ...talk }): TreatedPart[] => {
    const window = face === null ? undefined : windows[face];
    if (window) return [{ ...talk, treatment: { mode: 'crop', window } }];
    return parts
      .map((part) => ({
        ...part,
        start: Math.max(part.start, talk.start),
        end: Math.min(part.end, talk.end),
      }))
      .filter((part) => part.start < part.end);
  });
}
