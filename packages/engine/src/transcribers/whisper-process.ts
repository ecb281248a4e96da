import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { Span, Word } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { ProcessError } from '../program/process-error.ts';
import { baseLanguage } from '../words/language-code.ts';
import { SpeechModelError } from './speech-model.ts';
import { type Token, wordsOfTokens } from './token-words.ts';

const script = fileURLToPath(new URL('./whisper-worker.mjs', import.meta.url));

/** The package with whisper.cpp for this machine. */
export const recogniserPackage = `@fugood/node-whisper-${process.platform}-${process.arch}`;

const said = z.object({
  language: z.optional(z.string()),
  /** The whole text. */
  result: z.string(),
  /** Tokens, because the maximum length of a segment is one letter. Times are in milliseconds. */
  segments: z.array(z.object({ text: z.string(), t0: z.number(), t1: z.number() })),
});
const message = z.union([z.object({ progress: z.number() }), z.object({ said })]);

/** What whisper.cpp recognised in a segment of sound. */
export type Said = z.infer<typeof said>;

export interface Recognition {
  /** Name or path of the recogniser's package. */
  addon: string;
  model: string;
  /** A WAV file: 16 kHz, mono. */
  sound: string;
  seconds: number;
  /** A code of whisper.cpp; `auto` detects the language. */
  language: string;
  /** Names and words that the speech probably contains. */
  context: string;
  signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  onProgress: (share: number) => void;
}

/** More threads only help large machines a little. */
const maxThreads = 8;

/** Seconds of the clock for a second of sound: large models on one slow processor. */
const maxSlowness = 60;

/** The error in words for the operator. */
function reasonOf(error: unknown, addon: string): unknown {
  if (!(error instanceof ProcessError)) return error;
  const { stderrTail } = error;
  if (/Cannot find module/.test(stderrTail)) {
    return new SpeechModelError(
      `Speech recognition needs the package ${addon}, which is not installed or does not exist for this machine. Install it, or set SPEECH_URL.`,
    );
  }
  if (/Failed to initialize whisper context/.test(stderrTail)) {
    return new SpeechModelError(
      'The speech model could not be loaded. The file is damaged, or not complete. Replace it.',
    );
  }
  // The recogniser does not settle its promise then, and Node ends with this code.
  if (error.exitCode === 13) return new SpeechModelError('The speech recogniser failed.');
  return error;
}

/**
 * Recognises the speech of a sound file with whisper.cpp, in a process of its own: it ends with the
 * signal, and a crash does not affect this one.
 * @throws {@link SpeechModelError}, {@link ProcessError}, or the signal's reason
 */
export async function recognise(speech: Recognition): Promise<Said> {
  const { addon, model, sound, seconds, language, context, signal, onProgress } = speech;
  const options = {
    language,
    ...(context && { prompt: context }),
    tokenTimestamps: true,
    maxLen: 1,
    maxThreads: Math.min(maxThreads, availableParallelism()),
  };
  let heard: Said | null = null;
  let rest = '';
  const read = (line: string) => {
    const { success, data } = message.safeParse(JSON.parse(line));
    if (!success) return;
    if ('said' in data) heard = data.said;
    else onProgress(data.progress);
  };
  try {
    await run(process.execPath, [script, addon, model, sound, JSON.stringify(options)], {
      signal,
      deadlineSeconds: 300 + maxSlowness * seconds,
      onStdout: (chunk) => {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(read);
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw reasonOf(error, addon);
  }
  if (!heard) throw new SpeechModelError('The speech recogniser ended without a result.');
  return heard;
}

const broken = /\ufffd/;

/**
 * The tokens with whole letters. A letter can be split between two tokens; the whole text has it.
 */
function wholeTokens({ result, segments }: Said): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let index = 0; index < segments.length; index++) {
    const first = segments[index]!;
    let last = first;
    let { text } = first;
    if (broken.test(text)) {
      while (index + 1 < segments.length && broken.test(segments[index + 1]!.text)) {
        last = segments[++index]!;
      }
      const next = segments[index + 1]?.text;
      const end = next === undefined ? result.length : result.indexOf(next, at);
      text = end < 0 ? '' : result.slice(at, end);
    }
    at += text.length;
    if (text) tokens.push({ text, start: first.t0 / 1000, end: last.t1 / 1000 });
  }
  return tokens;
}

const pairs: Readonly<Record<string, string>> = { '[': ']', '(': ')', '*': '*', '♪': '♪' };

/** Longer passages in brackets are speech. */
const maxAsideWords = 8;

/** Removes what is not said: `[BLANK_AUDIO]`, `(audience laughing)`, `*sighs*`, `♪ la la ♪`. */
function withoutAsides(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const close = pairs[tokens[index]!.text.trim()[0] ?? ''];
    const rest = tokens.slice(index, index + 6 * maxAsideWords);
    const length = rest.findIndex(({ text }, place) =>
      (place === 0 ? text.trim().slice(1) : text).includes(close ?? '\0'),
    );
    if (length >= 0) index += length;
    else kept.push(tokens[index]!);
  }
  return kept;
}

/** A recogniser invents words in a pause of this length (“Thank you for watching”). */
const minPauseSeconds = 1.5;
/** Words this close to the end of a pause are only badly timed. */
const slackSeconds = 0.4;

const isInvented = ({ start, end }: Word, pauses: readonly Span[]): boolean =>
  pauses.some(
    (pause) =>
      pause.end - pause.start >= minPauseSeconds &&
      start >= pause.start + slackSeconds &&
      end <= pause.end - slackSeconds,
  );

/**
 * Returns the words of a segment of sound, in seconds from its start.
 * @param pauses the pauses of the segment, in the same time
 */
export const whisperWords = (said: Said, pauses: readonly Span[]): Word[] =>
  wordsOfTokens(withoutAsides(wholeTokens(said)), (said.segments.at(-1)?.t1 ?? 0) / 1000).filter(
    (word) => !isInvented(word, pauses),
  );

/** Codes of the languages that multilingual models know. */
const known: ReadonlySet<string> = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ' +
    'ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn ' +
    'so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh'
  ).split(' '),
);

/** Where BCP 47 uses another code. */
const others: Readonly<Record<string, string>> = { cmn: 'zh', fil: 'tl', jv: 'jw', nb: 'no' };

/** The code that whisper.cpp uses for a language (BCP 47); null if it does not know it. */
export function whisperLanguage(code: string): string | null {
  const base = baseLanguage(code);
  const own = others[base] ?? base;
  return known.has(own) ? own : null;
}
