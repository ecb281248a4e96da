import { run } from '../program/ffmpeg-process.ts';
import type { Edit } from '../edit.ts';
import type { Style } from '../style/style.ts';

/** Ranges of code points, both ends included. */
export type LetterRanges = readonly (readonly [number, number])[];

/** Reads the code points of all fonts from `fc-list : charset`: hexadecimal numbers and ranges. */
export function readLetterRanges(list: string): LetterRanges {
  const ranges = new Map<string, readonly [number, number]>();
  for (const [text, first, last] of list.matchAll(/\b([0-9a-f]{1,6})(?:-([0-9a-f]{1,6}))?\b/g)) {
    ranges.set(text, [parseInt(first!, 16), parseInt(last ?? first!, 16)]);
  }
  return [...ranges.values()];
}

/**
 * The letters of an edit's captions and title that no font has, without duplicates, at most twenty.
 */
export function findMissingLetters(edit: Edit, ranges: LetterRanges): string[] {
  const words = edit.captions.flatMap((line) => line.words.map(({ text }) => text));
  const letters = new Set([...words, edit.title?.text ?? ''].join(''));
  const missing = [...letters].filter((letter) => {
    const point = letter.codePointAt(0)!;
    return (
      /[\p{L}\p{N}]/u.test(letter) && !ranges.some(([from, to]) => point >= from && point <= to)
    );
  });
  return missing.slice(0, 20);
}

/** The fonts of a machine: their family names in lower case, and their letters. */
export interface InstalledFonts {
  families: ReadonlySet<string>;
  letters: LetterRanges;
}

/**
 * Reads the output of `fc-list : family charset`, one font per line: `Noto Sans,Noto Sans
 * Light:charset=20-7e a0`.
 */
export function readFontList(list: string): InstalledFonts {
  const lines = list.split('\n').map((line) => line.split(':charset='));
  return {
    families: new Set(
      lines.flatMap(([names = '']) => names.split(',').map((name) => name.trim().toLowerCase())),
    ),
    letters: readLetterRanges(lines.map(([, charset = '']) => charset).join('\n')),
  };
}

/** The fonts of a style that are not installed. Fontconfig chooses other fonts for them. */
export const findMissingFonts = (
  { captions, title }: Style,
  { families }: InstalledFonts,
): string[] =>
  [...new Set([captions.font, title.font])].filter((name) => !families.has(name.toLowerCase()));

/** Lists the installed fonts; null if fontconfig's `fc-list` fails or is missing. */
export async function listInstalledFonts(
  signal: AbortSignal,
  program = 'fc-list',
): Promise<InstalledFonts | null> {
  try {
    const { stdout } = await run(program, [':', 'family', 'charset'], {
      signal,
      deadlineSeconds: 30,
    });
    return readFontList(stdout);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
