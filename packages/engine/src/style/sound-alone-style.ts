import { defaultStyle, type Style } from './style.ts';

/** Captions are this much larger where there is no video to look at. */
const largerBy = 1.3;
/** The largest size of captions, as in a style. */
const maxSize = 0.14;

/**
 * The style for sound alone: captions are large, in the middle or, if there is a cover, below it.
 */
export function makeSoundAloneStyle(style: Style = defaultStyle, shown: 'cover' | 'wave'): Style {
  const { size, position } = style.captions;
  const inMiddle = position === 'lower' ? 'middle' : position;
  return {
    ...style,
    captions: {
      ...style.captions,
      size: Math.max(size, Math.min(maxSize, size * largerBy)),
      position: shown === 'cover' ? 'lower' : inMiddle,
    },
  };
}

type Colour = readonly [red: number, green: number, blue: number];

/** The parts of a colour, 0 to 255. */
export function parseColour(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function measureLightness(colour: string): number {
  const [red, green, blue] = parseColour(colour);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** The first colour with a share of the second. */
function mixColours(one: string, other: string, share: number): string {
  const second = parseColour(other);
  const bytes = parseColour(one).map((value, at) =>
    Math.round(value + (second[at]! - value) * share),
  );
  return `#${bytes.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const isDark = (colour: string): boolean => measureLightness(colour) < 0.4;

/**
 * The colours of a picture without cover: that of the spoken word for the wave, and a trace of it
 * in the ground, which is light under dark letters. Letters that a box does not carry have to be
 * seen on it.
 */
export function chooseWaveColours({ captions, title }: Style = defaultStyle): {
  ground: string;
  wave: string;
} {
  const isLight = isDark(captions.colour) && (title.box !== null || isDark(title.colour));
  const accent = captions.spoken.mark === 'none' ? captions.colour : captions.spoken.colour;
  const ground = isLight
    ? mixColours('#f4f2ee', accent, 0.07)
    : mixColours('#101216', accent, 0.12);
  const isSeen = Math.abs(measureLightness(accent) - measureLightness(ground)) > 0.12;
  return { ground, wave: isSeen ? accent : isLight ? '#16181c' : '#ffffff' };
}
