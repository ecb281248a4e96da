import { readFile } from 'node:fs/promises';
import { languageCode } from './language-code.ts';
import type { Cue } from './subtitles.ts';
import { decodeText } from './text-encoding.ts';
import { joinWords } from './word-text.ts';

/** The text of a subtitle file. Throws {@link UnreadableText}, or the file system's error. */
export const subtitleText = async (path: string): Promise<string> =>
  decodeText(await readFile(path));

/** A shorter text is in too many languages at once. */
const minWords = 8;

/** Only this many words are read to find out a language. */
const maxWords = 2000;

/**
 * The language of subtitles: what the header of WebVTT says (`Language: de`), otherwise what the
 * words are.
 * @returns a BCP 47 code, or null if nothing tells
 */
export async function subtitleLanguage(text: string, cues: readonly Cue[]): Promise<string | null> {
  const [header = ''] = text.slice(0, 2000).split(/\r?\n[^\S\r\n]*\r?\n/, 1);
  const stated = /^WEBVTT/.test(header.replace(/^\uFEFF/, ''))
    ? languageCode(/^Language:\s*(\S+)\s*$/im.exec(header)?.[1])
    : null;
  if (stated) return stated;
  const words = cues.flatMap((cue) => cue.words.map((word) => word.text)).slice(0, maxWords);
  if (words.length < minWords) return null;
  // Loaded where it is needed: its tables take a second and 80 MB.
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(joinWords(words));
  return found.isReliable() ? languageCode(found.language) : null;
}
