import { captionLines } from '../captions/caption-lines.ts';
import type { Edit } from '../edit.ts';
import type { Word } from '../facts.ts';
import { joinWords } from '../words/word-text.ts';
import { fcpxml, otio, type TimelineNames } from './timelines.ts';

/** A file with what a clip is made of, for other programs. */
interface ClipDocument {
  /** Media type. */
  type: string;
  /** Whether it is made of the clip's words, and there is none without them. */
  ofWords: boolean;
  write(edit: Edit, names: TimelineNames): string;
}

const json = 'application/json; charset=utf-8';

const documents = {
  'words.json': { type: json, ofWords: true, write: wordsJson },
  'captions.srt': { type: 'application/x-subrip; charset=utf-8', ofWords: true, write: subRip },
  'captions.vtt': { type: 'text/vtt; charset=utf-8', ofWords: true, write: webVtt },
  'transcript.txt': { type: 'text/plain; charset=utf-8', ofWords: true, write: transcriptText },
  'edit.json': {
    type: json,
    ofWords: false,
    write: (edit: Edit) => `${JSON.stringify(edit, null, 2)}\n`,
  },
  'edit.otio': { type: json, ofWords: false, write: otio },
  'edit.fcpxml': { type: 'application/xml; charset=utf-8', ofWords: false, write: fcpxml },
} satisfies Record<string, ClipDocument>;

export type ClipDocumentName = keyof typeof documents;

export const clipDocumentNames = Object.keys(documents) as ClipDocumentName[];

export const isClipDocument = (name: string): name is ClipDocumentName =>
  Object.hasOwn(documents, name);

/** Whether words of a clip are known, whether they are drawn or not. */
export const hasWords = (edit: Edit): boolean => clipWords(edit).length > 0;

/** Whether a clip has the file: those of words need words. */
export const clipHas = (edit: Edit, name: ClipDocumentName): boolean =>
  !documents[name].ofWords || hasWords(edit);

/**
 * A clip's file of that name with its media type; null if it is one of words and the clip has none.
 * @example
 * ```ts
 * clipDocument(edit, 'captions.srt', { title: 'Why we sleep', source: 'talk.mp4' })?.text;
 * ```
 */
export function clipDocument(
  edit: Edit,
  name: ClipDocumentName,
  names: TimelineNames,
): { type: string; text: string } | null {
  const { type, write } = documents[name];
  return clipHas(edit, name) ? { type, text: write(edit, names) } : null;
}

/** Letters of usual width in a cue, as broadcasters have them, and words. */
const maxCueLetters = 37;
const maxCueWords = 10;

const clock = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign]!);

/** Words with their times, and what their lines depend on. */
type TimedWords = Pick<Edit, 'words' | 'captions' | 'language' | 'duration'>;

const cuesOf = (edit: TimedWords): { start: string; end: string; text: string }[] =>
  captionLines(clipWords(edit), maxCueLetters, maxCueWords, edit.language ?? null).map(
    ({ start, end, words }) => ({
      start: clock(start),
      end: clock(Math.min(end, edit.duration)),
      text: joinWords(words.map(({ text }) => text)),
    }),
  );

/** The words of a clip as WebVTT, in output time. */
export function webVtt(edit: TimedWords): string {
  return [
    'WEBVTT\n',
    ...cuesOf(edit).map(({ start, end, text }) => `${start} --> ${end}\n${escaped(text)}\n`),
  ].join('\n');
}

/** The same as SubRip, for programs that read no WebVTT. */
export function subRip(edit: TimedWords): string {
  return cuesOf(edit)
    .map(({ start, end, text }, at) => {
      const comma = (time: string): string => time.replace('.', ',');
      return `${at + 1}\n${comma(start)} --> ${comma(end)}\n${text}\n`;
    })
    .join('\n');
}

/** A pause of this length begins a line where the words have no stops. */
const lineSeconds = 1.2;

const endsSentence = /[.!?…。！？؟]["'”’»」』)\]]*$/u;

/** The words of a clip as plain text, a sentence a line. */
export function transcriptText(edit: TimedWords): string {
  const lines: Word[][] = [];
  let last: Word | undefined;
  for (const word of clipWords(edit)) {
    const isNew = !last || endsSentence.test(last.text) || word.start - last.end >= lineSeconds;
    if (isNew) lines.push([word]);
    else lines.at(-1)!.push(word);
    last = word;
  }
  return lines.map((words) => `${joinWords(words.map(({ text }) => text))}\n`).join('');
}

/** The words of a clip in output time, whether they are drawn or not; empty if it has none. */
const clipWords = ({ words, captions }: TimedWords): readonly Word[] =>
  words ?? captions.flatMap((line) => line.words);

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The words with their times as JSON: seconds of the clip, to the millisecond. */
function wordsJson(edit: Edit): string {
  const words = clipWords(edit).map(({ start, end, text }) => ({
    start: milliseconds(start),
    end: milliseconds(Math.min(end, edit.duration)),
    text,
  }));
  const { language = null, duration } = edit;
  return `${JSON.stringify({ language, duration: milliseconds(duration), words }, null, 2)}\n`;
}
