import type { Box } from '../../edit.ts';
import type { Subject } from '../subject-finder.ts';
import { around, isReading } from './found-lines.ts';

/** What was found in the pictures of a clip, and the times of its cuts. */
interface Seen {
  sightings: { time: number; subjects: Subject[] }[];
  cuts: number[];
}

/** Captions are centred to this share of the width, this wide, and not above this height. */
const maxOffCentre = 0.06;
const captionWidth = { min: 0.08, max: 0.94 } as const;
const minMiddle = 0.45;
/** One line of captions is at most this share of the height. */
const maxLineHeight = 0.16;
/** Captions of one and of several lines are this close to each other, as a share of the height. */
const maxBandOffset = 0.13;
/** Lines share a row if their middles are this close, in heights of the lines. */
const maxRowOffset = 0.5;
/** Other words are wider or narrower by this share of the picture, about the same middle. */
const minWidthChange = 0.03;
const maxMiddleChange = 0.012;
/** The least number of times that words change without a cut, and share of the pictures. */
const minChanges = 2;
const minPictureShare = 0.3;

const bottom = ({ y, height }: Box) => y + height;
const centre = ({ x, width }: Box) => x + width / 2;
const middle = ({ y, height }: Box) => y + height / 2;

const linesOf = ({ subjects }: Seen['sightings'][number]): Box[] =>
  subjects.filter(({ kind }) => kind === 'text').map(({ box }) => box);

/** The rows of a picture's text that could be captions. */
function captionRows(lines: readonly Box[]): Box[] {
  const rows: Box[][] = [];
  for (const line of lines) {
    const row = rows.find(
      ([one]) =>
        Math.abs(middle(one!) - middle(line)) <= maxRowOffset * Math.min(one!.height, line.height),
    );
    if (row) row.push(line);
    else rows.push([line]);
  }
  return rows
    .map(around)
    .filter(
      (row) =>
        Math.abs(centre(row) - 0.5) <= maxOffCentre &&
        row.width >= captionWidth.min &&
        row.width <= captionWidth.max &&
        row.height <= maxLineHeight &&
        middle(row) >= minMiddle,
    );
}

/**
 * The part of the picture where the source has captions of its own, or null: centred text at the
 * same height, whose words change while the shot goes on. Titles, tickers and logos stay, or are
 * not centred; slides change as a whole, or have more text elsewhere.
 */
export function sourceCaptions({ sightings, cuts }: Seen): Box | null {
  const rows = sightings.map((sighting) => captionRows(linesOf(sighting)));
  const isInBand = (height: number) => (box: Box) =>
    Math.abs(middle(box) - height) <= maxBandOffset;
  let captions: (Box | null)[] = [];
  let most = 0;
  for (const height of new Set(rows.flat().map(middle))) {
    const band = rows.map((found, index) => {
      const others = linesOf(sightings[index]!).filter((line) => !isInBand(height)(line));
      return isReading(others) ? [] : found.filter(isInBand(height));
    });
    const count = band.filter(({ length }) => length > 0).length;
    if (count <= most) continue;
    most = count;
    captions = band.map((found) => (found.length > 0 ? around(found) : null));
  }
  if (most < minPictureShare * sightings.length) return null;
  let changes = 0;
  let before: { box: Box; time: number } | null = null;
  for (const [index, box] of captions.entries()) {
    if (!box) continue;
    const { time } = sightings[index]!;
    const from = before?.time ?? time;
    const cut = cuts.some((at) => at > from && at <= time);
    const other =
      before !== null &&
      Math.abs(box.width - before.box.width) >= minWidthChange &&
      Math.abs(centre(box) - centre(before.box)) <= maxMiddleChange;
    if (!cut && other) changes += 1;
    before = { box, time };
  }
  return changes >= minChanges ? around(captions.filter((box) => box !== null)) : null;
}

/**
 * Returns the analysis with the source's own captions as one subject of each picture, instead of
 * lines of text: they come and go between the pictures that were searched.
 */
export function withSourceCaptions<Look extends Seen>(analysis: Look): Look {
  const box = sourceCaptions(analysis);
  if (!box) return analysis;
  const isInside = (line: Box) => middle(line) >= box.y && middle(line) <= bottom(box);
  const sightings = analysis.sightings.map(({ subjects, ...sighting }) => ({
    ...sighting,
    subjects: [
      ...subjects.filter(({ kind, box: line }) => kind !== 'text' || !isInside(line)),
      { kind: 'caption', box } satisfies Subject,
    ],
  }));
  return { ...analysis, sightings };
}
