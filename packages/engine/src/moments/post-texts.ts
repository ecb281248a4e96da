/** What a person writes when posting a clip: made of its own words. */

import type { Span, Transcript } from '../facts.ts';
import { isEnglish } from '../words/english-words.ts';
import { baseLanguage } from '../words/language-code.ts';
import { joinWords } from '../words/word-text.ts';
import { descriptionOf, quotedDescription } from './description.ts';
import { checkedTags, checkedTitle, type Favoured } from './favour.ts';
import { distinctTitles, openingQuote, titlesOf } from './title.ts';
import { maxTags, type TopicFinder, topicFinder } from './topics.ts';
import type { Unit } from './units.ts';

/** The texts of a clip for a post. Plain JSON. */
export interface PostTexts {
  /** At most three that differ, the best first. */
  titles: string[];
  /** Two or three sentences of the clip; null if nothing is said. */
  description: string | null;
  /** At most eight, in small letters, the best first. */
  tags: string[];
}

/** A sentence, or another part of the source with its text. */
type Said = Pick<Unit, 'text' | 'start' | 'end' | 'opensTurn' | 'endLikelihood'>;

/** A clip among the parts of its source. */
interface ClipWords {
  /** All that is said in the source. */
  units: readonly Said[];
  /** The clip is `units[first]` to `units[last]`. */
  first: number;
  last: number;
  /** BCP 47; null if it is not known. */
  language: string | null;
  /** Start of the clip in source seconds. */
  start: number;
  finder: TopicFinder;
  /** What a language model has proposed for the clip. */
  proposed?: Favoured | undefined;
}

/**
 * Makes the texts of a clip.
 * @returns also `title`: the best one that may stand in the picture, or null
 */
export function postTexts({
  units,
  first,
  last,
  language,
  start,
  finder,
  proposed,
}: ClipWords): PostTexts & { title: string | null } {
  const said = units.slice(first, last + 1).filter(({ text }) => text !== '');
  const text = joinWords(said.map((unit) => unit.text));
  const topics = finder.topics(first, last);
  const titles = distinctTitles([
    ...(proposed?.titles ?? []).flatMap((one) => checkedTitle(one, text) ?? []),
    ...titlesOf(said, { language, start, topics }),
  ]);
  const quote = openingQuote(said, language);
  const proposedTags = checkedTags(proposed?.tags ?? [], text, maxTags);
  const { describedBy = [] } = proposed ?? {};
  const isQuoted = (unit: Span) => describedBy.some((span) => isMiddleOf(unit, span));
  return {
    title: titles[0] ?? null,
    titles: distinctTitles([...titles, ...(quote === null ? [] : [quote])]),
    description:
      quotedDescription(said, said.map(isQuoted), { language, topics }) ??
      descriptionOf(said, { language, topics }),
    tags: proposedTags.length > 0 ? proposedTags : finder.tags(first, last),
  };
}

function isMiddleOf({ start, end }: Span, span: Span): boolean {
  const middle = (start + end) / 2;
  return middle >= span.start && middle < span.end;
}

/**
 * The sentences of a transcript, null outside of the span: those that are whole in it, or else the
 * words of one that is not.
 */
function sentencesOf({ sentences, words }: Transcript, span: Span): (Said | null)[] {
  const inside = sentences.map(({ firstWord, lastWord }) =>
    words.slice(firstWord, lastWord + 1).filter((word) => isMiddleOf(word, span)),
  );
  const isWhole = inside.map(
    (held, index) =>
      held.length > 0 && held.length > sentences[index]!.lastWord - sentences[index]!.firstWord,
  );
  const isAnyWhole = isWhole.includes(true);
  return sentences.map(({ text, start, end, firstWord, likelihood }, index) => {
    if (isAnyWhole ? !isWhole[index] : inside[index]!.length === 0) return null;
    return {
      text: isWhole[index] ? text : joinWords(inside[index]!.map((word) => word.text)),
      start,
      end,
      ...(words[firstWord]?.opensTurn && { opensTurn: true }),
      ...(likelihood !== undefined && { endLikelihood: likelihood }),
    };
  });
}

/** The texts of a clip without words. */
export const noTexts: PostTexts & { title?: null } = { titles: [], description: null, tags: [] };

/** Makes the texts of any span of a transcript; null if nothing is said in it. */
export function postTextsWithin(
  transcript: Transcript,
  span: Span,
): ReturnType<typeof postTexts> | null {
  const { language, sentences, words } = transcript;
  const inside = sentencesOf(transcript, span);
  const first = inside.findIndex((sentence) => sentence !== null);
  if (first < 0) return null;
  const last = inside.findLastIndex((sentence) => sentence !== null);
  const units = inside.map((sentence, index) => sentence ?? sentences[index]!);
  const base = isEnglish(words, language) ? 'en' : baseLanguage(language ?? '');
  const finder = topicFinder(units, base);
  return postTexts({ units, first, last, language, start: span.start, finder });
}
