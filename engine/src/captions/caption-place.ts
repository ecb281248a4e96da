import {
  type Dimensions,
  type CaptionPosition,
  type TitlePosition,
  type SeenFace,
  type Box,
  type CaptionLine,
  type EmojiCue,
  type Edit,
} from '../edit.ts';
import type { Span } from '../facts.ts';
import { captionLayout } from './caption-style.ts';
import { emojiPlace } from './emoji-place.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { titleLines } from './title-lines.ts';
import { joinWords, textWidth } from '../words/word-text.ts';

/** Chin, hair and beard lie around what detectors call a face, by this share of it. */
const around = 0.12;
/** A face may be covered by this share. */
const touched = 0.02;
/** Captions that have made way stay there for this time in seconds after the face is gone: they do not hop. */
const calm = 2;
/** Height of a line of captions over that of its letters, with outline and box. */
const lineHeight = 1.35;
/** Mean width of a letter over its height. */
const letterWidth = 0.5;

/** Pictures of emoji are about square. */
const square = { width: 100, height: 100 };

const positions: readonly CaptionPosition[] = ['lower', 'upper', 'middle'];

/** The part of the output that a line of captions covers at a position, as shares. */
function covered(
  line: CaptionLine,
  position: CaptionPosition,
  { dimensions, style }: { dimensions: Dimensions; style: Style },
): Box {
  const layout = captionLayout(dimensions, style);
  const letters = textWidth(joinWords(line.words.map(({ text }) => text)));
  const inner = dimensions.width - 2 * layout.sideMargin;
  const width = Math.min(inner, letters * letterWidth * layout.captionSize) / dimensions.width;
  const height = (lineHeight * layout.captionSize) / dimensions.height;
  const y = {
    lower: 1 - layout.lowerMargin / dimensions.height - height,
    middle: (1 - height) / 2,
    upper: layout.upperMargin / dimensions.height,
  }[position];
  return { x: (1 - width) / 2, y, width, height };
}

/** The share of a face, with what lies around it, that a box covers. */
function overlap(face: Box, box: Box): number {
  const [x, y] = [face.x - around * face.width, face.y - around * face.height];
  const [width, height] = [face.width * (1 + 2 * around), face.height * (1 + 2 * around)];
  const across = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
  const down = Math.min(y + height, box.y + box.height) - Math.max(y, box.y);
  return (Math.max(0, across) * Math.max(0, down)) / (width * height);
}

/** The largest share of any face that a box covers. */
const most = (faces: readonly SeenFace[], box: Box): number =>
  Math.max(0, ...faces.map((face) => overlap(face, box)));

const facesDuring = (faces: readonly SeenFace[], span: Span): SeenFace[] =>
  faces.filter(({ start, end }) => start < span.end && end > span.start);

/** Lines of captions at places where they cover no face, or as little of any as can be. */
export function clearOfFaces(
  lines: readonly CaptionLine[],
  faces: readonly SeenFace[],
  look: { dimensions: Dimensions; style: Style },
): CaptionLine[] {
  const own = look.style.captions.position;
  let last: CaptionPosition = own;
  let since = -Infinity;
  return lines.map(({ position: _, ...line }) => {
    const there = facesDuring(faces, line);
    const cost = (position: CaptionPosition) => {
      const worst = most(there, covered(line, position, look));
      return worst <= touched ? 0 : worst;
    };
    const stay = line.start - since <= calm && cost(last) === 0 ? last : own;
    const position = [stay, own, ...positions].reduce((best, next) =>
      cost(next) < cost(best) - 1e-9 ? next : best,
    );
    if (position !== own && cost(own) > 0) since = line.end;
    last = position;
    return position === own ? line : { ...line, position };
  });
}

/** An emoji goes with its line; one that would cover a face, or a title that stands low, is left out. */
function emojiBeside(cue: EmojiCue, edit: Edit): EmojiCue[] {
  const { faces = [], dimensions, style = defaultStyle, title } = edit;
  const { position: _, ...bare } = cue;
  const position = edit.captions.find(
    ({ start, end }) => cue.start >= start && cue.start < end,
  )?.position;
  const { x, y, width, height } = emojiPlace(square, dimensions, style, position);
  const box = {
    x: x / dimensions.width,
    y: y / dimensions.height,
    width: width / dimensions.width,
    height: height / dimensions.height,
  };
  if (most(facesDuring(faces, cue), box) > touched) return [];
  const low = title?.position === 'lower' && cue.start < title.end;
  if (low && !apart(box, titleBox(title.text, 'lower', edit))) return [];
  return [{ ...bare, ...(position && { position }) }];
}

/** The part of the output that the title covers, as shares. */
function titleBox(
  text: string,
  position: TitlePosition,
  { dimensions, style = defaultStyle }: Pick<Edit, 'dimensions' | 'style'>,
): Box {
  const layout = captionLayout(dimensions, style);
  const lines = titleLines(text, dimensions, style);
  const longest = Math.max(...lines.map(textWidth));
  const inner = dimensions.width - 2 * layout.sideMargin;
  const width = Math.min(inner, longest * letterWidth * layout.titleSize) / dimensions.width;
  const height = (lines.length * lineHeight * layout.titleSize) / dimensions.height;
  const y = {
    upper: layout.titleMargin / dimensions.height,
    lower: 1 - layout.lowTitleMargin / dimensions.height - height,
  }[position];
  return { x: (1 - width) / 2, y, width, height };
}

/** The title, at the top, or where that would cover a face, over captions that stand low. */
function titleClear(edit: Edit): Edit['title'] {
  if (!edit.title) return null;
  const { text, end } = edit.title;
  const there = facesDuring(edit.faces ?? [], { start: 0, end });
  const cost = (position: TitlePosition) => most(there, titleBox(text, position, edit));
  const moved = cost('upper') > touched && cost('lower') < cost('upper');
  return { text, end, ...(moved && { position: 'lower' as const }) };
}

const apart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y;

/**
 * The edit with its title, captions and emoji clear of faces. Each line stands where the style has it, and where a face is there, at the
 * position that covers least of any. A line keeps the position of the one before for a while, so that captions do not hop.
 */
export function placedText(edit: Edit): Edit {
  const { faces = [], dimensions, style = defaultStyle } = edit;
  const captions = clearOfFaces(edit.captions, faces, { dimensions, style });
  const placed = { ...edit, captions, title: titleClear(edit) };
  return { ...placed, emojis: edit.emojis.flatMap((cue) => emojiBeside(cue, placed)) };
}
