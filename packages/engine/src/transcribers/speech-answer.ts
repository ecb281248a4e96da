import type { Word } from '../facts.ts';
import { parseLanguage } from '../words/language-code.ts';
import { splitWords, spreadWords } from '../words/word-text.ts';
import type { Cue } from '../words/subtitles.ts';
import { spellAs, joinTokens, type Token } from './token-words.ts';
import type { Transcription } from './transcriber.ts';

type Fields = Readonly<Record<string, unknown>>;

const readFields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Seconds from a number or a string (`12.5`, `12.5s`); null for anything else. */
function readSeconds(value: unknown): number | null {
  const number =
    typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/s$/, '')) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** The maximum number of characters that are read. Ten minutes of speech have a tenth of that. */
const maxTextCharacters = 200_000;

function readText(fields: Fields): string {
  const text = fields['word'] ?? fields['text'];
  return typeof text === 'string' ? text.slice(0, maxTextCharacters) : '';
}

const readTokens = (value: unknown): Token[] =>
  (Array.isArray(value) ? value : []).flatMap((item) => {
    const fields = readFields(item);
    if (!fields || readText(fields) === '') return [];
    const start = readSeconds(fields['start']);
    return [{ text: readText(fields), start, end: readSeconds(fields['end']) }];
  });

interface Segment {
  start: number;
  end: number;
  text: string;
  tokens: Token[];
}

const readSegments = (value: unknown): Segment[] =>
  (Array.isArray(value) ? value : []).flatMap((item) => {
    const fields = readFields(item);
    const start = readSeconds(fields?.['start']);
    const end = readSeconds(fields?.['end']);
    if (!fields || start === null || end === null || end <= start) return [];
    const tokens = readTokens(fields['words']);
    return [{ start, end, text: readText(fields), tokens }];
  });

function makeCue(words: Word[], timed: boolean): Cue[] {
  const first = words[0];
  const last = words.at(-1);
  return first && last ? [{ start: first.start, end: last.end, words, timed }] : [];
}

/** A list counts as timed if at least one token has a time. */
const hasTimes = (tokens: readonly Token[]): boolean => tokens.some(({ start }) => start !== null);

function makeSegmentCue(segment: Segment): Cue[] {
  const { start, end, text, tokens } = segment;
  if (hasTimes(tokens)) return makeCue(spellAs(text, joinTokens(tokens, end)), true);
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
  const fields = readFields(answer);
  if (!fields) return null;
  const language = parseLanguage(fields['language']);
  const segments = readSegments(fields['segments']);
  const tokens = readTokens(fields['words']);
  const text = readText(fields) || segments.map((segment) => segment.text).join(' ');
  if (hasTimes(tokens)) {
    const end = Math.max(segments.at(-1)?.end ?? 0, readSeconds(fields['duration']) ?? 0);
    return { language, cues: makeCue(spellAs(text, joinTokens(tokens, end)), true) };
  }
  const cues = segments.flatMap(makeSegmentCue);
  if (cues.length > 0) return { language, cues };
  const known = 'text' in fields || 'segments' in fields || 'words' in fields;
  return known && splitWords(text).length === 0 ? { language, cues: [] } : null;
}
