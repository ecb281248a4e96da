import type { Edit } from '../edit.ts';
import { run } from '../program/ffmpeg-process.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { makeFontSubsets } from './font-file.ts';
import { readLetterRanges, type LetterRanges } from './letters.ts';

/** The fonts of an edit for another renderer than this machine's. */
export interface CaptionFonts {
  /** Font files with the letters of the edit, and those that a person is likely to type. */
  files: Uint8Array<ArrayBuffer>[];
  /** The family of letters that the style's own fonts do not have. */
  fallback: string;
}

/** A font that is not installed, such as one of an organization. */
export interface OwnFont {
  family: string;
  weight: 'regular' | 'bold';
  path: string;
}

/** A font of this machine. */
interface Found {
  path: string;
  /** The index in a file of many fonts. */
  index: number;
  family: string;
  letters: LetterRanges;
}

/** Code points that are always there: Latin with its accents, and the marks of most texts. */
const usual: LetterRanges = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2010, 0x2026],
  [0x2060, 0x2060],
];

function has(ranges: LetterRanges, letter: string): boolean {
  const point = letter.codePointAt(0)!;
  return ranges.some(([from, to]) => point >= from && point <= to);
}

const format = '%{file}\t%{index}\t%{family[0]}\t%{charset}\n';

/** The best font for a pattern; with `-s`, those after it, too. */
const matchFonts = (
  pattern: string,
  signal: AbortSignal,
  options: readonly string[] = [],
): Promise<Found[]> => listFonts('fc-match', [...options, '-f', format, pattern], signal);

async function listFonts(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Found[]> {
  const { stdout } = await run(program, [...args], { signal, deadlineSeconds: 30 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [path = '', index = '0', family = '', charset = ''] = line.split('\t');
      return { path, index: Number(index), family, letters: readLetterRanges(charset) };
    });
}

/** A name as fontconfig's patterns need it. */
const makeFontPattern = (family: string, weight: 'regular' | 'bold'): string =>
  `${family.replace(/[-:,\\]/g, String.raw`\$&`)}:weight=${weight}:outline=true`;

/** The own font of a style: that of its weight if there are several of its family. */
function findOwnFont(
  { font, weight }: Pick<Style['title'], 'font' | 'weight'>,
  own: readonly OwnFont[],
): OwnFont | undefined {
  const family = own.filter((one) => one.family.toLowerCase() === font.toLowerCase());
  return family.find((one) => one.weight === weight) ?? family[0];
}

/**
 * The family in which libass finds the first letter that none of the fonts has; null if they have
 * all.
 */
async function findFallbackFamily(
  letters: ReadonlySet<string>,
  own: readonly Found[],
  signal: AbortSignal,
): Promise<string | null> {
  const missing = [...letters].find(
    (letter) =>
      !/[\s\p{C}\p{Extended_Pictographic}]/u.test(letter) &&
      !own.some((font) => has(font.letters, letter)),
  );
  if (missing === undefined) return null;
  // In the order of libass, which names no language.
  const others = await matchFonts('sans-serif:outline=true:lang=und', signal, ['-s']);
  return others.find((font) => has(font.letters, missing))?.family ?? null;
}

/** The letters of an edit's text, as they are and as capitals, and the usual ones. */
function collectLetters({ captions, title, language }: Edit): Set<string> {
  const words = captions.flatMap((line) => line.words.map(({ text }) => text));
  const text = [...words, title?.text ?? ''].join('');
  const letters = new Set(text + text.toLocaleUpperCase(language));
  for (const [first, last] of usual) {
    for (let point = first; point <= last; point++) letters.add(String.fromCodePoint(point));
  }
  return letters;
}

/** Texts whose fonts stay in memory: some 100 kB each, with Chinese letters up to a few MB. */
const maxCached = 32;
const cached = new Map<string, Promise<CaptionFonts>>();

/**
 * Returns the fonts for captions and title of an edit, cut down to their letters. Letters that the
 * style's fonts lack come from one family: the first letter's. The last 32 results are cached by
 * fonts and letters, and concurrent callers share one.
 * @param own fonts that are not installed; they come before those that are
 * @param signal of the process: aborting it also fails the callers that share the work
 * @throws {@link ProcessError} without fontconfig, or the signal's reason
 */
export function captionFonts(
  edit: Edit,
  signal: AbortSignal,
  own: readonly OwnFont[] = [],
): Promise<CaptionFonts> {
  const { captions, title } = edit.style ?? defaultStyle;
  const styles = [captions, title].map(({ font, weight }) => ({ font, weight }));
  const letters = collectLetters(edit);
  const key = JSON.stringify([styles, [...letters].sort().join(''), own]);
  const made = cached.get(key) ?? makeFonts(styles, letters, own, signal);
  // The last one used is the last to be removed.
  cached.delete(key);
  cached.set(key, made);
  made.catch(() => cached.get(key) === made && cached.delete(key));
  if (cached.size > maxCached) cached.delete(cached.keys().next().value!);
  return made;
}

async function makeFonts(
  styles: readonly Pick<Style['title'], 'font' | 'weight'>[],
  letters: ReadonlySet<string>,
  uploaded: readonly OwnFont[],
  signal: AbortSignal,
): Promise<CaptionFonts> {
  const find = (family: (style: { font: string }) => string) =>
    Promise.all(
      styles.map((style) => matchFonts(makeFontPattern(family(style), style.weight), signal)),
    ).then((found) => found.flat());
  const own = await Promise.all(
    styles.map((style) => {
      const known = findOwnFont(style, uploaded);
      return known
        ? listFonts('fc-query', ['-f', format, known.path], signal)
        : matchFonts(makeFontPattern(style.font, style.weight), signal);
    }),
  ).then((found) => found.flat());
  const fallback = await findFallbackFamily(letters, own, signal);
  const more = fallback === null ? [] : await find(() => fallback);
  const files = new Map([...own, ...more].map((font) => [`${font.path}#${font.index}`, font]));
  return {
    files: await makeFontSubsets([...files.values()], letters, signal),
    fallback: fallback ?? own[0]?.family ?? 'sans-serif',
  };
}
