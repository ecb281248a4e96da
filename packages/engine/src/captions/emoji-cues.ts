import { emojiOf } from './emoji-choice.ts';
import { looksEnglish } from '../words/english-words.ts';
import type { CaptionLine, EmojiCue } from '../edit.ts';

/** The same emoji is not shown again within this time. */
const emojiRestSeconds = 8;
/** An emoji is shown for at least this long. */
const minEmojiSeconds = 0.5;

/**
 * At most one emoji per caption line: the emoji of its first word that has one, from that word to
 * the end of the line. If the language is not known, only words that look English get emoji.
 */
export function emojiCues(lines: readonly CaptionLine[], language: string | null): EmojiCue[] {
  const knownLanguage =
    language ?? (looksEnglish(lines.flatMap(({ words }) => words)) ? 'en' : null);
  if (knownLanguage === null) return [];
  const cues: EmojiCue[] = [];
  const lastShown = new Map<string, number>();
  for (const line of lines) {
    for (const word of line.words) {
      const emoji = emojiOf(word.text, knownLanguage);
      if (!emoji || word.start - (lastShown.get(emoji) ?? -Infinity) < emojiRestSeconds) continue;
      const start = Math.max(line.start, Math.min(word.start, line.end - minEmojiSeconds));
      cues.push({ emoji, start, end: line.end });
      lastShown.set(emoji, line.end);
      break;
    }
  }
  return cues;
}
