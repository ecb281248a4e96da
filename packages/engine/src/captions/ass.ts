import { type Dimensions, type CaptionPosition, type CaptionLine, type Edit } from '../edit.ts';
import {
  captionLayout,
  type CaptionLayout,
  countCharactersPerLine,
  breakTitle,
} from './caption-layout.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { isContinued, softHyphen } from '../words/line-breaks.ts';
import { getSeparator, joinWords, measureTextWidth } from '../words/word-text.ts';

/**
 * Rounds widths of outlines and shadows to a tenth of a pixel: small previews need the fractions.
 */
const roundPixels = (width: number): number => Math.round(width * 10) / 10;

/**
 * Escapes text for ASS. Braces would start a command. A backslash before `N`, `n` or `h` is a
 * command, so an invisible word joiner is put between them.
 */
export const escapeAss = (text: string): string =>
  text
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    // Control characters are invisible, and some end the line in a parser.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

/** Seconds as `h:mm:ss.cc`. */
export function formatAssTime(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(hundredths / 100);
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${two(hundredths % 100)}`;
}

/** A colour `#rrggbb` in the format of ASS: alpha (0 is opaque), blue, green, red. */
export function formatAssColour(colour: string, opacity = 1): string {
  const alpha = Math.round((1 - opacity) * 255)
    .toString(16)
    .padStart(2, '0');
  const [red, green, blue] = [colour.slice(1, 3), colour.slice(3, 5), colour.slice(5, 7)];
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** ASS alignments are numbered like a keypad: bottom, middle, top. */
const alignments = { lower: 2, middle: 5, upper: 8 } as const;

/** With this encoding libass takes the direction of each line from its letters. */
const ownDirection = -1;

/** Distance of the captions from the edge. */
const computeMargins = (layout: CaptionLayout) => ({
  lower: layout.lowerMargin,
  middle: 0,
  upper: layout.upperMargin,
});

function captionFields(style: Style, layout: CaptionLayout): (string | number)[] {
  const { captions } = style;
  const letters = layout.captionSize;
  const bold = captions.weight === 'bold' ? -1 : 0;
  const { box } = captions;
  const margin = computeMargins(layout);
  const width = captions.outline.width * letters;
  // prettier-ignore
  return [
    captions.font, letters, formatAssColour(captions.colour), formatAssColour(captions.colour),
    formatAssColour(captions.outline.colour),
    box ? formatAssColour(box.colour, box.opacity) : formatAssColour('#000000', 0.5),
    bold, 0, 0, 0, 100, 100, 0, 0,
    // BorderStyle 4 only exists in libass: one box behind the whole line, padded by the shadow's
    // width.
    ...(box
      ? [4, roundPixels(width), roundPixels(box.padding * letters)]
      : [1, roundPixels(width), roundPixels(captions.shadow * letters)]),
    alignments[captions.position], layout.sideMargin, layout.sideMargin,
    margin[captions.position], ownDirection,
  ];
}

function listTitleFields(style: Style, layout: CaptionLayout): (string | number)[] {
  const { title } = style;
  const letters = layout.titleSize;
  const bold = title.weight === 'bold' ? -1 : 0;
  const edge = formatAssColour(title.box?.colour ?? title.outline.colour);
  // prettier-ignore
  return [
    title.font, letters, formatAssColour(title.colour), formatAssColour(title.colour), edge, edge,
    bold, 0, 0, 0, 100, 100, 0, 0,
    // BorderStyle 3 is a box, filled with the outline's colour. The outline's width is its padding.
    title.box ? 3 : 1,
    roundPixels((title.box?.padding ?? title.outline.width) * letters),
    0, 8, layout.sideMargin, layout.sideMargin, layout.titleMargin, ownDirection,
  ];
}

function writeHeader(dimensions: Dimensions, style: Style): string {
  const layout = captionLayout(dimensions, style);
  const line = (name: string, fields: (string | number)[]) =>
    `Style: ${[name, ...fields].join(',')}`;
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${dimensions.width}`,
    `PlayResY: ${dimensions.height}`,
    'WrapStyle: 0',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    'Format: Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding',
    line('Caption', captionFields(style, layout)),
    line('Title', listTitleFields(style, layout)),
    '',
    '[Events]',
    'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text',
  ].join('\n');
}

/** One event line. A margin of 0 means the margin of the style. */
const writeDialogue = (
  layer: number,
  { start, end, margin = 0 }: { start: number; end: number; margin?: number },
  style: string,
  text: string,
) =>
  `Dialogue: ${layer},${formatAssTime(start)},${formatAssTime(end)},${style},,0,0,${margin},,${text}`;

/**
 * The commands before and after a word that mark it. The positions of the letters do not change.
 */
function makeSpokenMark({ captions }: Style): readonly [string, string] {
  const { mark, colour } = captions.spoken;
  if (mark === 'none') return ['', ''];
  if (mark === 'underline') return ['{\\u1}', '{\\u0}'];
  const [command, usual] =
    mark === 'colour' ? ['1c', captions.colour] : ['3c', captions.outline.colour];
  return [`{\\${command}${formatAssColour(colour)}&}`, `{\\${command}${formatAssColour(usual)}&}`];
}

const scaleLetters = (percent: number): string => `\\fscx${percent}\\fscy${percent}`;

/**
 * The animation at the start of a line. `percent` is the size of its letters. Only its first event
 * moves.
 */
function animateEntrance(animation: Style['captions']['animation'], percent: number): string {
  const still = percent === 100 ? '' : scaleLetters(percent);
  if (animation === 'fade') return `${still}\\fad(140,0)`;
  if (animation === 'pop')
    return `${scaleLetters(Math.round(percent * 0.84))}\\t(0,110,${scaleLetters(percent)})`;
  return still;
}

/** Removes emoji from a text: libass cannot draw them in colour. */
const withoutEmoji = (text: string): string =>
  text
    .replace(
      /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)[\u200d\ufe0f\p{Emoji_Modifier}]*/gu,
      '',
    )
    .replace(/ {2,}/g, ' ');

/** A word that continues on the next line ends in a hyphen. */
const withHyphen = (text: string): string =>
  isContinued(text) ? `${text.slice(0, -softHyphen.length)}-` : text;

/** Capitals depend on the language: a Turkish i keeps its dot. */
const makeCapitalizer = (capitals: boolean, language?: string) => (text: string) =>
  escapeAss(withHyphen(withoutEmoji(capitals ? text.toLocaleUpperCase(language) : text)));

/** Settings that all lines of a document share. */
interface Setting {
  maxCharacters: number;
  language: string | undefined;
  margins: Readonly<Record<CaptionPosition, number>>;
  /** Height of the output in pixels. */
  height: number;
}

function captionEvents(
  line: CaptionLine,
  style: Style,
  { maxCharacters, language, margins, height }: Setting,
): string[] {
  const { animation, capitals } = style.captions;
  const { position, rise } = line;
  const aligned = position ? `\\an${alignments[position]}` : '';
  const margin = position ? margins[position] : 0;
  const place =
    rise === undefined
      ? { aligned, margin }
      : { aligned: `\\an${alignments.lower}`, margin: Math.round(rise * height) };
  const [before, after] = makeSpokenMark(style);
  const shown = makeCapitalizer(capitals, language);
  // A line of one or two words cannot be broken, so its letters get smaller if it is too long.
  const width = measureTextWidth(joinWords(line.words.map(({ text }) => text)));
  const percent =
    width > maxCharacters ? Math.max(25, Math.floor((100 * maxCharacters) / width)) : 100;
  return line.words.flatMap((word, index) => {
    const start = index === 0 ? line.start : word.start;
    const end = line.words[index + 1]?.start ?? line.end;
    if (formatAssTime(start) === formatAssTime(end)) return [];
    const opening = place.aligned + animateEntrance(index === 0 ? animation : 'none', percent);
    let text = opening && `{${opening}}`;
    line.words.forEach((other, place) => {
      const left = line.words[place - 1];
      text += left ? getSeparator(left.text, other.text) : '';
      if (animation === 'reveal' && place === index + 1) text += '{\\alpha&HFF&}';
      text += place === index ? before + shown(other.text) + after : shown(other.text);
    });
    return [writeDialogue(0, { start, end, margin: place.margin }, 'Caption', text)];
  });
}

/**
 * The captions and the hook title as an ASS document in output pixels. Each word makes one event,
 * which shows the whole line with that word marked. So the line stands still while the mark moves.
 */
export function writeAssDocument(edit: Edit): string {
  const style = edit.style ?? defaultStyle;
  const maxCharacters = countCharactersPerLine(edit.dimensions, style);
  const { language } = edit;
  const layout = captionLayout(edit.dimensions, style);
  const { height } = edit.dimensions;
  const setting = { maxCharacters, language, margins: computeMargins(layout), height };
  const events = edit.captions.flatMap((line) => captionEvents(line, style, setting));
  if (edit.title) {
    const low = edit.title.position === 'lower';
    const span = { start: 0, end: edit.title.end, margin: low ? layout.lowTitleMargin : 0 };
    const text = breakTitle(edit.title.text, edit.dimensions, style)
      .map(makeCapitalizer(style.title.capitals, language))
      .join('\\N');
    events.push(writeDialogue(1, span, 'Title', `{${low ? '\\an2' : ''}\\fad(0,180)}${text}`));
  }
  return `${writeHeader(edit.dimensions, style)}\n${events.join('\n')}\n`;
}
