import { getBaseLanguage } from './language-code.ts';
import type { LinedCue } from './subtitle-marks.ts';

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Hangul'];
const patterns = [
  ...scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'gu')] as const),
  ['Han', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu] as const,
];

/** The script of most letters of a line; null without letters. */
function findScript(line: string): string | null {
  let most = 0;
  let found: string | null = null;
  for (const [script, pattern] of patterns) {
    const count = line.match(pattern)?.length ?? 0;
    if (count > most) [most, found] = [count, script];
  }
  return found;
}

/** The minimum number of cues for a statement about a file. */
const minCues = 3;
/** The share of cues that must be in two languages. */
const minShare = 0.6;
/** The number of letters that are read to detect a language. */
const maxLetters = 10_000;

/**
 * Keeps the lines of one language where each cue says the same in two: in two scripts, or its
 * halves in two languages.
 * @param wanted BCP 47: the language to keep; that of the first lines if it is neither
 */
export async function keepLanguage(
  cues: readonly LinedCue[],
  wanted?: string | null,
): Promise<LinedCue[]> {
  const several = cues.filter(({ lines }) => lines.length > 1);
  if (several.length < minCues || several.length < cues.length * minShare) return [...cues];
  const pairs = several.map(({ lines }) => {
    const first = findScript(lines[0]!);
    const other = lines.map(findScript).find((script) => script && script !== first);
    return first && other ? `${first} ${other}` : '';
  });
  const mixed = pairs.filter(Boolean);
  if (mixed.length >= several.length * 0.8) {
    const [first = '', second = ''] = mixed.toSorted()[mixed.length >> 1]!.split(' ');
    const { isWanted } = await findLanguages(
      [first, second].map((script) =>
        several.flatMap(({ lines }) => lines.filter((line) => findScript(line) === script)),
      ),
      wanted,
    );
    const kept = isWanted[1] && !isWanted[0] ? second : first;
    return cues.map((cue) => {
      const lines = cue.lines.filter((line) => (findScript(line) ?? kept) === kept);
      return { ...cue, lines: lines.length > 0 ? lines : cue.lines };
    });
  }
  // The second line of a sentence begins with a small letter, a translation as the first line does.
  const even = several.filter(({ lines }) => lines.length % 2 === 0);
  const alike = even.filter(({ lines }) => {
    const isUpper = (line: string): boolean => /^\P{L}*\p{Lu}/u.test(line);
    return isUpper(lines[0]!) === isUpper(lines[lines.length / 2]!);
  });
  if (alike.length < cues.length * minShare) return [...cues];
  const half = (lines: readonly string[], number: number): string[] =>
    lines.slice((number * lines.length) / 2, ((number + 1) * lines.length) / 2);
  const halves = [0, 1].map((number) => even.flatMap(({ lines }) => half(lines, number)));
  const { found, isWanted } = await findLanguages(halves, wanted);
  if (!found[0] || !found[1] || found[0] === found[1]) return [...cues];
  const kept = isWanted[1] && !isWanted[0] ? 1 : 0;
  return cues.map((cue) =>
    cue.lines.length % 2 === 0 ? { ...cue, lines: half(cue.lines, kept) } : cue,
  );
}

/** The languages of two texts that are sure, and which of them is wanted. */
async function findLanguages(texts: readonly string[][], wanted: string | null | undefined) {
  // Loaded where it is needed: its tables take a second and 80 MB.
  const { eld } = await import('eld/extrasmall');
  const found = texts.map((lines) => {
    const result = eld.detect(lines.join(' ').slice(0, maxLetters));
    return result.isReliable() ? result.language : null;
  });
  const base = wanted ? getBaseLanguage(wanted) : null;
  return { found, isWanted: found.map((language) => language !== null && language === base) };
}
