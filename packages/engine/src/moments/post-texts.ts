/** Texts for posting a clip: made of its own words. */

import type { Span, Transcript } from '../facts.ts';
import { isEnglish } from '../words/english-words.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { joinWords } from '../words/word-text.ts';
import { describeClip, describeByChosen } from './description.ts';
import { checkTags, checkTitle, type Favoured } from './favour.ts';
import { keepDistinct, quoteBestLine, makeTitles } from './title.ts';
import { maxTags, type TopicFinder, createTopicFinder } from './topics.ts';
import { type SpeakerTurns, findSpeakerTurns } from './speaker-turns.ts';
import { makeSentenceUnit, makeTextUnit, type Unit } from './units.ts';

/** The texts of a clip for a post. Plain JSON. */
export interface PostTexts {
  /** At most three that differ, the best first. */
  titles: string[];
  /** Two or three sentences of the clip; null if nothing is said. */
  description: string | null;
  /** At most eight, in small letters, the best first. */
  tags: string[];
}

/** A clip among the parts of its source. */
interface ClipWords {
  /** All that is said in the source. */
  units: readonly Unit[];
  /** The clip is `units[first]` to `units[last]`. */
  first: number;
  last: number;
  /** BCP 47; null if it is not known. */
  language: string | null;
  /** Start of the clip in source seconds. */
  start: number;
  finder: TopicFinder;
  turns: SpeakerTurns;
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
  turns,
  proposed,
}: ClipWords): PostTexts & { title: string | null } {
  const said = units
    .slice(first, last + 1)
    .map((unit, index) => ({ ...unit, opens: turns.opens(first + index) }))
    .filter(({ text }) => text !== '');
  const text = joinWords(said.map((unit) => unit.text));
  const topics = finder.topics(first, last);
  const ownTags = finder.tags(first, last);
  const described = { language, topics: [...topics, ...ownTags] };
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
      describeByChosen(said, said.map(isQuoted), described) ?? describeClip(said, described),
    tags: proposedTags.length > 0 ? proposedTags : ownTags,
  };
}

function hasMiddleIn({ start, end }: Span, span: Span): boolean {
  const middle = (start + end) / 2;
  return middle >= span.start && middle < span.end;
}

/**
 * Lists the sentences of a transcript, and whether each is in the span. Those that are whole in it
 * count; if none is, the words of those that are not.
 */
function listSentences(transcript: Transcript, span: Span): { unit: Unit; isInside: boolean }[] {
  const sentences = transcript.sentences.map((sentence) => {
    const words = transcript.words.slice(sentence.firstWord, sentence.lastWord + 1);
    const inside = words.filter((word) => hasMiddleIn(word, span));
    const isWhole = inside.length > 0 && inside.length === words.length;
    return { unit: makeSentenceUnit(transcript, sentence), inside, isWhole };
  });
  const isAnyWhole = sentences.some(({ isWhole }) => isWhole);
  return sentences.map(({ unit, inside, isWhole }) =>
    isAnyWhole || inside.length === 0
      ? { unit, isInside: isWhole }
      : { unit: makeTextUnit(inside), isInside: true },
  );
}

/** The texts of a clip without words. */
export const noTexts: PostTexts & { title?: null } = { titles: [], description: null, tags: [] };

/** Makes the texts of any span of a transcript; null if nothing is said in it. */
export function postTextsWithin(
  transcript: Transcript,
  span: Span,
): ReturnType<typeof postTexts> | null {
  const { language, words } = transcript;
  const sentences = listSentences(transcript, span);
  const first = sentences.findIndex(({ isInside }) => isInside);
  if (first < 0) return null;
  const last = sentences.findLastIndex(({ isInside }) => isInside);
  const units = sentences.map(({ unit }) => unit);
  const base = isEnglish(words, language) ? 'en' : getBaseLanguage(language ?? '');
  const finder = createTopicFinder(units, base);
  const turns = findSpeakerTurns(units, {
    language: base,
    turnsHeard: transcript.turnsHeard ?? false,
    minWords: 1,
  });
  return postTexts({ units, first, last, language, start: span.start, finder, turns });
}
