/**
 * The look of the pages that the embedding site or an organization wants: parsed values, and the
 * custom properties that they become. Pure, for the pages' script and for the service that writes
 * them.
 */

/** Red, green and blue, each a whole number from 0 to 255. */
export type Rgb = readonly [number, number, number];

export interface Appearance {
  readonly scheme?: 'light' | 'dark' | 'light dark' | undefined;
  readonly accent?: Rgb | undefined;
  readonly onAccent?: Rgb | undefined;
  readonly surface?: Rgb | undefined;
  readonly text?: Rgb | undefined;
  /** The radius of a large box, in pixels; smaller ones follow in proportion. */
  readonly radius?: number | undefined;
  /** Names of families, the first that the browser has is used. */
  readonly font?: readonly string[] | undefined;
  /** `none`: the site has the title and the way out of the editor. */
  readonly header?: 'none' | undefined;
}

const schemes: readonly unknown[] = ['light', 'dark', 'light dark'];
const colours = ['accent', 'onAccent', 'surface', 'text'] as const;
const maxRadius = 64;
const maxFamilies = 8;

const isRgb = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 3 &&
  value.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);

/** Nothing that could end a string of a style sheet, or call a function in it. */
const isFamily = (value: unknown): boolean =>
  typeof value === 'string' && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&+-]{0,63}$/u.test(value);

const isFont = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= maxFamilies && value.every(isFamily);

/** Whether a value of another page is an appearance. Unknown keys are ignored. */
export function isAppearance(value: unknown): value is Appearance {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { scheme, radius, font, header, ...others } = value as Readonly<Record<string, unknown>>;
  return (
    (scheme === undefined || schemes.includes(scheme)) &&
    colours.every((name) => others[name] === undefined || isRgb(others[name])) &&
    (radius === undefined || (typeof radius === 'number' && radius >= 0 && radius <= maxRadius)) &&
    (font === undefined || isFont(font)) &&
    (header === undefined || header === 'none')
  );
}

/** A colour that could not be read on its ground, and the one that is used. */
interface MovedColour {
  readonly name: string;
  readonly ground: string;
  readonly contrast: number;
  readonly from: string;
  readonly to: string;
}

/** Custom properties of the pages' root, and which colours were moved to be readable. */
export interface Look {
  readonly properties: ReadonlyMap<string, string>;
  readonly moved: readonly MovedColour[];
}

/** Every property that {@link makeLook} may set. */
export const lookProperties = [
  ...['color-scheme', '--font', '--round', '--done', '--accent', '--on-accent', '--accent-text'],
  ...['--line-played', '--surface', '--ink', '--ground', '--stage', '--soft', '--line', '--edge'],
] as const;

const readableContrast = 4.5;
/** The least contrast of lines and symbols. */
const visibleContrast = 3;
const defaultRadius = 16;
const largestRound = 2;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** Behind the time line, over a bright picture. */
const shade: Rgb = [70, 70, 70];

/** The colours in the pages' style sheet. */
const defaults = {
  light: {
    ground: [238, 240, 245],
    surface: white,
    text: [20, 22, 29],
    accent: [90, 69, 242],
    onAccent: white,
  },
  dark: {
    ground: [11, 12, 16],
    surface: [21, 23, 30],
    text: [243, 244, 248],
    accent: [154, 140, 255],
    onAccent: [16, 12, 46],
  },
} as const;
type Mode = keyof typeof defaults;

/** The relative luminance of WCAG 2. */
function computeLuminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of WCAG 2, 1 to 21. */
export function computeContrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [computeLuminance(one), computeLuminance(other)].toSorted(
    (a, b) => a - b,
  ) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes two colours; `share` is the share of the second one. */
const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((part, at) => Math.round(part + (other[at]! - part) * share)) as unknown as Rgb;

const chooseBlackOrWhite = (ground: Rgb): Rgb =>
  computeContrast(white, ground) >= computeContrast(black, ground) ? white : black;

/** The colour, or the nearest towards black or white that has this contrast on all grounds. */
function makeReadable(colour: Rgb, grounds: readonly Rgb[], least = readableContrast): Rgb {
  const worst = (one: Rgb): number =>
    Math.min(...grounds.map((ground) => computeContrast(one, ground)));
  if (worst(colour) >= least) return colour;
  for (let step = 1; step <= 20; step++) {
    const found = [black, white]
      .map((end) => mix(colour, end, step / 20))
      .find((one) => worst(one) >= least);
    if (found) return found;
  }
  return worst(black) > worst(white) ? black : white;
}

const formatColour = (colour: Rgb): string => `rgb(${colour.join(' ')})`;

/** Where the site gives its own surface, what lies beside it is a little darker. */
function chooseGround(surface: Rgb, text: Rgb): Rgb {
  const ground = mix(surface, black, computeLuminance(surface) > 0.2 ? 0.06 : 0.4);
  return computeContrast(text, ground) >= readableContrast ? ground : surface;
}

type Colours = Readonly<Record<string, Rgb>>;

/** The colours of one mode; those that are not given follow from those that are. */
function chooseColours(mode: Mode, given: Appearance): Colours {
  const usual = defaults[mode];
  const surface = given.surface ?? usual.surface;
  const text = makeReadable(given.text ?? usual.text, [surface]);
  const ground = given.surface ? chooseGround(surface, text) : usual.ground;
  const accent = given.accent ?? usual.accent;
  const usualOnAccent = given.accent ? chooseBlackOrWhite(accent) : usual.onAccent;
  return {
    ...((given.surface || given.text) && {
      '--surface': surface,
      '--ink': text,
      '--ground': ground,
      '--soft': makeReadable(mix(text, surface, 0.32), [surface, ground]),
      '--line': mix(surface, text, 0.14),
      '--edge': makeReadable(mix(surface, text, 0.45), [surface], visibleContrast),
    }),
    ...(given.surface && { '--stage': ground }),
    ...((given.accent || given.onAccent) && {
      '--accent': accent,
      '--on-accent': makeReadable(given.onAccent ?? usualOnAccent, [accent]),
    }),
    ...((given.accent || given.surface) && {
      '--accent-text': makeReadable(accent, [surface, ground]),
    }),
    ...(given.accent && { '--line-played': makeReadable(accent, [shade], visibleContrast) }),
  };
}

function listModes({ surface, scheme }: Appearance): readonly Mode[] {
  if (surface) return [computeLuminance(surface) > 0.18 ? 'light' : 'dark'];
  return scheme === 'light' || scheme === 'dark' ? [scheme] : ['light', 'dark'];
}

/** CSS takes these for names of families only if they are quoted. */
const generic = /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji)$/;

const formatFamilies = (font: readonly string[]): string =>
  font.map((name) => (generic.test(name) ? name : `"${name}"`)).join(', ');

function listMovedColours(given: Appearance, found: Colours): readonly MovedColour[] {
  const pairs = [
    ['text', '--ink', 'surface', '--surface'],
    ['onAccent', '--on-accent', 'accent', '--accent'],
  ] as const;
  return pairs.flatMap(([name, to, groundName, onto]) => {
    const from = given[name];
    const ground = found[onto];
    if (!from || !ground || from.join() === found[to]!.join()) return [];
    const names = { name: `--clip-${name.replace('A', '-a')}`, ground: `--clip-${groundName}` };
    return [
      {
        ...names,
        contrast: computeContrast(from, ground),
        from: formatColour(from),
        to: formatColour(found[to]!),
      },
    ];
  });
}

/** The look of an appearance. Text that could not be read is moved towards black or white. */
export function makeLook(given: Appearance): Look {
  const modes = listModes(given);
  const found = modes.map((mode) => chooseColours(mode, given));
  const [light, dark = light!] = found as [Colours, Colours?];
  const properties = new Map(
    Object.entries(light).map(([name, colour]) => {
      const [one, other] = [formatColour(colour), formatColour(dark[name]!)];
      return [name, one === other ? one : `light-dark(${one}, ${other})`];
    }),
  );
  const scheme = given.surface ? modes[0] : given.scheme;
  if (scheme) properties.set('color-scheme', scheme);
  if (given.font) properties.set('--font', formatFamilies(given.font));
  if (given.radius !== undefined) {
    properties.set('--round', String(Math.min(largestRound, given.radius / defaultRadius)));
  }
  if (given.header) properties.set('--done', given.header);
  const moved = found.flatMap((colours) => listMovedColours(given, colours));
  return { properties, moved };
}
