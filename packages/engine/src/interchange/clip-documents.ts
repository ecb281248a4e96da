import type { Edit } from '../edit.ts';
import { clipWords, wordsJson } from './clip-words.ts';
import { fcpxml } from './fcpxml.ts';
import { otio } from './otio.ts';
import { subRip, webVtt } from './subtitles.ts';
import type { TimelineNames } from './timeline.ts';
import { transcriptText } from './transcript-text.ts';

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
