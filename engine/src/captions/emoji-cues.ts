import { emojiOf } from './emoji-choice.ts';
import { looksEnglish } from '../words/english-words.ts';
import type { CaptionLine, EmojiCue } from '../edit.ts';

/** Seconds in which the same emoji is not shown twice. */
const rest = 8;
/** Shortest time in seconds for which one is shown. */
const shortest = 0.5;

/**
 * At most one emoji a caption line: the one of its first word that has one, from that word to the line's end. Words in a language
 * that is not known have emoji where they look English, and none otherwise.
 */
export function emojiCues(lines: readonly CaptionLine[], language: string | null): EmojiCue[] {
  const told = language ?? (looksEnglish(lines.flatMap(({ words }) => words)) ? 'en' : null);
  if (told === null) return [];
  const cues: EmojiCue[] = [];
  const lastShown = new Map<string, number>();
  for (const line of lines) {
    for (const word of line.words) {
      const emoji = emojiOf(word.text, told);
      if (!emoji || word.start - (lastShown.get(emoji) ?? -Infinity) < rest) continue;
      const start = Math.max(line.start, Math.min(word.start, line.end - shortest));
      cues.push({ emoji, start, end: line.end });
      lastShown.set(emoji, line.end);
      break;
    }
  }
  return cues;
}
