import type { Edit } from '../edit.ts';
import { joinWords } from '../words/word-text.ts';
import { captionLines } from './caption-lines.ts';

/** Letters of usual width in a cue, as broadcasters have them, and words. */
const maxCueLetters = 37;
const maxCueWords = 10;

const clock = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign]!);

/** Whether words of a clip are known, whether they are drawn or not. */
export const hasWords = ({ captions, words = [] }: Edit): boolean =>
  captions.length > 0 || words.length > 0;

/** The words of a clip as WebVTT, in output time; null if it has none. */
export function webVtt(edit: Edit): string | null {
  if (!hasWords(edit)) return null;
  const words = edit.words ?? edit.captions.flatMap((line) => line.words);
  const cues = captionLines(words, maxCueLetters, maxCueWords, edit.language ?? null).map(
    ({ start, end, words: said }) =>
      `${clock(start)} --> ${clock(Math.min(end, edit.duration))}\n` +
      `${escaped(joinWords(said.map(({ text }) => text)))}\n`,
  );
  return `WEBVTT\n\n${cues.join('\n')}`;
}
