import { hookStrength } from './word-features.ts';

/** Longest title in characters. */
const longest = 56;

const capitalised = (text: string): string =>
  text.replace(/^\P{L}*\p{L}/u, (start) => start.toLocaleUpperCase());

/** Cuts a sentence at the end of a clause or of a word, so that it fits. */
function shortened(text: string): string {
  if (text.length <= longest) return text;
  const head = text.slice(0, longest + 1);
  const clause = Math.max(head.lastIndexOf(', '), head.lastIndexOf('; '), head.lastIndexOf(': '));
  // A question cut short is one no more: the dots say that it goes on.
  if (clause >= 18) return head.slice(0, clause) + (text.endsWith('?') ? '…' : '');
  const word = head.lastIndexOf(' ');
  const kept = word > 0 ? head.slice(0, word) : text.slice(0, longest);
  // No title ends on a word that leans on the next one.
  return `${kept.replace(/(?:[\s,]+(?:a|an|the|of|to|in|on|at|and|or|but|for|with|is|are|that|so))+$/i, '')}…`;
}

/** A text as a title: one line's worth of it, no full stop. Empty where nothing is left. */
export const fitTitle = (text: string): string =>
  capitalised(shortened(text.trim()).replace(/^["“(]+|["”)]+$/g, '')).replace(/[.,;:]+$/u, '');

/** A title of a clip's own words: the sentence that hooks most, earlier ones first; null where there are none. */
export function titleOf(sentences: readonly { text: string }[]): string | null {
  let best: { text: string; worth: number } | null = null;
  sentences.slice(0, 8).forEach(({ text }, index) => {
    const words = text.split(/\s+/).length;
    const fits = text.length <= longest ? 0.25 : 0;
    const bare = words < 3 && text.length < 12 ? 0.6 : 0;
    const worth = hookStrength(text) + fits - bare - index * 0.08;
    if (!best || worth > best.worth) best = { text, worth };
  });
  const chosen = (best as { text: string } | null)?.text;
  if (!chosen) return null;
  return fitTitle(chosen) || null;
}
