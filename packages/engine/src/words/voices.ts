/** Who speaks, by voice: a vector of length 1. The cosine of two says how alike they are. */
import type { Span, Transcript, Word } from '../facts.ts';

/** A shorter sentence shows too little of a voice. Of a longer one, the middle is enough. */
const minVoiceSeconds = 1;
const maxVoiceSeconds = 3;

/** The part of a sentence that its voice is read from; null if it is too short. */
export function findVoiceSpan({ start, end }: Span): Span | null {
  const seconds = end - start;
  if (seconds < minVoiceSeconds) return null;
  const beside = Math.max(0, seconds - maxVoiceSeconds) / 2;
  return { start: start + beside, end: end - beside };
}

/**
 * A voice is that of a known speaker from `same` on, and of another below `other`. Between them, it
 * is not sure. One sentence alone makes a speaker only if it is like no other up to `clear`.
 */
const cosines = { same: 0.65, other: 0.6, clear: 0.5 } as const;

/** Noise and music can be like nothing before, again and again. */
const maxSpeakers = 50;

interface Speaker {
  /** The mean of the voice, of length 1. */
  voice: Float32Array;
  sum: Float32Array;
  sentences: number[];
}

/** The cosine of two voices, -1 to 1: the higher, the more alike. */
export const computeCosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

function addVoice(speaker: Speaker, voice: Float32Array, sentence: number): void {
  const { sum, sentences } = speaker;
  voice.forEach((value, at) => (sum[at]! += value));
  const length = Math.hypot(...sum);
  speaker.voice = sum.map((value) => value / length);
  sentences.push(sentence);
}

/** Whether too little is known of a speaker: one sentence that may be another's. */
const isDoubtful = ({ sentences, voice }: Speaker, all: readonly Speaker[]): boolean =>
  sentences.length === 1 &&
  all.some((other) => other.voice !== voice && computeCosine(other.voice, voice) >= cosines.clear);

/**
 * Numbers the speakers of sentences from 1, in the order in which they first speak. Each voice is
 * compared with those before it, as the talk goes on.
 * @param voices the voice of each sentence; null if it has none
 * @returns null for each sentence of which it is not sure who speaks
 */
export function numberSpeakers(voices: readonly (Float32Array | null)[]): (number | null)[] {
  const speakers: Speaker[] = [];
  voices.forEach((voice, sentence) => {
    if (!voice) return;
    const alike = speakers.map((speaker) => computeCosine(speaker.voice, voice));
    const best = Math.max(-1, ...alike);
    if (best >= cosines.same) addVoice(speakers[alike.indexOf(best)]!, voice, sentence);
    else if (best < cosines.other && speakers.length < maxSpeakers) {
      const sum = new Float32Array(voice.length);
      const speaker = { voice, sum, sentences: [] };
      addVoice(speaker, voice, sentence);
      speakers.push(speaker);
    }
  });
  const numbers = voices.map((): number | null => null);
  speakers
    .filter((speaker) => !isDoubtful(speaker, speakers))
    .forEach(({ sentences }, index) => sentences.forEach((at) => (numbers[at] = index + 1)));
  return numbers;
}

/** If voices change this many times more often than marks say, the marks are something else. */
const maxUnmarkedRatio = 4;

/**
 * Returns a transcript whose words know their speakers. If the subtitles do not mark turns, a turn
 * begins with the first sentence that is surely another speaker's.
 * @param speakers the number of each sentence's speaker; null if it is not sure
 */
export function withSpeakers(
  transcript: Transcript,
  speakers: readonly (number | null)[],
): Transcript {
  const speakerOf = new Map<number, number>();
  const turns = new Set<number>();
  let before: number | null = null;
  transcript.sentences.forEach(({ firstWord, lastWord }, index) => {
    const speaker = speakers[index] ?? null;
    if (speaker === null) return;
    if (before !== null && speaker !== before) turns.add(firstWord);
    before = speaker;
    for (let word = firstWord; word <= lastWord; word++) speakerOf.set(word, speaker);
  });
  const marks = transcript.words.filter(({ opensTurn }, index) => index > 0 && opensTurn).length;
  const turnsHeard = turns.size > maxUnmarkedRatio * marks;
  const words = transcript.words.map(({ opensTurn, ...word }, index): Word => {
    const speaker = speakerOf.get(index);
    return {
      ...word,
      ...((turnsHeard ? turns.has(index) : opensTurn) && { opensTurn: true }),
      ...(speaker !== undefined && { speaker }),
    };
  });
  return { ...transcript, words, ...(turnsHeard && { turnsHeard }) };
}
