import type { Sentence } from '../../facts.ts';
import type { RankingWish } from './ranking-prompt.ts';

/** A range of sentence ids, both included, and what the model proposes to write about it. */
export interface Pick {
  first: number;
  last: number;
  title?: string;
  explanation?: string;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

function picksIn(value: unknown): Pick[] | null {
  const clips = Array.isArray(value) ? value : (value as { clips?: unknown } | null)?.clips;
  if (!Array.isArray(clips)) return null;
  return clips.flatMap((clip: unknown) => {
    const { first, last, title, explanation } = (clip ?? {}) as Record<string, unknown>;
    if (!isId(first) || !isId(last)) return [];
    return [
      {
        first,
        last,
        ...(typeof title === 'string' && { title }),
        ...(typeof explanation === 'string' && { explanation }),
      },
    ];
  });
}

/** Only this many characters of an answer are read. */
const maxAnswerCharacters = 100_000;

/** Removes the text between `<think>` and `</think>`. */
const withoutThoughts = (text: string): string =>
  text
    .split(/<\/think>/i)
    .map((part, index, all) => {
      const from = index < all.length - 1 ? part.search(/<think>/i) : -1;
      return from < 0 ? part : part.slice(0, from);
    })
    .join('');

/**
 * Reads the ids from a model's answer: JSON, JSON inside other text, or complete pairs in broken
 * JSON. Texts are as the model wrote them.
 * @returns null if there is no answer in it
 */
export function readPicks(written: string): Pick[] | null {
  const text = withoutThoughts(written.slice(0, maxAnswerCharacters));
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const from = text.indexOf(open);
    const to = text.lastIndexOf(close);
    if (from < 0 || to <= from) continue;
    try {
      const picks = picksIn(JSON.parse(text.slice(from, to + 1)));
      if (picks) return picks;
    } catch {
      // Broken JSON may still contain complete pairs.
    }
  }
  const pair =
    /["']?first["']?\s*[:=]\s*["']?(\d{1,6})["']?\s*,\s*["']?last["']?\s*[:=]\s*["']?(\d{1,6})/gi;
  const picks = [...text.matchAll(pair)].map(([, first, last]) => ({
    first: Number(first),
    last: Number(last),
  }));
  return picks.length > 0 ? picks : null;
}

/**
 * The valid picks, in order: known ids, a length within the limits, no sentence that a better pick
 * already has, and not more than requested.
 */
export function checkedPicks(
  picks: readonly Pick[],
  shown: { firstId: number; sentences: readonly Sentence[] },
  wish: RankingWish,
): Pick[] {
  const valid: Pick[] = [];
  for (const pick of picks) {
    const { first, last } = pick;
    const start = shown.sentences[first - shown.firstId]?.start;
    const end = shown.sentences[last - shown.firstId]?.end;
    if (start === undefined || end === undefined || last < first) continue;
    if (end - start < wish.min || end - start > wish.max) continue;
    if (valid.some((other) => first <= other.last && last >= other.first)) continue;
    valid.push(pick);
    if (valid.length >= wish.count) break;
  }
  return valid;
}
