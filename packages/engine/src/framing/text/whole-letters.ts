import type { Box } from '../../edit.ts';
import type { Span } from '../../facts.ts';
import type { Geometry, ShotAnalysis, WindowPath } from '../following.ts';
import type { TreatedPart, Treatment } from '../shots.ts';
import { around } from './found-lines.ts';

/** Text of a shot that no window may cut, and when it is there. */
interface Letters extends Span {
  box: Box;
}

/** Lower lines are too small for a reader, as a share of the picture's height. */
const minLineHeight = 0.03;
/** Shorter text is not read. */
const minSeconds = 0.7;
/** Titles among people are at one place for this long, or as long as the shot. */
const fixed = { minSeconds: 2.2, minShotShare: 0.8 } as const;
/** Titles among people are below them, or wide: other text is a sign behind them. */
const titles = { below: 0.62, minWidth: 0.25 } as const;
/** People are in a shot if this share of its pictures shows one. */
const minPeopleShare = 0.5;
/** Text is searched every two seconds: it may be there before it is found. */
const lateSeconds = 2;
/** Text is gone if it was not there for this long. */
const maxGapSeconds = 0.8;
/**
 * A line is at the same place if its sides, or its middle, move by less than this: in its heights,
 * and as a share of the picture's width.
 */
const maxShift = { down: 0.5, across: 0.015 } as const;
/** Letters have this much room in their box, as a share of its height. */
const boxRoom = 0.15;
/** Between whole pictures, a window stays at least this long. */
const minWindowSeconds = 2;
/** A window that would move further from its subject, in its own sizes, is not used. */
const maxMove = 0.2;

/** Whether two boxes are the same line, or other words instead of it. */
function isSamePlace(one: Box, other: Box): boolean {
  const down = maxShift.down * Math.max(one.height, other.height);
  const places = ({ x, width }: Box) => [x, x + width / 2, x + width];
  return (
    Math.abs(one.y - other.y) <= down &&
    Math.abs(one.y + one.height - other.y - other.height) <= down &&
    places(one).some((place, at) => Math.abs(place - places(other)[at]!) <= maxShift.across)
  );
}

/** The text of a shot that is read: its captions, titles, and any text without people. */
function lettersOf({ start, end, sightings }: ShotAnalysis): Letters[] {
  const seen = sightings.flatMap(({ subjects }) => subjects);
  const captions = seen.find(({ kind }) => kind === 'caption')?.box;
  const peopled = sightings.filter(({ subjects }) =>
    subjects.some(({ kind }) => kind === 'face' || kind === 'person'),
  );
  const isPeopled = peopled.length >= minPeopleShare * sightings.length;
  const runs: (Letters & { first: Box })[] = [];
  for (const { time, subjects } of sightings) {
    for (const { kind, box } of subjects) {
      if (kind !== 'text' || box.height < minLineHeight) continue;
      const run = runs.find(
        (one) => time - one.end <= maxGapSeconds && isSamePlace(one.first, box),
      );
      if (run) Object.assign(run, { end: time, box: around([run.box, box]) });
      else runs.push({ start: time, end: time, box, first: box });
    }
  }
  const isRead = (run: Letters) => {
    const seconds = run.end - run.start;
    if (!isPeopled) return seconds >= minSeconds;
    const { y, width, height } = run.box;
    const isTitle = y + height / 2 >= titles.below || width >= titles.minWidth;
    const least = Math.min(fixed.minSeconds, fixed.minShotShare * (end - start));
    return isTitle && seconds >= least;
  };
  const read = runs.filter(isRead).map((run) => ({
    box: run.box,
    start: Math.max(start, run.start - lateSeconds),
    end: Math.min(end, run.end + maxGapSeconds / 2),
  }));
  return [...(captions ? [{ start, end, box: captions }] : []), ...read];
}

/** Where letters are, in pixels of the source. */
function edgesOf(
  { x, y, width, height }: Box,
  { width: across, height: down }: Geometry['source'],
) {
  const room = boxRoom * height * down;
  return {
    left: x * across + room,
    right: (x + width) * across - room,
    top: y * down + room,
    bottom: (y + height) * down - room,
  };
}

/** Whether a window shows letters in part while they are there. */
function isCutBy(
  { width, height, keys }: WindowPath,
  letters: Letters,
  source: Geometry['source'],
) {
  const { left, right, top, bottom } = edgesOf(letters.box, source);
  const first = keys.findLastIndex(({ time }) => time <= letters.start);
  const last = keys.findIndex(({ time }) => time >= letters.end);
  const shown = keys.slice(Math.max(0, first), last < 0 ? keys.length : last + 1);
  const isWhole = shown.every(
    ({ x, y }) => x <= left && x + width >= right && y <= top && y + height >= bottom,
  );
  const isOut = shown.every(
    ({ x, y }) => x >= right || x + width <= left || y >= bottom || y + height <= top,
  );
  return !isWhole && !isOut;
}

function isCut(treatment: Treatment, letters: Letters, { source }: Geometry): boolean {
  if (treatment.mode === 'crop') return isCutBy(treatment.window, letters, source);
  if (treatment.mode !== 'stack') return false;
  return treatment.windows.some((window) => isCutBy(window, letters, source));
}

/** Positions from which a window shows all of a part of the source; null if it cannot. */
function positions(from: number, length: number, room: number, size: number) {
  if (length > size) return null;
  return { least: Math.max(0, from + length - size), most: Math.min(room - size, from) };
}

/** The window moved as far as it must to show a part of the source; null if it cannot. */
function showing(
  { width, height, keys }: WindowPath,
  part: Box,
  { width: across, height: down }: Geometry['source'],
): Treatment | null {
  const x = positions(part.x * across, part.width * across, across, width);
  const y = positions(part.y * down, part.height * down, down, height);
  if (!x || !y) return null;
  const moved = keys.map((key) => ({
    time: key.time,
    x: Math.min(Math.max(key.x, x.least), x.most),
    y: Math.min(Math.max(key.y, y.least), y.most),
  }));
  const far = moved.some(
    (key, at) =>
      Math.abs(key.x - keys[at]!.x) > maxMove * width ||
      Math.abs(key.y - keys[at]!.y) > maxMove * height,
  );
  return far ? null : { mode: 'crop', window: { width, height, keys: moved } };
}

/** Times without gaps that are too short for a window, in order. */
function joinedSpans(spans: readonly Span[], { start, end }: Span): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    const from = span.start - (last?.end ?? start) < minWindowSeconds;
    if (last && from) last.end = Math.max(last.end, span.end);
    else joined.push({ start: from ? start : span.start, end: span.end });
  }
  const last = joined.at(-1);
  if (last && end - last.end < minWindowSeconds) last.end = end;
  return joined;
}

/**
 * A part of a shot, shown so that none of its letters is cut: the window is moved, otherwise the
 * whole picture is shown while they are there.
 */
export function withWholeLetters(
  part: TreatedPart,
  shot: ShotAnalysis,
  geometry: Geometry,
): TreatedPart[] {
  const { treatment } = part;
  const letters = lettersOf(shot)
    .map((one) => ({
      ...one,
      start: Math.max(part.start, one.start),
      end: Math.min(part.end, one.end),
    }))
    .filter(({ start, end }) => start < end);
  const cut = letters.filter((one) => isCut(treatment, one, geometry));
  if (cut.length === 0) return [part];
  if (treatment.mode === 'crop') {
    const moved = showing(treatment.window, around(cut.map(({ box }) => box)), geometry.source);
    if (moved && !letters.some((one) => isCut(moved, one, geometry))) {
      return [{ ...part, treatment: moved }];
    }
  }
  const parts: TreatedPart[] = [];
  let from = part.start;
  for (const { start, end } of joinedSpans(cut, part)) {
    if (start > from) parts.push({ start: from, end: start, treatment });
    parts.push({ start, end, treatment: { mode: 'fit' } });
    from = end;
  }
  if (part.end > from) parts.push({ start: from, end: part.end, treatment });
  return parts;
}
