import type { Analysis, Sentence, Word } from '../engine/src/facts.ts';
import { splitWords } from '../engine/src/words/word-text.ts';

/**
 * An analysis with the given sentences, one after another: half a second per word, 0.6 s between
 * sentences.
 */
export function spokenAnalysis(
  texts: readonly string[],
  changes: Partial<Analysis> = {},
): Analysis {
  const words: Word[] = [];
  const sentences: Sentence[] = [];
  const silences = [];
  let time = 0.5;
  for (const text of texts) {
    const firstWord = words.length;
    const start = time;
    for (const word of splitWords(text)) {
      words.push({ text: word, start: time, end: time + 0.5 });
      time += 0.5;
    }
    sentences.push({ text, start, end: time, firstWord, lastWord: words.length - 1 });
    silences.push({ start: time, end: time + 0.6 });
    time += 0.6;
  }
  return {
    ...quietAnalysis(time),
    silences,
    transcript: { language: 'en', words, sentences },
    ...changes,
  };
}

/** An analysis with only a length. */
export function quietAnalysis(duration: number, changes: Partial<Analysis> = {}): Analysis {
  return {
    duration,
    media: {
      duration,
      width: 1920,
      height: 1080,
      frameRate: 25,
      hasAudio: false,
      videoCodec: 'h264',
      audioCodec: null,
    },
    silences: [],
    cuts: [],
    loudness: { step: 0.5, values: [] },
    focus: [],
    transcript: null,
    ...changes,
  };
}

/** A generator of random numbers 0 to 1, the same ones each time. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}
