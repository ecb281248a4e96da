import { readSaid, turnCuesAt } from '../../packages/engine/src/moments/speaker-turns.ts';
import type { CueModel } from '../../packages/engine/src/words/cue-model.ts';
import { endCues, listQuestionCues } from '../../packages/engine/src/words/sentence-ends.ts';
import type { SentenceCues } from '../../packages/engine/src/words/transcript.ts';
import { dice, type Conversation } from './conversation.ts';

/** A case: the cues that are there, and whether it is what the model must tell. */
interface Case {
  cues: readonly string[];
  holds: boolean;
}

const passes = 4;
const rate = 0.3;
/** Rarer cues say more about one conversation than about speech. */
const minCases = 60;

function countCues(cases: readonly Case[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { cues } of cases) for (const cue of cues) counts.set(cue, (counts.get(cue) ?? 0) + 1);
  return counts;
}

/** Logistic regression by AdaGrad. */
function train(cases: readonly Case[], known: readonly string[]): CueModel {
  const places = new Map(known.map((cue, place) => [cue, place]));
  const weights = new Float64Array(known.length + 1);
  const squares = new Float64Array(known.length + 1).fill(1);
  const rows = cases.map(({ cues }) =>
    Int32Array.from([
      ...cues.flatMap((cue) => places.get(cue) ?? []),
      // The last weight is the bias.
      known.length,
    ]),
  );
  const random = dice(1);
  const order = Int32Array.from(rows, (_, index) => index);
  for (let pass = 0; pass < passes; pass++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [order[index], order[other]] = [order[other]!, order[index]!];
    }
    for (const index of order) {
      const row = rows[index]!;
      let logOdds = 0;
      for (const place of row) logOdds += weights[place]!;
      const error = 1 / (1 + Math.exp(-logOdds)) - Number(cases[index]!.holds);
      for (const place of row) {
        squares[place]! += error ** 2;
        weights[place]! -= (rate * error) / Math.sqrt(squares[place]!);
      }
    }
  }
  return {
    bias: weights[known.length]!,
    weights: new Map(known.map((cue, place) => [cue, weights[place]!])),
  };
}

/**
 * Fits a model with few cues: those that told most among all. It tells other conversations better
 * than a model with all cues does.
 */
function fitCues(cases: readonly Case[], maxCues: number): CueModel {
  const counts = countCues(cases);
  const common = [...counts.keys()].filter((cue) => counts.get(cue)! >= minCases);
  const { weights } = train(cases, common);
  const tells = (cue: string) => Math.abs(weights.get(cue)!) * Math.sqrt(counts.get(cue)!);
  const best = common.toSorted((one, other) => tells(other) - tells(one)).slice(0, maxCues);
  const { bias, weights: told } = train(cases, best);
  const round = (value: number) => Math.round(10 * value) / 10;
  return { bias: round(bias), weights: new Map([...told].map(([cue, one]) => [cue, round(one)])) };
}

/** Cues that the models may have. More tell no more about other conversations (turns). */
const maxTurnCues = 350;
const maxEndCues = 600;
const maxQuestionCues = 400;

/** Borders between the sentences of captions without marks of who speaks, and whose is a turn. */
function listTurns({ analysis, words }: Conversation): Case[] {
  const { sentences } = analysis.transcript!;
  const texts = readSaid(sentences.map(({ text }) => text));
  let at = 0;
  return sentences
    .map(({ start }, index) => {
      const away = (word: number) => Math.abs((words[word]?.start ?? Infinity) - start);
      while (away(at + 1) < away(at)) at += 1;
      return { cues: turnCuesAt(texts, index), holds: words[at]!.opensTurn ?? false };
    })
    .slice(1);
}

/** Borders between words, and at which of them a sentence ends. */
function listEnds({ words, sentences }: Conversation): Case[] {
  const ends = new Set(sentences.map(({ firstWord }) => firstWord));
  const texts = words.map(({ text }) => text);
  return texts.map((_, at): Case => ({ cues: endCues(texts, at), holds: ends.has(at) })).slice(1);
}

/** Sentences without their marks, and which of them are questions. */
const listQuestions = ({ sentences }: Conversation): Case[] =>
  sentences.map(({ text }, index) => ({
    cues: listQuestionCues(text, sentences[index + 1]?.text ?? ''),
    holds: /\?["”’)]*$/.test(text),
  }));

export interface CueModels extends SentenceCues {
  turns: CueModel;
}

/** Fits the models to conversations with plain captions. */
export const fitCueModels = (conversations: readonly Conversation[]): CueModels => ({
  turns: fitCues(conversations.flatMap(listTurns), maxTurnCues),
  ends: fitCues(conversations.flatMap(listEnds), maxEndCues),
  questions: fitCues(conversations.flatMap(listQuestions), maxQuestionCues),
});
