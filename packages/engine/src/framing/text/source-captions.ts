import type { Box } from '../../edit.ts';
import type { Subject } from '../subject-finder.ts';
import { joinBoxes, isReading, getMiddleY, groupRows } from './found-lines.ts';

/** The results of the search in the pictures of a clip, and the times of its cuts. */
interface Seen {
  sightings: { time: number; subjects: Subject[] }[];
  cuts: number[];
}

/** Captions are centred to this share of the width, this wide, and not above this height. */
const maxOffCentre = 0.06;
const captionWidth = { min: 0.08, max: 0.94 } as const;
const minMiddle = 0.45;
/** The maximum height of a line of captions, as a share of the picture's height. */
const maxLineHeight = 0.16;
/** Captions of one and of several lines are this close to each other, as a share of the height. */
const maxBandOffset = 0.13;
/** Other words are wider or narrower by this share of the picture, about the same middle. */
const minWidthChange = 0.03;
const maxMiddleChange = 0.012;
/** The least number of times that words change without a cut, and share of the pictures. */
const minChanges = 2;
const minPictureShare = 0.3;

const getCentre = ({ x, width }: Box) => x + width / 2;

const listLines = ({ subjects }: Seen['sightings'][number]): Box[] =>
  subjects.filter(({ kind }) => kind === 'text').map(({ box }) => box);

/** The rows of a picture's text that could be captions. */
const captionRows = (lines: readonly Box[]): Box[] =>
  groupRows(lines).filter(
    (row) =>
      Math.abs(getCentre(row) - 0.5) <= maxOffCentre &&
      row.width >= captionWidth.min &&
      row.width <= captionWidth.max &&
      row.height <= maxLineHeight &&
      getMiddleY(row) >= minMiddle,
  );

/**
 * Where each picture has captions of the source's own, or null if it has none: centred text at the
 * same height, whose words change while the shot goes on. Titles, tickers and logos stay, or are
 * not centred; slides change as a whole, or have more text elsewhere.
 */
export function findSourceCaptions({ sightings, cuts }: Seen): (Box | null)[] | null {
  const rows = sightings.map((sighting) => captionRows(listLines(sighting)));
  const isInBand = (height: number) => (box: Box) =>
    Math.abs(getMiddleY(box) - height) <= maxBandOffset;
  let captions: (Box | null)[] = [];
  let most = 0;
  for (const height of new Set(rows.flat().map(getMiddleY))) {
    const band = rows.map((found, index) => {
      const others = listLines(sightings[index]!).filter((line) => !isInBand(height)(line));
      return isReading(others) ? [] : found.filter(isInBand(height));
    });
    const count = band.filter(({ length }) => length > 0).length;
    if (count <= most) continue;
    most = count;
    captions = band.map((found) => (found.length > 0 ? joinBoxes(found) : null));
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
      Math.abs(getCentre(box) - getCentre(before.box)) <= maxMiddleChange;
    if (!cut && other) changes += 1;
    before = { box, time };
  }
  return changes >= minChanges ? captions : null;
}

/**
 * Returns the analysis with the source's own captions as one subject of each picture that has them,
 * instead of lines of text. All are as high as the highest, so that shots can be shown alike.
 */
export function withSourceCaptions<Look extends Seen>(analysis: Look): Look {
  const captions = findSourceCaptions(analysis);
  if (!captions) return analysis;
  const { y, height } = joinBoxes(captions.filter((box) => box !== null));
  const sightings = analysis.sightings.map(({ subjects, ...sighting }, index) => {
    const words = captions[index];
    if (!words) return { ...sighting, subjects };
    const box = { ...words, y, height };
    const isInside = (line: Box) => getMiddleY(line) >= y && getMiddleY(line) <= y + height;
    return {
      ...sighting,
      subjects: [
        ...subjects.filter(({ kind, box: line }) => kind !== 'text' || !isInside(line)),
        { kind: 'caption', box } satisfies Subject,
      ],
    };
  });
  return { ...analysis, sightings };
}
