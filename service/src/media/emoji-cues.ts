import type { CaptionLine, EmojiCue } from './plan.ts';

/** At most one emoji a caption line, in output time. */
export function emojiCues(_lines: readonly CaptionLine[]): EmojiCue[] {
  return [];
}
