import { run } from './ffmpeg-process.ts';
import type { Plan } from './plan.ts';

/** Inclusive stretches of code points. */
export type LetterRanges = readonly (readonly [number, number])[];

/** The code points in `fc-list : charset`: hexadecimal ones and stretches of them, of all fonts. */
export function letterRanges(list: string): LetterRanges {
  const ranges = new Map<string, readonly [number, number]>();
  for (const [text, first, last] of list.matchAll(/\b([0-9a-f]{1,6})(?:-([0-9a-f]{1,6}))?\b/g)) {
    ranges.set(text, [parseInt(first!, 16), parseInt(last ?? first!, 16)]);
  }
  return [...ranges.values()];
}

/** The letters of a plan's captions and title that no font has, each once, at most twenty. */
export function missingLetters(plan: Plan, ranges: LetterRanges): string[] {
  const words = plan.captions.flatMap((line) => line.words.map(({ text }) => text));
  const letters = new Set([...words, plan.title?.text ?? ''].join(''));
  const missing = [...letters].filter((letter) => {
    const point = letter.codePointAt(0)!;
    return (
      /[\p{L}\p{N}]/u.test(letter) && !ranges.some(([from, to]) => point >= from && point <= to)
    );
  });
  return missing.slice(0, 20);
}

/** What the installed fonts have; null where fontconfig's `fc-list` is not there to say it. */
export async function installedLetters(
  signal: AbortSignal,
  program = 'fc-list',
): Promise<LetterRanges | null> {
  try {
    const { stdout } = await run(program, [':', 'charset'], { signal, deadline: 30 });
    return letterRanges(stdout);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
