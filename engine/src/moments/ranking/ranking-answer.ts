import type { Sentence } from '../../facts.ts';
import type { RankingWish } from './ranking-prompt.ts';

/** A run of sentences by their ids, both included. */
export interface Pick {
  first: number;
  last: number;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

function picksIn(value: unknown): Pick[] | null {
  const clips = Array.isArray(value) ? value : (value as { clips?: unknown } | null)?.clips;
  if (!Array.isArray(clips)) return null;
  return clips.flatMap((clip: unknown) => {
    const { first, last } = (clip ?? {}) as { first?: unknown; last?: unknown };
    return isId(first) && isId(last) ? [{ first, last }] : [];
  });
}

/** Longest answer that is looked at, in characters. */
const longestAnswer = 100_000;

/** A text without what stands between `<think>` and `</think>`. */
const withoutThoughts = (text: string): string =>
  text
    .split(/<\/think>/i)
    .map((part, index, all) => {
      const from = index < all.length - 1 ? part.search(/<think>/i) : -1;
      return from < 0 ? part : part.slice(0, from);
    })
    .join('');

/**
 * Reads the ids out of what a model wrote: JSON, JSON with text around it (fences, thoughts), or JSON that is broken or
 * cut off, of which the whole pairs count. Null where there is no answer in it. Nothing but integers is ever taken.
 */
export function readPicks(written: string): Pick[] | null {
  const text = withoutThoughts(written.slice(0, longestAnswer));
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
      // Broken: its pairs may still be whole.
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
 * The picks that may be used, in their order: ids that were shown, in order, of a length within the limits, none that
 * shares a sentence with a better one, no more than were asked for.
 */
export function checkedPicks(
  picks: readonly Pick[],
  shown: { firstId: number; sentences: readonly Sentence[] },
  wish: RankingWish,
): Pick[] {
  const good: Pick[] = [];
  for (const { first, last } of picks) {
    const start = shown.sentences[first - shown.firstId]?.start;
    const end = shown.sentences[last - shown.firstId]?.end;
    if (start === undefined || end === undefined || last < first) continue;
    if (end - start < wish.min || end - start > wish.max) continue;
    if (good.some((other) => first <= other.last && last >= other.first)) continue;
    good.push({ first, last });
    if (good.length >= wish.count) break;
  }
  return good;
}
