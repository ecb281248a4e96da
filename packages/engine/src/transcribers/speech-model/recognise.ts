import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { run } from '../../program/ffmpeg-process.ts';
import { ProcessError } from '../../program/process-error.ts';
import { SpeechModelError } from './model-file.ts';

const script = fileURLToPath(new URL('./whisper-process.mjs', import.meta.url));

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

/** What whisper.cpp heard in a piece of sound. */
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
      onStdout: (piece) => {
        const lines = (rest + piece.toString('utf8')).split('\n');
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
