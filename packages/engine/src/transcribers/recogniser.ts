import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readJsonLines, run } from '../program/ffmpeg-process.ts';
import { ProcessError } from '../program/process-error.ts';
import type { Heard } from './recognised-words.ts';
import { type SpeechModel, SpeechModelError } from './speech-model.ts';

const worker = fileURLToPath(new URL('./recogniser-worker.ts', import.meta.url));

/** A model, and whether it says where in the sound it looks for each token. */
export type RecogniserModel = SpeechModel & { hasAttention: boolean };

/** Recognises a piece of sound: 16 kHz, mono. An empty language is detected. */
export type Recognise = (samples: Int16Array, language: string) => Promise<Heard>;

/** Seconds of the clock for a second of sound: large models on one slow processor. */
const maxSlowness = 60;

/** Memory that the process can write: Parakeet, the largest model, takes 2 GB. */
const dataBytes = 4 * 1024 ** 3;

/** Explains to the operator why the recogniser failed. */
function explainFailure(error: unknown): unknown {
  if (!(error instanceof ProcessError)) return error;
  const { stderrTail } = error;
  if (/Cannot find (?:module|package)|Could not find sherpa-onnx/.test(stderrTail)) {
    return new SpeechModelError(
      `Speech recognition needs the packages sherpa-onnx-node and onnxruntime-node. One of them is not installed, or does not exist for this machine (${process.platform}-${process.arch}). Install it, or set SPEECH_URL.`,
    );
  }
  if (/check your config|Protobuf parsing failed|INVALID_PROTOBUF|Load model/i.test(stderrTail)) {
    return new SpeechModelError(
      'The speech model could not be loaded. A file of it is damaged, or not complete. Delete its folder, or replace the file.',
    );
  }
  return error;
}

/**
 * Runs the recogniser in a process of its own while `work` needs it: native code can crash, and
 * needs much memory. The process ends with the signal.
 * @param seconds length of all sound that it may have to recognise
 * @param script what runs in the process
 * @throws {@link SpeechModelError}, {@link ProcessError}, the signal's reason, or the error of
 * `work`
 */
export async function withRecogniser<T>(
  model: RecogniserModel,
  { seconds, signal, script = worker }: { seconds: number; signal: AbortSignal; script?: string },
  work: (recognise: Recognise) => Promise<T>,
): Promise<T> {
  const input = new PassThrough();
  const stopped = new AbortController();
  const waiting: PromiseWithResolvers<Heard>[] = [];
  let failure: unknown = null;
  const running = run(process.execPath, [script, JSON.stringify(model)], {
    signal: AbortSignal.any([signal, stopped.signal]),
    deadlineSeconds: 300 + maxSlowness * seconds,
    limits: { dataBytes },
    stdin: input,
    onStdout: readJsonLines((heard) => waiting.shift()?.resolve(heard as Heard)),
  })
    .then(
      () => new SpeechModelError('The speech recogniser ended without a result.'),
      (error: unknown) => explainFailure(error),
    )
    .then((reason) => {
      failure = reason;
      for (const { reject } of waiting.splice(0)) reject(reason);
    });
  try {
    return await work((samples, language) => {
      if (failure !== null) return Promise.reject(failure as Error);
      const answer = Promise.withResolvers<Heard>();
      waiting.push(answer);
      input.write(`${JSON.stringify({ language, samples: samples.length })}\n`);
      input.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
      return answer.promise;
    });
  } catch (error) {
    stopped.abort();
    signal.throwIfAborted();
    throw error;
  } finally {
    input.end();
    await running;
  }
}
