import { captionLines } from '../captions/caption-lines.ts';
import type { Edit } from '../edit.ts';
import type { Word } from '../facts.ts';
import { joinWords } from '../words/word-text.ts';
import { writeFcpxml, writeOtio, type TimelineNames } from './timelines.ts';

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
  'words.json': { type: json, ofWords: true, write: writeWordsJson },
  'captions.srt': {
    type: 'application/x-subrip; charset=utf-8',
    ofWords: true,
    write: (edit: Edit, { introSeconds }: TimelineNames) => writeSubRip(edit, introSeconds),
  },
  'captions.vtt': {
    type: 'text/vtt; charset=utf-8',
    ofWords: true,
    write: (edit: Edit, { introSeconds }: TimelineNames) => writeWebVtt(edit, introSeconds),
  },
  'transcript.txt': { type: 'text/plain; charset=utf-8', ofWords: true, write: writeTranscript },
  'edit.json': {
    type: json,
    ofWords: false,
    write: (edit: Edit) => `${JSON.stringify(edit, null, 2)}\n`,
  },
  'edit.otio': { type: json, ofWords: false, write: writeOtio },
  'edit.fcpxml': { type: 'application/xml; charset=utf-8', ofWords: false, write: writeFcpxml },
} satisfies Record<string, ClipDocument>;

export type ClipDocumentName = keyof typeof documents;

export const clipDocumentNames = Object.keys(documents) as ClipDocumentName[];

export const isClipDocument = (name: string): name is ClipDocumentName =>
  Object.hasOwn(documents, name);

/** Whether words of a clip are known, whether they are drawn or not. */
export const hasWords = (edit: Edit): boolean => listClipWords(edit).length > 0;

/** Whether a clip has the file: those of words need words. */
export const hasDocument = (edit: Edit, name: ClipDocumentName): boolean =>
  !documents[name].ofWords || hasWords(edit);

/**
 * A clip's file of that name with its media type; null if it is one of words and the clip has none.
 * @example
 * ```ts
 * clipDocument(edit, 'captions.srt', { title: 'Why we sleep', source: 'talk.mp4' })?.text;
 * ```
 */
export function writeClipDocument(
  edit: Edit,
  name: ClipDocumentName,
  names: TimelineNames,
): { type: string; text: string } | null {
  const { type, write } = documents[name];
  return hasDocument(edit, name) ? { type, text: write(edit, names) } : null;
}

/** Letters of usual width in a cue, as broadcasters have them, and words. */
const maxCueLetters = 37;
const maxCueWords = 10;

const formatCueTime = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeMarkup = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign]!);

/** Words with their times, and what their lines depend on. */
type TimedWords = Pick<Edit, 'words' | 'captions' | 'language' | 'duration'>;

const listCues = (
  edit: TimedWords,
  introSeconds: number,
): { start: string; end: string; text: string }[] =>
  captionLines(listClipWords(edit), maxCueLetters, maxCueWords, edit.language ?? null).map(
    ({ start, end, words }) => ({
      start: formatCueTime(introSeconds + start),
      end: formatCueTime(introSeconds + Math.min(end, edit.duration)),
      text: joinWords(words.map(({ text }) => text)),
    }),
  );

/** The words of a clip as WebVTT, in output time after an intro. */
export function writeWebVtt(edit: TimedWords, introSeconds = 0): string {
  return [
    'WEBVTT\n',
    ...listCues(edit, introSeconds).map(
      ({ start, end, text }) => `${start} --> ${end}\n${escapeMarkup(text)}\n`,
    ),
  ].join('\n');
}

/** The same as SubRip, for programs that read no WebVTT. */
export function writeSubRip(edit: TimedWords, introSeconds = 0): string {
  return listCues(edit, introSeconds)
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
export function writeTranscript(edit: TimedWords): string {
  const lines: Word[][] = [];
  let last: Word | undefined;
  for (const word of listClipWords(edit)) {
    const isNew = !last || endsSentence.test(last.text) || word.start - last.end >= lineSeconds;
    if (isNew) lines.push([word]);
    else lines.at(-1)!.push(word);
    last = word;
  }
  return lines.map((words) => `${joinWords(words.map(({ text }) => text))}\n`).join('');
}

/** The words of a clip in output time, whether they are drawn or not; empty if it has none. */
const listClipWords = ({ words, captions }: TimedWords): readonly Word[] =>
  words ?? captions.flatMap((line) => line.words);

export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The words with their times as JSON: seconds of the clip, to the millisecond. */
function writeWordsJson(edit: Edit): string {
  const words = listClipWords(edit).map(({ start, end, text }) => ({
    start: roundToMilliseconds(start),
    end: roundToMilliseconds(Math.min(end, edit.duration)),
    text,
  }));
  const { language = null, duration } = edit;
  return `${JSON.stringify({ language, duration: roundToMilliseconds(duration), words }, null, 2)}\n`;
}
