import type { Word } from '../facts.ts';
import { languageCode } from '../words/language-code.ts';
import { splitWords, spreadWords } from '../words/word-text.ts';
import type { Cue } from '../words/subtitles.ts';
import { spelledAs, wordsOfTokens, type Token } from './token-words.ts';
import type { Transcription } from './transcriber.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Seconds from a number or a string (`12.5`, `12.5s`); null for anything else. */
function seconds(value: unknown): number | null {
  const number =
    typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/s$/, '')) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** Only this many characters of a text are read. Ten minutes of speech have a tenth of that. */
const maxTextCharacters = 200_000;

function textOf(fields: Fields): string {
  const text = fields['word'] ?? fields['text'];
  return typeof text === 'string' ? text.slice(0, maxTextCharacters) : '';
}

const tokensOf = (value: unknown): Token[] =>
  (Array.isArray(value) ? value : []).flatMap((item) => {
    const fields = fieldsOf(item);
    if (!fields || textOf(fields) === '') return [];
    const start = seconds(fields['start']);
    return [{ text: textOf(fields), start, end: seconds(fields['end']) }];
  });

interface Segment {
  start: number;
  end: number;
  text: string;
  tokens: Token[];
}

const segmentsOf = (value: unknown): Segment[] =>
  (Array.isArray(value) ? value : []).flatMap((item) => {
    const fields = fieldsOf(item);
    const start = seconds(fields?.['start']);
    const end = seconds(fields?.['end']);
    if (!fields || start === null || end === null || end <= start) return [];
    const tokens = tokensOf(fields['words']);
    return [{ start, end, text: textOf(fields), tokens }];
  });

function cueOf(words: Word[], timed: boolean): Cue[] {
  const first = words[0];
  const last = words.at(-1);
  return first && last ? [{ start: first.start, end: last.end, words, timed }] : [];
}

/** A list counts as timed if at least one token has a time. */
const timed = (tokens: readonly Token[]): boolean => tokens.some(({ start }) => start !== null);

function segmentCue(segment: Segment): Cue[] {
  const { start, end, text, tokens } = segment;
  if (timed(tokens)) return cueOf(spelledAs(text, wordsOfTokens(tokens, end)), true);
  const words = spreadWords(splitWords(text), start, end);
  return words.length > 0 ? [{ start, end, words, timed: false }] : [];
}

/**
 * Reads the answer of an OpenAI-compatible speech server (`verbose_json`) in all known dialects:
 * words beside the segments; words or tokens inside them; segments only, whose words share their
 * time; times as strings; the language as a code or a name. Times count from the start of the sound
 * that was sent.
 * @returns null if the answer is of another kind, or has text but no times
 */
export function readSpeechAnswer(answer: unknown): Transcription | null {
  const fields = fieldsOf(answer);
  if (!fields) return null;
  const language = languageCode(fields['language']);
  const segments = segmentsOf(fields['segments']);
  const tokens = tokensOf(fields['words']);
  const text = textOf(fields) || segments.map((segment) => segment.text).join(' ');
  if (timed(tokens)) {
    const end = Math.max(segments.at(-1)?.end ?? 0, seconds(fields['duration']) ?? 0);
    return { language, cues: cueOf(spelledAs(text, wordsOfTokens(tokens, end)), true) };
  }
  const cues = segments.flatMap(segmentCue);
  if (cues.length > 0) return { language, cues };
  const known = 'text' in fields || 'segments' in fields || 'words' in fields;
  return known && splitWords(text).length === 0 ? { language, cues: [] } : null;
}
