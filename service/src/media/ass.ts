import type { Dimensions } from 'clip-kit/contract';
import { captionStyle } from './caption-style.ts';
import type { Plan } from './plan.ts';
import { glue } from './word-text.ts';

/**
 * Text as ASS shows it, letter by letter: braces would open commands, and a backslash before `N`, `n` or `h` is one
 * (a word joiner, which has no shape, stands between them then).
 */
export const escapeAss = (text: string): string =>
  text
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    // Control characters have no shape, and some end the line in a parser.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

/** Seconds as `h:mm:ss.cc`. */
export function assTime(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(hundredths / 100);
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${two(hundredths % 100)}`;
}

/** Shown where installed; elsewhere fontconfig takes the nearest face that has the letters. */
const font = 'Noto Sans';
/** Colours as ASS has them: alpha, blue, green, red. */
const white = '&H00FFFFFF';
const ink = '&H00141210';
const spokenColour = '&H3BD9FF&';

function header(dimensions: Dimensions): string {
  const style = captionStyle(dimensions);
  const { sideMargin: side } = style;
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
    line('Caption', [
      ...[font, style.captionSize, white, white, ink, '&H80000000', -1, 0, 0, 0, 100, 100, 0, 0],
      ...[1, style.outline, Math.round(style.outline * 0.6), 2, side, side, style.captionMargin, 1],
    ]),
    // BorderStyle 3 is a box: the outline's colour fills it, and its width is the padding.
    line('Title', [
      ...[font, style.titleSize, ink, ink, white, white, -1, 0, 0, 0, 100, 100, 0, 0],
      ...[3, Math.round(style.titleSize * 0.24), 0, 8, side, side, style.titleMargin, 1],
    ]),
    '',
    '[Events]',
    'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text',
  ].join('\n');
}

const dialogue = (layer: number, start: number, end: number, style: string, text: string) =>
  `Dialogue: ${layer},${assTime(start)},${assTime(end)},${style},,0,0,0,,${text}`;

/** Breaks a title into lines of about the same length, as many as it needs. */
export function balancedLines(text: string, longest: number): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const count = Math.max(1, Math.ceil(text.length / longest));
  const lines: string[] = [];
  let line = '';
  let rest = text.length;
  for (const word of words) {
    const ideal = rest / Math.max(1, count - lines.length);
    const grown = line ? `${line} ${word}` : word;
    const over = Math.abs(grown.length - ideal) > Math.abs(line.length - ideal);
    if (line && (grown.length > longest || (over && lines.length < count - 1))) {
      lines.push(line);
      rest -= line.length + 1;
      line = word;
    } else line = grown;
  }
  if (line) lines.push(line);
  return lines;
}

/**
 * The captions and the hook title as an ASS document in the output's pixels. Each word makes one event that shows its
 * whole line with that word coloured, so that the line stands still while the colour walks.
 */
export function assDocument(plan: Plan): string {
  const events: string[] = [];
  for (const line of plan.captions) {
    line.words.forEach((word, index) => {
      const start = index === 0 ? line.start : word.start;
      const end = line.words[index + 1]?.start ?? line.end;
      if (assTime(start) === assTime(end)) return;
      let text = '';
      line.words.forEach((other, place) => {
        const shown = escapeAss(other.text);
        const before = line.words[place - 1];
        text += before ? glue(before.text, other.text) : '';
        text += place === index ? `{\\1c${spokenColour}}${shown}{\\r}` : shown;
      });
      events.push(dialogue(0, start, end, 'Caption', text));
    });
  }
  if (plan.title) {
    const style = captionStyle(plan.dimensions);
    const fit = (plan.dimensions.width - 2 * style.sideMargin) / (style.titleSize * 0.6);
    const lines = balancedLines(plan.title.text, Math.max(8, Math.floor(fit))).map(escapeAss);
    events.push(dialogue(1, 0, plan.title.end, 'Title', `{\\fad(0,180)}${lines.join('\\N')}`));
  }
  return `${header(plan.dimensions)}\n${events.join('\n')}\n`;
}
