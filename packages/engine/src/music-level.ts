import type { Edit } from './edit.ts';
import type { Span } from './facts.ts';
import { mergeSpans } from './spans.ts';

/** Loudness of a stored music file, and of a clip's speech, in LUFS. */
export const targetLufs = -14;

/** Music is this much softer while someone speaks, in dB. */
export const duckDb = 10;

/** The time in which it gets softer before speech, and louder after it, in seconds. */
export const duckFadeSeconds = 0.4;

/** Seconds in which music comes at the beginning of a clip, and goes at its end. */
export const musicFadeSeconds = { in: 0.5, out: 2 } as const;

/** The music stays soft this long before and after a word, in seconds. */
const airSeconds = 0.4;

/** Default distance of the music from the speech above it, in dB. */
export const usualMusicDb = 20;

/** The spans in which words are spoken, with some air: in shorter pauses, music stays soft. */
export const findSpeechSpans = (words: readonly Span[]): Span[] =>
  mergeSpans(
    words.map(({ start, end }) => ({
      start: Math.max(0, start - airSeconds),
      end: end + airSeconds,
    })),
  );

/** Gain of the music at an output time, in dB above its gain under speech. */
export function getMusicRise({ speech }: NonNullable<Edit['music']>, seconds: number): number {
  if (!speech) return 0;
  const away = speech.map(({ start, end }) => Math.max(start - seconds, seconds - end, 0));
  const share = Math.min(1, Math.min(...away) / duckFadeSeconds);
  const duck = 10 ** (-duckDb / 20);
  return 20 * Math.log10(duck + (1 - duck) * share) + duckDb;
}
