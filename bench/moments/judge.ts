import type { Span } from '../../packages/engine/src/facts.ts';
import { dice, type Conversation } from './conversation.ts';

/** Laughter this long after a clip is about the clip. */
const afterSeconds = 5;
const draws = 400;

const leaning =
  /^(?:so|and|but|or|because|then|also|it|it's|that|that's|this|they|he|she|exactly|yeah|yes|no|right|okay|ok|well|which|those|these|plus|anyway|same|totally|absolutely|sure)\b/i;
const pronoun = /^(?:he|she|it|they|this|that|these|those|there|him|her|them)\b/i;
const question = /[?]["”’)]*$/;

const caught = (laughs: readonly number[], clips: readonly Span[]): number =>
  laughs.filter((at) => clips.some(({ start, end }) => at >= start && at <= end + afterSeconds))
    .length;

/** Laughs that as many clips of the same lengths catch at random places, on sentence edges. */
function guess(of: Conversation, picks: readonly Span[], random: () => number): number {
  const { sentences } = of;
  let sum = 0;
  for (let draw = 0; draw < draws; draw++) {
    const laid: Span[] = [];
    for (const pick of picks) {
      for (let attempt = 0; attempt < 50; attempt++) {
        const { start } = sentences[Math.floor(random() * sentences.length)]!;
        const clip = { start, end: start + pick.end - pick.start };
        if (clip.end > of.analysis.duration) continue;
        if (laid.some((other) => other.start < clip.end && other.end > clip.start)) continue;
        laid.push(clip);
        break;
      }
    }
    sum += caught(of.laughs, laid);
  }
  return sum / draws;
}

/**
 * Picks the windows of a conversation that have the most sentences. Laughter follows banter, so
 * they catch laughs, and say little: a choice is no better because it catches as many.
 */
export function pickBusiest(
  { sentences, analysis }: Conversation,
  { count, seconds }: { count: number; seconds: number },
): Span[] {
  const windows = sentences
    .map(({ start }, first) => {
      const after = sentences.findIndex((one) => one.end > start + seconds);
      return { start, end: start + seconds, sentences: after - first };
    })
    .filter(({ end, sentences: number }) => end <= analysis.duration && number > 0)
    .toSorted((a, b) => b.sentences - a.sentences);
  const chosen: Span[] = [];
  for (const one of windows) {
    const isFree = chosen.every(({ start, end }) => one.end <= start || one.start >= end);
    if (chosen.length < count && isFree) chosen.push(one);
  }
  return chosen;
}

/** Captions of three seconds do not say when each word is spoken. */
const earlySeconds = 0.35;
const lateSeconds = 0.5;

/** What is true of one pick. `answered` is null if its first half has no question. */
export function judgePick({ words, sentences }: Conversation, { start, end }: Span) {
  const first = words.findIndex((word) => word.start >= start - 0.01);
  const last = words.findLastIndex((word) => word.end <= end + 0.01);
  const inside = sentences.filter(
    (sentence) => sentence.start >= start - earlySeconds && sentence.end <= end + lateSeconds,
  );
  const opening = inside[0]?.text ?? 'so';
  const closing = inside.at(-1)?.text ?? '?';
  const inSentence = sentences.some(
    (sentence) => sentence.start < end - 0.05 && sentence.end > end + lateSeconds + 0.1,
  );
  const speakers = words.map(({ person }) => person);
  let [run, longest] = [0, 0];
  for (let at = first; at <= last; at++) {
    run = at > first && speakers[at] === speakers[at - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  const asked = inside.find(
    (sentence) => question.test(sentence.text) && sentence.start < (start + end) / 2,
  );
  const answer = (from: number, asker: string | undefined) =>
    speakers.slice(from, last + 1).filter((speaker) => speaker !== asker).length;
  const loose = words.slice(first, first + 4).some(({ text }) => pronoun.test(text));
  const leans = leaning.test(opening);
  const opensTurn = first === 0 || speakers[first - 1] !== speakers[first];
  const closesTurn = last === words.length - 1 || speakers[last + 1] !== speakers[last];
  return {
    leans,
    cut: question.test(closing) || inSentence,
    answered: asked ? answer(asked.lastWord + 1, speakers[asked.lastWord]) >= 12 : null,
    substance: longest >= 25,
    alone: opensTurn && closesTurn && !leans && !loose,
  };
}

/** The figures of all picks. Shares are 0 to 1; `lift` has a 95 % interval over conversations. */
export function judgePicks(
  conversations: readonly Conversation[],
  pick: (conversation: Conversation) => readonly Span[],
) {
  const random = dice(7);
  const laughs: { hits: number; chance: number }[] = [];
  const judged: ReturnType<typeof judgePick>[] = [];
  for (const conversation of conversations) {
    const picks = pick(conversation);
    laughs.push({
      hits: caught(conversation.laughs, picks),
      chance: guess(conversation, picks, random),
    });
    judged.push(...picks.map((span) => judgePick(conversation, span)));
  }
  const ratio = (list: typeof laughs) =>
    list.reduce((sum, { hits }) => sum + hits, 0) /
    list.reduce((sum, { chance }) => sum + chance, 0);
  const lifts = Array.from({ length: 2000 }, () =>
    ratio(laughs.map(() => laughs[Math.floor(random() * laughs.length)]!)),
  ).toSorted((a, b) => a - b);
  const share = (holds: (pick: ReturnType<typeof judgePick>) => boolean) =>
    judged.filter(holds).length / judged.length;
  const asked = judged.filter(({ answered }) => answered !== null);
  return {
    lift: ratio(laughs),
    low: lifts[50]!,
    high: lifts[1949]!,
    leaning: share(({ leans }) => leans),
    cut: share(({ cut }) => cut),
    answered: asked.filter(({ answered }) => answered).length / Math.max(1, asked.length),
    substance: share(({ substance }) => substance),
    alone: share(({ alone }) => alone),
  };
}
