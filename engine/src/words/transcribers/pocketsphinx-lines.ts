import type { Word } from '../../facts.ts';
import type { Cue } from '../subtitles.ts';

/** A word with how sure the recogniser is of it, 0 to 1. */
export interface SphinxWord extends Word {
  confidence: number;
}

/** Words of which the recogniser is less sure are noise. */
const leastConfidence = 0.03;

/**
 * Reads what `pocketsphinx_continuous -time yes` writes: for each utterance its text, then a line a word with start, end
 * and confidence. Gives the words of each utterance, times in seconds.
 */
export function readSphinxLines(output: string): SphinxWord[][] {
  const utterances: SphinxWord[][] = [];
  for (const line of output.split('\n')) {
    const match = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+(?:\.\d+)?)\s*$/.exec(line);
    if (!match) continue;
    const [, token = '', start, end, confidence] = match;
    if (token === '<s>') utterances.push([]);
    // Noise, pauses and fillers stand in brackets; a number in them tells one pronunciation from another.
    if (/^[<[+]/.test(token)) continue;
    if (utterances.length === 0) utterances.push([]);
    const text = token.replace(/\(\d+\)$/, '');
    const word = { text, start: Number(start), end: Number(end), confidence: Number(confidence) };
    if (word.end > word.start) utterances.at(-1)?.push(word);
  }
  return utterances.filter((words) => words.length > 0);
}

/** How sure the recogniser is of all words together, 0 to 1. */
export function meanConfidence(utterances: readonly (readonly SphinxWord[])[]): number {
  const all = utterances.flat();
  const sum = all.reduce((total, { confidence }) => total + Math.min(1, confidence), 0);
  return all.length > 0 ? sum / all.length : 0;
}

/** Measured: 0.44 to 0.7 for English in several voices; 0.32 for French and German, 0.3 for speech backwards, 0.2 for music, but 0.64 for Spanish. */
const englishConfidence = 0.38;
/** Words a second of sound; people say two to three, and noise makes one now and then of which the recogniser is sure. */
const leastPace = 0.5;

/** Whether what was recognised in so many seconds of sound is likely to be English speech. */
export const soundsEnglish = (
  utterances: readonly (readonly SphinxWord[])[],
  seconds: number,
): boolean =>
  meanConfidence(utterances) >= englishConfidence &&
  utterances.flat().length >= leastPace * seconds;

/** Pause in seconds at which a sentence is taken to end: the recogniser knows no full stops. */
const sentencePause = 0.5;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const pronoun = (text: string): string => (/^i(?:'|$)/.test(text) ? capital(text) : text);

/** Subtitles of what was recognised: a sentence for each stretch without a long pause. */
export function sphinxCues(utterances: readonly (readonly SphinxWord[])[]): Cue[] {
  const words = utterances.flat().filter(({ confidence }) => confidence >= leastConfidence);
  const runs: SphinxWord[][] = [];
  for (const word of words) {
    const before = runs.at(-1)?.at(-1);
    if (before && word.start - before.end < sentencePause) runs.at(-1)?.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => {
    const texts = run.map(({ text }) => pronoun(text));
    texts[0] = capital(texts[0] ?? '');
    texts[texts.length - 1] += '.';
    return {
      start: run[0]?.start ?? 0,
      end: run.at(-1)?.end ?? 0,
      timed: true,
      words: run.map(({ start, end }, index) => ({ text: texts[index] ?? '', start, end })),
    };
  });
}
