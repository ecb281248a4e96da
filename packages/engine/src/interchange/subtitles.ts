import { captionLines } from '../captions/caption-lines.ts';
import type { Edit } from '../edit.ts';
import { joinWords } from '../words/word-text.ts';
import { clipWords } from './clip-words.ts';

/** Letters of usual width in a cue, as broadcasters have them, and words. */
const maxCueLetters = 37;
const maxCueWords = 10;

const clock = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign]!);

const cuesOf = (edit: Edit): { start: string; end: string; text: string }[] =>
  captionLines(clipWords(edit), maxCueLetters, maxCueWords, edit.language ?? null).map(
    ({ start, end, words }) => ({
      start: clock(start),
      end: clock(Math.min(end, edit.duration)),
      text: joinWords(words.map(({ text }) => text)),
    }),
  );

/** The words of a clip as WebVTT, in output time. */
export const webVtt = (edit: Edit): string =>
  [
    'WEBVTT\n',
    ...cuesOf(edit).map(({ start, end, text }) => `${start} --> ${end}\n${escaped(text)}\n`),
  ].join('\n');

/** The same as SubRip, for programs that read no WebVTT. */
export const subRip = (edit: Edit): string =>
  cuesOf(edit)
    .map(({ start, end, text }, at) => {
      const comma = (time: string): string => time.replace('.', ',');
      return `${at + 1}\n${comma(start)} --> ${comma(end)}\n${text}\n`;
    })
    .join('\n');
