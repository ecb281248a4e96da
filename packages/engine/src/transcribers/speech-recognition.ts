import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Span, Word } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { openSource, makeSoundFilters } from '../source/open-source.ts';
import { rawSamples } from '../source/sound-samples.ts';
import { measuredRate } from '../source/sound-levels.ts';
import { getBaseLanguage, parseLanguage } from '../words/language-code.ts';
import type { Cue } from '../words/subtitles.ts';
import { copyWithAttention } from './decoder-attention.ts';
import { type Recognise, type RecogniserModel, withRecogniser } from './recogniser.ts';
import {
  countVoice,
  findLoop,
  findMissed,
  insertWords,
  readRecognisedWords,
  removeInvented,
  removeLoops,
} from './recognised-words.ts';
import { openModel, type SpeechModel, type SpeechModelOptions } from './speech-model.ts';
import { joinCues, keepOwnCues, type SpeechSegment, splitSpeech } from './speech-segments.ts';
import type { SpeechJob, Transcriber, Transcription } from './transcriber.ts';

/** Whisper hears 30 seconds at once. */
const maxPieceSeconds = 24;
/** Parakeet says nothing for a shorter sound. */
const minParakeetSeconds = 2;
/** The part of the pauses around a piece that is left, in seconds. */
const marginSeconds = 0.3;

/**
 * Cuts the sound into pieces at pauses. Pieces are contiguous in `from` and `to`; `start` and `end`
 * leave out pauses at their ends.
 */
export function cutPieces(
  duration: number,
  silences: readonly Span[],
  minSeconds: number,
): SpeechSegment[] {
  const pieces: SpeechSegment[] = [];
  for (const segment of splitSpeech({ start: 0, end: duration }, silences, maxPieceSeconds)) {
    const first = silences.find(({ start, end }) => start <= segment.start && end > segment.start);
    const last = silences.findLast(({ start, end }) => start < segment.end && end >= segment.end);
    const piece = {
      ...segment,
      start: Math.max(segment.start, (first?.end ?? 0) - marginSeconds),
      end: Math.min(segment.end, (last?.start ?? duration) + marginSeconds),
    };
    const before = pieces.at(-1);
    const isShort = piece.end - piece.start < minSeconds;
    if (before && (isShort || before.end - before.start < minSeconds)) {
      Object.assign(before, { to: piece.to, end: piece.end });
    } else pieces.push(piece);
  }
  return pieces;
}

/** Reads the sound of the pieces in their order. Reading waits for each call of `use`. */
async function readPieces(
  job: SpeechJob,
  pieces: readonly SpeechSegment[],
  use: (piece: SpeechSegment, samples: Int16Array) => Promise<void>,
): Promise<void> {
  const from = pieces[0]!.start;
  const seconds = pieces.at(-1)!.end - from;
  const opened = await openSource(job.path, { from, picture: null, signal: job.signal });
  const toSample = (time: number) => Math.round((time - from) * measuredRate);
  const left = [...pieces];
  let held = Buffer.alloc(0);
  /** The number of the first sample that is held. */
  let first = 0;
  const take = async (chunk: Buffer): Promise<void> => {
    held = Buffer.concat([held, chunk]);
    for (let piece = left[0]; piece; piece = left[0]) {
      const last = toSample(piece.end);
      if (last - first > held.length >> 1) break;
      const start = 2 * (toSample(piece.start) - first);
      const bytes = held.subarray(start, 2 * (last - first));
      const samples = new Int16Array(bytes.length >> 1);
      for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(2 * at);
      left.shift();
      await use(piece, samples);
    }
    const needed = left[0] ? toSample(left[0].start) : Infinity;
    const dropped = Math.max(0, Math.min(held.length >> 1, needed - first));
    held = held.subarray(2 * dropped);
    first += dropped;
  };
  // A little more than is needed: a length that is rounded down would hold back the last piece.
  const read = (seconds + 0.01).toFixed(6);
  const graph = `${makeSoundFilters(job, opened, measuredRate)},apad=whole_dur=${read},atrim=end=${read}[a]`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-filter_complex', graph, '-map', '[a]', ...rawSamples,
    ],
    { signal: job.signal, deadlineSeconds: 600 + 60 * seconds, onStdout: take },
  );
  if (left.length > 0) throw new Error('The sound ended before its last piece was read.');
}

/** The words of a piece, and the language in which they were recognised. */
interface HeardPiece {
  piece: SpeechSegment;
  samples: Int16Array;
  language: string;
  words: Word[];
  timed: boolean;
  voiceSeconds: number;
}

/** A piece with less voice does not show its language. */
const minLanguageSeconds = 5;

/** Recognises the pieces of one source, in their order. */
export class Recognition {
  readonly #recognise: Recognise;
  readonly #silences: readonly Span[];
  /** The language that the request names; null if each piece is asked for its own. */
  readonly #stated: string | null;
  /** The language of the last pieces; null if none has shown it. */
  #current: string | null = null;
  /** Pieces that wait until those after them show their language. */
  readonly #waiting: HeardPiece[] = [];
  readonly #secondsOf = new Map<string, number>();
  #cues: Cue[] = [];

  constructor(recognise: Recognise, silences: readonly Span[], stated: string | null) {
    this.#recognise = recognise;
    this.#silences = silences;
    this.#stated = stated;
  }

  /** All words so far, and the language of most of them. */
  get transcription(): Transcription {
    const [most] = [...this.#secondsOf].toSorted((a, b) => b[1] - a[1]);
    return { language: parseLanguage(this.#stated ?? most?.[0]), cues: this.#cues };
  }

  /** The time up to which all words are known; `to` if no piece waits. */
  knownUntil(to: number): number {
    return this.#waiting[0]?.piece.from ?? to;
  }

  /**
   * Recognises a piece. A talk that quotes another language stays in its own, so a change of the
   * language must hold for two pieces that show it.
   */
  async add(piece: SpeechSegment, samples: Int16Array): Promise<void> {
    const heard = await this.#hear(piece, samples, this.#stated ?? '');
    const { language } = heard;
    if (this.#stated !== null || language === '') this.#keep(heard);
    else if (heard.voiceSeconds < minLanguageSeconds) {
      if (this.#current !== null && this.#waiting.length === 0) {
        await this.#keepIn(this.#current, heard);
      } else this.#waiting.push(heard);
    } else {
      const isChange = this.#waiting.some(
        (other) => other.language === language && other.voiceSeconds >= minLanguageSeconds,
      );
      if (this.#current === null || isChange) this.#current = language;
      for (const other of this.#waiting.splice(0)) await this.#keepIn(this.#current, other);
      if (language === this.#current) this.#keep(heard);
      else this.#waiting.push(heard);
    }
  }

  /** Settles what still waits. */
  async end(): Promise<void> {
    const longest = this.#waiting.toSorted((a, b) => b.voiceSeconds - a.voiceSeconds)[0];
    const language = this.#current ?? longest?.language ?? '';
    for (const other of this.#waiting.splice(0)) await this.#keepIn(language, other);
  }

  async #keepIn(language: string, heard: HeardPiece): Promise<void> {
    const isOther = heard.language !== language && heard.words.length > 0;
    this.#keep(isOther ? await this.#hear(heard.piece, heard.samples, language) : heard);
  }

  #keep({ piece, language, words, timed, voiceSeconds }: HeardPiece): void {
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return;
    const before = this.#secondsOf.get(language) ?? 0;
    if (language) this.#secondsOf.set(language, before + voiceSeconds);
    const cue = { start: first.start, end: last.end, words, timed };
    this.#cues = joinCues(this.#cues, keepOwnCues(piece, [cue]));
  }

  async #hear(piece: SpeechSegment, samples: Int16Array, asked: string): Promise<HeardPiece> {
    const pauses = this.#silences
      .map(({ start, end }) => ({ start: start - piece.start, end: end - piece.start }))
      .filter(({ start, end }) => end > 0 && start < piece.end - piece.start);
    const recognise = async ({ start, end }: Span, wanted: string) => {
      const from = Math.max(0, Math.round(start * measuredRate));
      const part = samples.subarray(from, Math.round(end * measuredRate));
      const heard = await this.#recognise(part, wanted);
      const at = from / measuredRate;
      const shift = (span: Span) => ({ start: span.start - at, end: span.end - at });
      const read = readRecognisedWords(
        heard,
        pauses.map(shift).filter((pause) => pause.end > 0),
      );
      const words = removeInvented(read, heard.voice).map((word) => ({
        ...word,
        start: word.start + at,
        end: word.end + at,
      }));
      return { heard, words };
    };
    const seconds = samples.length / measuredRate;
    const whole = await recognise({ start: 0, end: seconds }, asked);
    const { heard } = whole;
    const { voice, language } = heard;
    let { words } = whole;
    if (findLoop(words)) {
      const at = splitInMiddle(seconds, pauses);
      const parts = [
        await recognise({ start: 0, end: at }, language),
        await recognise({ start: at, end: seconds }, language),
      ];
      words = removeLoops(parts.flatMap((part) => part.words));
    }
    for (const missed of findMissed(words, { voice, pauses, seconds })) {
      const wider = { start: missed.start - marginSeconds, end: missed.end + marginSeconds };
      const found = await recognise(wider, language);
      words = removeLoops(insertWords(words, found.words, missed));
    }
    return {
      piece,
      samples,
      language,
      words,
      timed: !heard.segmentsOnly,
      voiceSeconds: countVoice(voice, { start: 0, end: seconds }),
    };
  }
}

/** The pause that is nearest to the middle of a piece; the middle itself if there is none. */
function splitInMiddle(seconds: number, pauses: readonly Span[]): number {
  const middle = seconds / 2;
  const places = pauses
    .map(({ start, end }) => (start + end) / 2)
    .filter((at) => at > seconds / 4 && at < (3 * seconds) / 4);
  return places.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
}

/** Codes of the languages that Whisper knows. */
const known: ReadonlySet<string> = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ' +
    'ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn ' +
    'so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh'
  ).split(' '),
);

/** Where BCP 47 uses another code. */
const others: Readonly<Record<string, string>> = { cmn: 'zh', fil: 'tl', jv: 'jw', nb: 'no' };

/** The code that Whisper uses for a language (BCP 47); null if it does not know it. */
export function getWhisperLanguage(code: string): string | null {
  const base = getBaseLanguage(code);
  const own = others[base] ?? base;
  return known.has(own) ? own : null;
}

/**
 * The language to ask a model for; null if it tells the language itself, undefined if it does not
 * know the stated one.
 */
function chooseLanguage(
  { kind, name }: SpeechModel,
  stated: string | null,
): string | null | undefined {
  if (kind !== 'whisper') return null;
  if (!name.endsWith('.en')) return stated && getWhisperLanguage(stated);
  return stated === null || getBaseLanguage(stated) === 'en' ? 'en' : undefined;
}

async function transcribeWith(
  options: SpeechModelOptions,
  job: SpeechJob,
): Promise<Transcription | null> {
  if (!job.hasAudio) return null;
  const { signal, duration, silences } = job;
  const model = await openModel(options, {
    signal,
    ...(job.onDownload && { onProgress: job.onDownload }),
  });
  const stated = chooseLanguage(model, job.language);
  if (stated === undefined) return null;
  const minSeconds = model.kind === 'parakeet' ? minParakeetSeconds : 0;
  const pieces = cutPieces(duration, silences, minSeconds);
  if (pieces.length === 0) return { language: job.language, cues: [] };
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  try {
    const ready = await prepareModel(model, directory);
    return await withRecogniser(ready, { seconds: duration, signal }, async (recognise) => {
      const recognition = new Recognition(recognise, silences, stated);
      job.onProgress(0);
      await readPieces(job, pieces, async (piece, samples) => {
        await recognition.add(piece, samples);
        job.onProgress(Math.min(1, piece.to / duration));
        job.onWords?.(recognition.transcription, recognition.knownUntil(piece.to));
      });
      await recognition.end();
      const { language, cues } = recognition.transcription;
      return { language: job.language ?? language, cues };
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Adds the output to a Whisper model that word times need. */
async function prepareModel(model: SpeechModel, directory: string): Promise<RecogniserModel> {
  if (model.kind !== 'whisper') return { ...model, hasAttention: false };
  const decoder = join(directory, 'decoder.onnx');
  const hasAttention = await copyWithAttention(model.decoder, decoder, model.name);
  return { ...model, decoder, hasAttention };
}

/**
 * Transcribes with a model on this machine, without a network except for the model: a named one is
 * downloaded when it is first needed. Does not apply if the model does not know the stated
 * language. `transcribe` throws {@link SpeechModelError} or {@link RemoteError}.
 */
export const createSpeechModel = (options: SpeechModelOptions): Transcriber => ({
  name: 'speech-model',
  transcribe: (job) => transcribeWith(options, job),
});
