import type { Word } from '../../facts.ts';
import type { Cue } from '../subtitles.ts';

/** A word and how sure the recogniser is of it, 0 to 1. */
export interface SphinxWord extends Word {
  confidence: number;
}

/** Words below this confidence are noise. */
const minConfidence = 0.03;

/**
 * Reads the output of `pocketsphinx_continuous -time yes`: for each utterance its text, then one
 * line per word with start, end and confidence. Returns the words of each utterance; times are in
 * seconds.
 */
export function readSphinxLines(output: string): SphinxWord[][] {
  const utterances: SphinxWord[][] = [];
  for (const line of output.split('\n')) {
    const match = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+(?:\.\d+)?)\s*$/.exec(line);
    if (!match) continue;
    const [, token = '', start, end, confidence] = match;
    if (token === '<s>') utterances.push([]);
    // Noise, pauses and fillers are in brackets. A number in brackets is a variant of a
    // pronunciation.
    if (/^[<[+]/.test(token)) continue;
    if (utterances.length === 0) utterances.push([]);
    const text = token.replace(/\(\d+\)$/, '');
    const word = { text, start: Number(start), end: Number(end), confidence: Number(confidence) };
    if (word.end > word.start) utterances.at(-1)?.push(word);
  }
  return utterances.filter((words) => words.length > 0);
}

/** Mean confidence of all words, 0 to 1. */
export function meanConfidence(utterances: readonly (readonly SphinxWord[])[]): number {
  const all = utterances.flat();
  const sum = all.reduce((total, { confidence }) => total + Math.min(1, confidence), 0);
  return all.length > 0 ? sum / all.length : 0;
}

/**
 * Mean confidence from which on speech counts as English. Measured: 0.44 to 0.7 for English in
 * several voices, 0.32 for French and German, 0.3 for reversed speech, 0.2 for music, but 0.64 for
 * Spanish.
 */
const minEnglishConfidence = 0.38;
/**
 * Minimum words per second of sound. People say two to three; in noise the recogniser only hears a
 * word now and then.
 */
const minWordsPerSecond = 0.5;

/**
 * Whether the words that were recognised in this many seconds of sound are probably English speech.
 */
export const soundsEnglish = (
  utterances: readonly (readonly SphinxWord[])[],
  seconds: number,
): boolean =>
  meanConfidence(utterances) >= minEnglishConfidence &&
  utterances.flat().length >= minWordsPerSecond * seconds;

/** A pause of this length ends a sentence, because the recogniser writes no full stops. */
const sentencePauseSeconds = 0.5;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const pronoun = (text: string): string => (/^i(?:'|$)/.test(text) ? capital(text) : text);

/** Turns recognised words into subtitles: one sentence between two long pauses. */
export function sphinxCues(utterances: readonly (readonly SphinxWord[])[]): Cue[] {
  const words = utterances.flat().filter(({ confidence }) => confidence >= minConfidence);
  const runs: SphinxWord[][] = [];
  for (const word of words) {
    const before = runs.at(-1)?.at(-1);
    if (before && word.start - before.end < sentencePauseSeconds) runs.at(-1)?.push(word);
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
