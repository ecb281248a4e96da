/** Shapes as ASS drawing commands, in pixels of a 1920 by 1080 picture. */

export interface Point {
  x: number;
  y: number;
}

/** A filled shape: colour `#rrggbb`, opacity 0 to 1, blur of its edge in pixels. */
export interface Shape {
  path: string;
  colour: string;
  opacity?: number;
  blur?: number;
}

// ASS drawings use whole numbers: at \p3 four of them make a pixel.
const at = (value: number): number => Math.round(value * 4);
const pair = (x: number, y: number): string => `${at(x)} ${at(y)}`;

const move = (x: number, y: number): string => `m ${pair(x, y)}`;
const line = (...points: Point[]): string => `l ${points.map(({ x, y }) => pair(x, y)).join(' ')}`;

/** Where the handles of a quarter circle are, as a share of its radius. */
const k = 0.5523;

export function ellipse(x: number, y: number, rx: number, ry = rx, turn = 0): string {
  const c = Math.cos(turn);
  const s = Math.sin(turn);
  const p = (u: number, v: number) =>
    pair(x + u * rx * c - v * ry * s, y + u * rx * s + v * ry * c);
  return [
    `m ${p(1, 0)}`,
    `b ${p(1, k)} ${p(k, 1)} ${p(0, 1)}`,
    `b ${p(-k, 1)} ${p(-1, k)} ${p(-1, 0)}`,
    `b ${p(-1, -k)} ${p(-k, -1)} ${p(0, -1)}`,
    `b ${p(k, -1)} ${p(1, -k)} ${p(1, 0)}`,
  ].join(' ');
}

/** A limb: a round end of radius `ra` at `a`, one of radius `rb` at `b`. */
export function capsule(a: Point, b: Point, ra: number, rb: number): string {
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const arc = (centre: Point, radius: number, from: number) => {
    const points: Point[] = [];
    for (let step = 0; step <= 8; step++) {
      const turn = from + (Math.PI * step) / 8;
      points.push({ x: centre.x + radius * Math.cos(turn), y: centre.y + radius * Math.sin(turn) });
    }
    return points;
  };
  const points = [...arc(b, rb, angle - Math.PI / 2), ...arc(a, ra, angle + Math.PI / 2)];
  return `${move(points[0]!.x, points[0]!.y)} ${line(...points.slice(1))}`;
}

export function roundRect(x: number, y: number, width: number, height: number, radius: number) {
  const r = Math.min(radius, width / 2, height / 2);
  const h = r * (1 - k);
  const [right, bottom] = [x + width, y + height];
  return [
    move(x + r, y),
    line({ x: right - r, y }),
    `b ${pair(right - h, y)} ${pair(right, y + h)} ${pair(right, y + r)}`,
    line({ x: right, y: bottom - r }),
    `b ${pair(right, bottom - h)} ${pair(right - h, bottom)} ${pair(right - r, bottom)}`,
    line({ x: x + r, y: bottom }),
    `b ${pair(x + h, bottom)} ${pair(x, bottom - h)} ${pair(x, bottom - r)}`,
    line({ x, y: y + r }),
    `b ${pair(x, y + h)} ${pair(x + h, y)} ${pair(x + r, y)}`,
  ].join(' ');
}

export function polygon(points: readonly Point[]): string {
  const [first, ...others] = points;
  return first ? `${move(first.x, first.y)} ${line(...others)}` : '';
}

export const hexagon = (x: number, y: number, radius: number): string =>
  polygon(
    Array.from({ length: 6 }, (_, index) => {
      const turn = Math.PI / 6 + (index * Math.PI) / 3;
      return { x: x + radius * Math.cos(turn), y: y + radius * Math.sin(turn) };
    }),
  );

/** `#rrggbb` in the form that ASS uses. */
const assColour = (colour: string): string =>
  `&H${colour.slice(5, 7)}${colour.slice(3, 5)}${colour.slice(1, 3)}&`.toUpperCase();

function time(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(hundredths / 100);
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${two(hundredths % 100)}`;
}

const event = (layer: number, start: number, end: number, text: string): string =>
  `Dialogue: ${layer},${time(start)},${time(end)},S,,0,0,0,,${text}`;

/** One shape for a period of time; `fade` in milliseconds. */
export function drawn(layer: number, start: number, end: number, shape: Shape, fade = 0): string {
  const alpha = Math.round((1 - (shape.opacity ?? 1)) * 255);
  const tags = [
    '\\an7\\pos(0,0)',
    `\\1c${assColour(shape.colour)}`,
    alpha > 0 ? `\\1a&H${alpha.toString(16).padStart(2, '0').toUpperCase()}&` : '',
    shape.blur ? `\\blur${shape.blur}` : '',
    fade > 0 ? `\\fad(${fade},0)` : '',
    '\\p3',
  ].join('');
  return event(layer, start, end, `{${tags}}${shape.path}`);
}

/**
 * A line of bold type, positioned by its left edge (or its middle, if `centred`) and the middle of
 * its height; `tags` adds more ASS tags.
 */
export function typed(
  layer: number,
  [start, end]: readonly [number, number],
  text: string,
  style: {
    x: number;
    y: number;
    size: number;
    colour: string;
    centred?: boolean;
    tags?: string;
  },
): string {
  const tags = `\\an${style.centred ? 5 : 4}\\fs${style.size}\\1c${assColour(style.colour)}`;
  const place = style.tags?.includes('\\move') ? '' : `\\pos(${style.x},${style.y})`;
  return event(layer, start, end, `{${tags}${place}${style.tags ?? ''}}${text}`);
}

export const assHead = [
  '[Script Info]',
  'ScriptType: v4.00+',
  'PlayResX: 1920',
  'PlayResY: 1080',
  'ScaledBorderAndShadow: yes',
  'WrapStyle: 2',
  '[V4+ Styles]',
  'Format: Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding',
  'Style: S,Noto Sans,60,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,-1,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1',
  '[Events]',
  'Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text',
].join('\n');
