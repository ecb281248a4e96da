/** The cues of conversations, and what is true at each border: what the models are fitted to. */
import { readSaid, turnCuesAt } from '../../packages/engine/src/moments/speaker-turns.ts';
import type { CueModel } from '../../packages/engine/src/words/cue-model.ts';
import { endCues, listQuestionCues } from '../../packages/engine/src/words/sentence-ends.ts';
import type { SentenceCues } from '../../packages/engine/src/words/transcript.ts';
import type { Conversation } from './conversation.ts';
import { fitted, type Case } from './logistic.ts';

/** Cues that the models may have. More tell no more about other conversations (turns). */
const maxTurnCues = 350;
const maxEndCues = 600;
const maxQuestionCues = 400;

/** Borders between the sentences of captions without marks of who speaks, and whose is a turn. */
function turnCases({ analysis, words }: Conversation): Case[] {
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
function endCases({ words, sentences }: Conversation): Case[] {
  const ends = new Set(sentences.map(({ firstWord }) => firstWord));
  const texts = words.map(({ text }) => text);
  return texts.map((_, at): Case => ({ cues: endCues(texts, at), holds: ends.has(at) })).slice(1);
}

/** Sentences without their marks, and which of them are questions. */
const questionCases = ({ sentences }: Conversation): Case[] =>
  sentences.map(({ text }, index) => ({
    cues: listQuestionCues(text, sentences[index + 1]?.text ?? ''),
    holds: /\?["”’)]*$/.test(text),
  }));

export interface CueModels extends SentenceCues {
  turns: CueModel;
}

/** Fits the models to conversations with plain captions. */
export const cueModelsOf = (conversations: readonly Conversation[]): CueModels => ({
  turns: fitted(conversations.flatMap(turnCases), maxTurnCues),
  ends: fitted(conversations.flatMap(endCases), maxEndCues),
  questions: fitted(conversations.flatMap(questionCases), maxQuestionCues),
});
