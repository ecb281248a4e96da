import type { Box } from '../../edit.ts';
import type { Span } from '../../facts.ts';
import type { Geometry, ShotAnalysis, WindowPath } from '../following.ts';
import { getLargestWindow } from '../layout.ts';
import { type TreatedPart, type Treatment, chooseTreatments } from '../shots.ts';
import { joinBoxes, getMiddleY, groupRows } from './found-lines.ts';

/** Text of a shot that no window may cut, and when it is there. */
interface Letters extends Span {
  box: Box;
}

/** Lower lines are too small for a reader, as a share of the picture's height. */
const minLineHeight = 0.03;
/** Shorter text is not read, unless a shot is hardly longer. */
const minSeconds = 0.8;
const minShotShare = 0.8;
/** Titles among people are below them, or wider: other text is a sign behind them. */
const titles = { below: 0.62, minLowWidth: 0.12, minWidth: 0.25 } as const;
/** People are in a shot if this share of its pictures shows one. */
const minPeopleShare = 0.5;
/** Text is searched every half a second: it may be there before it is found. */
const lateSeconds = 0.6;
/** After the last picture with it, text may be there for a moment. */
const goneSeconds = 0.4;
/** Words that come after a shorter pause are more of the same text. */
const maxPauseSeconds = 2;
/**
 * A line is at the same place if its sides, or its middle, move by less than this: in its heights,
 * and as a share of the picture's width.
 */
const maxShift = { down: 0.5, across: 0.015 } as const;
/** Wider rows at one height are the same one, though its words move. */
const minTickerWidth = 0.5;
/** Letters have this much room in their box, as a share of its height. */
const boxRoom = 0.15;
/** Between whole pictures, a window stays at least this long. */
const minWindowSeconds = 2;
/** A window that would move further from its subject, in its own sizes, is not used. */
const maxMove = 0.2;
/** Beside a band of letters, a window has at least this share of the picture's height. */
const minBesideShare = 0.6;
/** Bands begin and end at steps of this share of the height, so that those of shots are alike. */
const bandStep = 1 / 32;

/** Whether two boxes are the same row, or other words instead of it. */
function isSamePlace(one: Box, other: Box): boolean {
  const down = maxShift.down * Math.max(one.height, other.height);
  const places = ({ x, width }: Box) => [x, x + width / 2, x + width];
  return (
    Math.abs(one.y - other.y) <= down &&
    Math.abs(one.y + one.height - other.y - other.height) <= down &&
    (Math.min(one.width, other.width) >= minTickerWidth ||
      places(one).some((place, at) => Math.abs(place - places(other)[at]!) <= maxShift.across))
  );
}

/** Whether a shot is of people. */
function isPeopled({ sightings }: ShotAnalysis): boolean {
  const peopled = sightings.filter(({ subjects }) =>
    subjects.some(({ kind }) => kind === 'face' || kind === 'person'),
  );
  return peopled.length >= minPeopleShare * sightings.length;
}

/** The text of a shot that is read: its captions, titles, and any text without people. */
function collectLetters(shot: ShotAnalysis): Letters[] {
  const { start, end, sightings } = shot;
  const runs: (Letters & { first: Box })[] = [];
  for (const { time, subjects } of sightings) {
    const lines = subjects
      .filter(({ kind }) => kind === 'text' || kind === 'caption')
      .map(({ box }) => box)
      .filter(({ height }) => height >= minLineHeight);
    for (const box of groupRows(lines)) {
      const run = runs.find(
        (one) => time - one.end <= maxPauseSeconds && isSamePlace(one.first, box),
      );
      if (run) Object.assign(run, { end: time, box: joinBoxes([run.box, box]) });
      else runs.push({ start: time, end: time, box, first: box });
    }
  }
  const seen = sightings.flatMap(({ subjects }) => subjects);
  const caption = seen.find(({ kind }) => kind === 'caption')?.box;
  const peopled = isPeopled(shot);
  const least = Math.min(minSeconds, minShotShare * (end - start));
  const isTitle = (run: Letters) =>
    run.box.width >= (getMiddleY(run.box) >= titles.below ? titles.minLowWidth : titles.minWidth);
  const isRead = (run: Letters) =>
    run.box.y === caption?.y || (run.end - run.start >= least && (!peopled || isTitle(run)));
  return runs.filter(isRead).map((run) => ({
    box: run.box,
    start: Math.max(start, run.start - lateSeconds),
    end: Math.min(end, run.end + goneSeconds),
  }));
}

/** Where letters are, in pixels of the source. */
function getLetterEdges(
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
  const { left, right, top, bottom } = getLetterEdges(letters.box, source);
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
function getPositionRange(from: number, length: number, room: number, size: number) {
  if (length > size) return null;
  return { least: Math.max(0, from + length - size), most: Math.min(room - size, from) };
}

/** The window moved as far as it must to show a part of the source; null if it cannot. */
function moveToShow(
  { width, height, keys }: WindowPath,
  part: Box,
  { width: across, height: down }: Geometry['source'],
): Treatment | null {
  const x = getPositionRange(part.x * across, part.width * across, across, width);
  const y = getPositionRange(part.y * down, part.height * down, down, height);
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
function joinSpans(spans: readonly Span[], { start, end }: Span): Span[] {
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
 * A shot of people with a band of the picture below its window, which is chosen as if there were
 * only the part of the picture above the band, or below it. Nothing if that is too small.
 */
function showBesideBand(
  shot: ShotAnalysis,
  { source, upright }: Geometry,
  letters: Box,
  options: { windowsOnly?: boolean },
): TreatedPart[] {
  const from = bandStep * Math.floor(letters.y / bandStep);
  const to = Math.min(1, bandStep * Math.ceil((letters.y + letters.height) / bandStep));
  const { y, height } = from > 1 - to ? { y: 0, height: from } : { y: to, height: 1 - to };
  if (height < minBesideShare || !isPeopled(shot)) return [];
  const moved = (box: Box): Box => ({
    ...box,
    y: (box.y - y) / height,
    height: box.height / height,
  });
  const sightings = shot.sightings.map(({ subjects, ...sighting }) => ({
    ...sighting,
    subjects: subjects.map((subject) => ({ ...subject, box: moved(subject.box) })),
  }));
  const band = { y: from * source.height, height: (to - from) * source.height };
  const left = upright - band.height / source.width;
  const beside = { width: source.width, height: height * source.height };
  const geometry = {
    source: beside,
    window: getLargestWindow(beside, { width: 1, height: left }),
    upright: left,
  };
  return chooseTreatments({ ...shot, sightings }, geometry, options).map(
    ({ treatment, ...part }) => {
      if (treatment.mode !== 'crop') return { ...part, treatment: { mode: 'fit' } };
      const keys = treatment.window.keys.map((key) => ({ ...key, y: key.y + y * source.height }));
      return { ...part, treatment: { mode: 'crop', window: { ...treatment.window, keys }, band } };
    },
  );
}

const clipSpans = <Timed extends Span>(spans: readonly Timed[], { start, end }: Span): Timed[] =>
  spans
    .map((one) => ({ ...one, start: Math.max(start, one.start), end: Math.min(end, one.end) }))
    .filter((one) => one.start < one.end);

/**
 * Decides how the parts of a shot are shown so that none of its letters is cut: the window moves,
 * or people are shown above a band with the letters while these are there, or the whole picture.
 */
export function showWithLetters(
  shot: ShotAnalysis,
  geometry: Geometry,
  options: { windowsOnly?: boolean } = {},
): TreatedPart[] {
  const all = collectLetters(shot);
  return chooseTreatments(shot, geometry, options).flatMap((part) => {
    const { treatment } = part;
    const letters = clipSpans(all, part);
    const cutBy = (one: TreatedPart) =>
      clipSpans(letters, one).filter((each) => isCut(one.treatment, each, geometry));
    const cut = cutBy(part);
    if (cut.length === 0) return [part];
    const box = joinBoxes(cut.map((one) => one.box));
    let instead: TreatedPart[] = [];
    if (treatment.mode === 'crop') {
      const moved = moveToShow(treatment.window, box, geometry.source);
      if (moved && cutBy({ ...part, treatment: moved }).length === 0) {
        return [{ ...part, treatment: moved }];
      }
      instead = clipSpans(showBesideBand(shot, geometry, box, options), part);
    }
    if (instead.length === 0 || instead.some((one) => cutBy(one).length > 0)) {
      instead = [{ ...part, treatment: { mode: 'fit' } }];
    }
    const isBeside = (one: Letters) =>
      getMiddleY(one.box) > box.y && getMiddleY(one.box) < box.y + box.height;
    const parts: TreatedPart[] = [];
    let from = part.start;
    for (const span of joinSpans(letters.filter(isBeside), part)) {
      if (span.start > from) parts.push({ start: from, end: span.start, treatment });
      parts.push(...clipSpans(instead, span));
      from = span.end;
    }
    if (part.end > from) parts.push({ start: from, end: part.end, treatment });
    return parts;
  });
}
