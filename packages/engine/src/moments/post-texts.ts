/** Texts for posting a clip: made of its own words. */

import type { Span, Transcript } from '../facts.ts';
import { isEnglish } from '../words/english-words.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { joinWords } from '../words/word-text.ts';
import { describeClip, describeByChosen } from './description.ts';
import { checkTags, checkTitle, type Favoured } from './favour.ts';
import { keepDistinct, quoteBestLine, makeTitles } from './title.ts';
import { maxTags, type TopicFinder, createTopicFinder } from './topics.ts';
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
  /** The proposals of a language model for the clip. */
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
  const titles = keepDistinct([
    ...(proposed?.titles ?? []).flatMap((one) => checkTitle(one, text) ?? []),
    ...makeTitles(said, { language, start, topics }),
  ]);
  const quote = quoteBestLine(said, { language, topics });
  const proposedTags = checkTags(proposed?.tags ?? [], text, maxTags);
  const { describedBy = [] } = proposed ?? {};
  const isQuoted = (unit: Span) => describedBy.some((span) => hasMiddleIn(unit, span));
  return {
    title: titles[0] ?? null,
    titles: keepDistinct([...titles, ...(quote === null ? [] : [quote])]),
    description:
      describeByChosen(said, said.map(isQuoted), { language, topics }) ??
      describeClip(said, { language, topics }),
    tags: proposedTags.length > 0 ? proposedTags : finder.tags(first, last),
  };
}

function hasMiddleIn({ start, end }: Span, span: Span): boolean {
  const middle = (start + end) / 2;
  return middle >= span.start && middle < span.end;
}

/**
 * The sentences of a transcript, null outside of the span: those that are whole in it, or else the
 * words of one that is not.
 */
function listSentences({ sentences, words }: Transcript, span: Span): (Said | null)[] {
  const inside = sentences.map(({ firstWord, lastWord }) =>
    words.slice(firstWord, lastWord + 1).filter((word) => hasMiddleIn(word, span)),
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
  const inside = listSentences(transcript, span);
  const first = inside.findIndex((sentence) => sentence !== null);
  if (first < 0) return null;
  const last = inside.findLastIndex((sentence) => sentence !== null);
  const units = inside.map((sentence, index) => sentence ?? sentences[index]!);
  const base = isEnglish(words, language) ? 'en' : getBaseLanguage(language ?? '');
  const finder = createTopicFinder(units, base);
  return postTexts({ units, first, last, language, start: span.start, finder });
}
