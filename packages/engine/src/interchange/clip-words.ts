import type { Edit } from '../edit.ts';
import type { Word } from '../facts.ts';

/** The words of a clip in output time, whether they are drawn or not; empty if it has none. */
export const clipWords = ({ words, captions }: Edit): readonly Word[] =>
  words ?? captions.flatMap((line) => line.words);

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The words with their times as JSON: seconds of the clip, to the millisecond. */
export function wordsJson(edit: Edit): string {
  const words = clipWords(edit).map(({ start, end, text }) => ({
    start: milliseconds(start),
    end: milliseconds(Math.min(end, edit.duration)),
    text,
  }));
  const { language = null, duration } = edit;
  return `${JSON.stringify({ language, duration: milliseconds(duration), words }, null, 2)}\n`;
}
