/** The cues of conversations, and what is true at each border: what the models are fitted to. */
import { turnCuesAt } from '../src/moments/turn-likelihood.ts';
import type { CueModel } from '../src/words/cue-model.ts';
import { endCues } from '../src/words/sentence-ends.ts';
import type { Conversation } from './conversation.ts';
import { fitted, type Case } from './logistic.ts';

/** Cues that the models may have. More tell no more about other conversations (turns). */
const maxTurnCues = 350;
const maxEndCues = 600;

/** Borders between the sentences of captions without marks of who speaks, and whose is a turn. */
function turnCases({ analysis, words }: Conversation): Case[] {
  const { sentences } = analysis.transcript!;
  const texts = sentences.map(({ text }) => text);
  return sentences
    .map(({ firstWord }, index) => ({
      cues: turnCuesAt(texts, index),
      holds: words[firstWord]!.opensTurn ?? false,
    }))
    .slice(1);
}

/** Borders between words, and at which of them a sentence ends. */
function endCases({ words, sentences }: Conversation): Case[] {
  const ends = new Set(sentences.map(({ firstWord }) => firstWord));
  const texts = words.map(({ text }) => text);
  return texts.map((_, at): Case => ({ cues: endCues(texts, at), holds: ends.has(at) })).slice(1);
}

export interface CueModels {
  turns: CueModel;
  ends: CueModel;
}

/** Fits both models to conversations with plain captions. */
export const cueModelsOf = (conversations: readonly Conversation[]): CueModels => ({
  turns: fitted(conversations.flatMap(turnCases), maxTurnCues),
  ends: fitted(conversations.flatMap(endCases), maxEndCues),
});
