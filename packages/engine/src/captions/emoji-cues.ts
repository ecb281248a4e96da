import { loadEmojiNames } from '#emoji-data';
import type { CaptionLine, EmojiCue } from '../edit.ts';
import { isMostlyEnglish } from '../words/english-words.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import emojiWords from './emoji-words.json' with { type: 'json' };

/** The same emoji is not shown again within this time. */
const emojiRestSeconds = 8;
/** An emoji is shown for at least this long. */
const minEmojiSeconds = 0.5;

/**
 * At most one emoji per caption line: the emoji of its first word that has one, from that word to
 * the end of the line. If the language is not known, only words that look English get emoji.
 */
export function findEmojiCues(lines: readonly CaptionLine[], language: string | null): EmojiCue[] {
  const knownLanguage =
    language ?? (isMostlyEnglish(lines.flatMap(({ words }) => words)) ? 'en' : null);
  if (knownLanguage === null) return [];
  const cues: EmojiCue[] = [];
  const lastShown = new Map<string, number>();
  for (const line of lines) {
    for (const word of line.words) {
      const emoji = findEmoji(word.text, knownLanguage);
      if (!emoji || word.start - (lastShown.get(emoji) ?? -Infinity) < emojiRestSeconds) continue;
      const start = Math.max(line.start, Math.min(word.start, line.end - minEmojiSeconds));
      cues.push({ emoji, start, end: line.end });
      lastShown.set(emoji, line.end);
      break;
    }
  }
  return cues;
}

/**
 * By language, words and their one emoji: common words with one meaning. Ambiguous words are
 * omitted on purpose: no emoji is better than a silly one. German nouns keep their capital.
 */
const curatedEmoji: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(emojiWords).map(([language, groups]) => [
    language,
    new Map(
      Object.entries(groups).flatMap(([emoji, words]) =>
        words.split(' ').map((word) => [word, emoji] as const),
      ),
    ),
  ]),
);

/** Endings that a word can have after its name: simple plurals and similar forms. */
const endings: Readonly<Record<string, readonly RegExp[]>> = {
  en: [/s$/, /es$/, /ing$/],
  de: [/n$/, /e$/, /en$/, /s$/],
  fr: [/s$/, /x$/],
  es: [/s$/, /es$/],
  pt: [/s$/, /es$/],
};

/** Longer words are not looked up. */
const maxWordCharacters = 200;

/**
 * The emoji for a word of a caption: from the curated list of its language, otherwise from the
 * emoji names in that language, or null.
 */
export function findEmoji(word: string, language: string): string | null {
  if (word.length > maxWordCharacters) return null;
  const base = getBaseLanguage(language);
  const plain = word.normalize('NFC').replace(/^[^\p{L}]+|(?<=[\p{L}\p{M}])[^\p{L}\p{M}]+$/gu, '');
  if (!plain) return null;
  const small = plain.toLocaleLowerCase(base);
  // In German only nouns have a capital. In other languages capitals do not matter here.
  const forms = base === 'de' ? [plain] : [small];
  // A short word in capitals is a name (`WHO`, `US`).
  if (plain.length < 5 && plain === plain.toUpperCase() && plain !== small) return null;
  const names = loadEmojiNames(language);
  const stems = [...forms, ...forms.flatMap((form) => listStems(form, base))];
  for (const stem of stems) {
    const emoji = curatedEmoji.get(base)?.get(stem);
    if (emoji) return emoji;
  }
  for (const stem of stems) {
    const emoji = names.get(stem);
    if (emoji) return emoji;
  }
  return null;
}

const listStems = (form: string, language: string): string[] =>
  (endings[language] ?? []).flatMap((ending) => {
    const stem = form.replace(ending, '');
    return stem !== form && stem.length >= 3 ? [stem] : [];
  });
