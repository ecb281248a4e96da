import {
  type Dimensions,
  type CaptionPosition,
  type TitlePosition,
  type OutputFace,
  type Box,
  type CaptionLine,
  type EmojiCue,
  type Edit,
} from '../edit.ts';
import type { Span } from '../facts.ts';
import { captionLayout, placeEmoji, breakTitle } from './caption-layout.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { joinWords, measureTextWidth } from '../words/word-text.ts';

/** Detectors omit chin, hair and beard: the box of a face grows by this share on each side. */
const faceMargin = 0.12;
/** Text may cover this share of a face. */
const maxCovered = 0.02;
/** Eyes to mouth: this band of a face, around its middle, which counts this much more. */
const expression = { top: 0.3, bottom: 0.95, width: 0.8, weight: 20 } as const;
/** Moved captions stay for this long after the face is gone, so that they do not jump. */
const captionHoldSeconds = 2;
/** Height of a caption line with outline and box / height of its letters. */
const lineHeight = 1.35;
/** Mean width / height of a letter. */
const letterWidth = 0.5;

/** Emoji are about square. */
const square = { width: 100, height: 100 };

const positions: readonly CaptionPosition[] = ['lower', 'upper', 'middle'];

/** Where a line is: at a position, or with its lower edge this far above the bottom, as a share. */
type Place = { position: CaptionPosition } | { rise: number };

interface StyledOutput {
  dimensions: Dimensions;
  style: Style;
}

/** The part of the output that a caption line covers at a place, as shares. */
function getCoveredBox(line: CaptionLine, place: Place, { dimensions, style }: StyledOutput): Box {
  const layout = captionLayout(dimensions, style);
  const letters = measureTextWidth(joinWords(line.words.map(({ text }) => text)));
  const inner = dimensions.width - 2 * layout.sideMargin;
  const width = Math.min(inner, letters * letterWidth * layout.captionSize) / dimensions.width;
  const height = (lineHeight * layout.captionSize) / dimensions.height;
  const x = (1 - width) / 2;
  if ('rise' in place) return { x, y: 1 - place.rise - height, width, height };
  const y = {
    lower: 1 - layout.lowerMargin / dimensions.height - height,
    middle: (1 - height) / 2,
    upper: layout.upperMargin / dimensions.height,
  }[place.position];
  return { x, y, width, height };
}

/** Lower than this, players and platforms cover captions completely. */
const minRise = 0.08;
const riseStep = 0.01;

/** All heights below the title, those near the style's own position first. */
function listPlaces(line: CaptionLine, output: StyledOutput): Place[] {
  const { upperMargin } = captionLayout(output.dimensions, output.style);
  const own = getCoveredBox(line, { position: output.style.captions.position }, output);
  const ownRise = 1 - own.y - own.height;
  const maxRise = 1 - upperMargin / output.dimensions.height - own.height;
  const count = Math.max(0, Math.floor((maxRise - minRise) / riseStep) + 1);
  return Array.from({ length: count }, (_, index) => minRise + index * riseStep)
    .toSorted((a, b) => Math.abs(a - ownRise) - Math.abs(b - ownRise))
    .map((rise) => ({ rise: Math.round(rise * 100) / 100 }));
}

/** The share of a part of the picture that a box covers. */
function measureCoveredShare({ x, y, width, height }: Box, box: Box): number {
  const across = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
  const down = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
  return (Math.max(0, across) * Math.max(0, down)) / (width * height);
}

const withMargin = ({ x, y, width, height }: Box): Box => ({
  x: x - faceMargin * width,
  y: y - faceMargin * height,
  width: width * (1 + 2 * faceMargin),
  height: height * (1 + 2 * faceMargin),
});

const getEyesToMouth = ({ x, y, width, height }: Box): Box => ({
  x: x + ((1 - expression.width) / 2) * width,
  y: y + expression.top * height,
  width: expression.width * width,
  height: (expression.bottom - expression.top) * height,
});

/** The largest share of any face, including its margin, that a box covers. */
const findWorstCover = (faces: readonly OutputFace[], box: Box): number =>
  Math.max(0, ...faces.map((face) => measureCoveredShare(withMargin(face), box)));

/** Returns the cost of covering faces: far more if it is the eyes or the mouth. */
function measureCoverCost(faces: readonly OutputFace[], box: Box): number {
  if (findWorstCover(faces, box) <= maxCovered) return 0;
  const cost = (face: OutputFace) =>
    measureCoveredShare(withMargin(face), box) +
    expression.weight * measureCoveredShare(getEyesToMouth(face), box);
  return Math.max(...faces.map(cost));
}

const findFacesDuring = (faces: readonly OutputFace[], span: Span): OutputFace[] =>
  faces.filter(({ start, end }) => start < span.end && end > span.start);

/**
 * Places caption lines where they cover no face: at one of the three positions, otherwise at any
 * height. Only if faces are everywhere, they cover as little as possible, of eyes and mouth least.
 */
export function clearOfFaces(
  lines: readonly CaptionLine[],
  faces: readonly OutputFace[],
  output: StyledOutput,
): CaptionLine[] {
  const own: Place = { position: output.style.captions.position };
  let last: Place = own;
  let since = -Infinity;
  return lines.map(({ position: _, rise: __, ...line }) => {
    const there = findFacesDuring(faces, line);
    const cost = (place: Place) =>
      there.length > 0 ? measureCoverCost(there, getCoveredBox(line, place, output)) : 0;
    const best = (places: readonly Place[]) =>
      places.reduce((one, next) => (cost(next) < cost(one) - 1e-9 ? next : one));
    const stay = line.start - since <= captionHoldSeconds && cost(last) === 0 ? last : own;
    let place = best([stay, own, ...positions.map((position) => ({ position }))]);
    if (cost(place) > 0) place = best([place, ...listPlaces(line, output)]);
    const isOwn = 'position' in place && place.position === output.style.captions.position;
    if (!isOwn && cost(own) > 0) since = line.end;
    last = place;
    return isOwn ? line : { ...line, ...place };
  });
}

/**
 * Places an emoji beside its line. It is dropped if it would cover a face or a title at the bottom.
 */
function placeEmojiBeside(cue: EmojiCue, line: CaptionLine | undefined, edit: Edit): EmojiCue[] {
  const { faces = [], dimensions, style = defaultStyle, title } = edit;
  const { position: _, ...bare } = cue;
  // Where captions had to search for a free height, there is no room for more.
  if (line?.rise !== undefined) return [];
  const position = line?.position;
  const { x, y, width, height } = placeEmoji(square, dimensions, style, position);
  const box = {
    x: x / dimensions.width,
    y: y / dimensions.height,
    width: width / dimensions.width,
    height: height / dimensions.height,
  };
  if (findWorstCover(findFacesDuring(faces, cue), box) > maxCovered) return [];
  const low = title?.position === 'lower' && cue.start < title.end;
  if (low && !isApart(box, getTitleBox(title.text, 'lower', edit))) return [];
  return [{ ...bare, ...(position && { position }) }];
}

/** The part of the output that the title covers, as shares. */
function getTitleBox(
  text: string,
  position: TitlePosition,
  { dimensions, style = defaultStyle }: Pick<Edit, 'dimensions' | 'style'>,
): Box {
  const layout = captionLayout(dimensions, style);
  const lines = breakTitle(text, dimensions, style);
  const widestLine = Math.max(...lines.map(measureTextWidth));
  const inner = dimensions.width - 2 * layout.sideMargin;
  const width = Math.min(inner, widestLine * letterWidth * layout.titleSize) / dimensions.width;
  const height = (lines.length * lineHeight * layout.titleSize) / dimensions.height;
  const y = {
    upper: layout.titleMargin / dimensions.height,
    lower: 1 - layout.lowTitleMargin / dimensions.height - height,
  }[position];
  return { x: (1 - width) / 2, y, width, height };
}

/** Places the title at the top or, if that covers a face, above captions at the bottom. */
function placeTitle(edit: Edit): Edit['title'] {
  if (!edit.title) return null;
  const { text, end } = edit.title;
  const there = findFacesDuring(edit.faces ?? [], { start: 0, end });
  const cost = (position: TitlePosition) =>
    findWorstCover(there, getTitleBox(text, position, edit));
  const moved = cost('upper') > maxCovered && cost('lower') < cost('upper');
  return { text, end, ...(moved && { position: 'lower' as const }) };
}

const isApart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y;

/**
 * Moves title, captions and emoji away from faces. Each line is at the style's position or, if a
 * face is there, where it covers none. A line keeps the place of the line before for a while, so
 * that captions do not jump.
 */
export function placeText(edit: Edit): Edit {
  const { faces = [], dimensions, style = defaultStyle, captionPosition: position } = edit;
  const captions = position
    ? edit.captions.map(({ rise: _, ...line }) => ({ ...line, position }))
    : clearOfFaces(edit.captions, faces, { dimensions, style });
  const placed = { ...edit, captions, title: placeTitle(edit) };
  let at = 0;
  const emojis = edit.emojis.flatMap((cue) => {
    // Both are in the order of time.
    while (captions[at] && captions[at]!.end <= cue.start) at++;
    return placeEmojiBeside(cue, captions[at], placed);
  });
  return { ...placed, emojis };
}
