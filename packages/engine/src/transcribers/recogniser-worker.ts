/**
 * Recognises pieces of speech in a process of its own: native code can crash, and needs much
 * memory. Argument: the model as JSON. Input: for each piece a line of JSON,
 * `{ language, samples }`, and that many samples (16 kHz, mono, 16 bits, little-endian). Answers
 * each with a line of JSON, {@link Heard}.
 */
import { availableParallelism } from 'node:os';
import { Tensor } from 'onnxruntime-node';
import sherpa from 'sherpa-onnx-node';
import { openNetwork } from '../program/open-network.ts';
import { type Heard, hasVoice } from './recognised-words.ts';
import type { RecogniserModel } from './recogniser.ts';

const sampleRate = 16_000;

/** The maximum number of threads; more only help large machines a little. */
const maxThreads = 8;

const model = JSON.parse(process.argv[2] ?? '') as RecogniserModel;

/** Silence that Whisper hears after a piece, in frames of 10 ms. */
const tailFrames = 100;

const configure = (language: string) => ({
  featConfig: { sampleRate, featureDim: 80 },
  modelConfig: {
    ...(model.kind === 'whisper'
      ? {
          whisper: {
            encoder: model.encoder,
            decoder: model.decoder,
            language,
            task: 'transcribe',
            tailPaddings: tailFrames,
            enableTokenTimestamps: model.hasAttention ? 1 : 0,
            // Whisper leaves fewer sentences out if it also writes the times of segments.
            enableSegmentTimestamps: 1,
          },
        }
      : {
          transducer: { encoder: model.encoder, decoder: model.decoder, joiner: model.joiner },
          modelType: 'nemo_transducer',
        }),
    tokens: model.tokens,
    numThreads: Math.min(maxThreads, availableParallelism()),
    provider: 'cpu',
    debug: 0,
  },
});

const recogniser = new sherpa.OfflineRecognizer(configure(''));
let current = '';

function recognise(samples: Float32Array, language: string): Omit<Heard, 'voice'> {
  if (language !== current) {
    recogniser.setConfig(configure(language));
    current = language;
  }
  const stream = recogniser.createStream();
  stream.acceptWaveform({ samples, sampleRate });
  recogniser.decode(stream);
  const result = recogniser.getResult(stream);
  const { timestamps, durations = [] } = result;
  const segmentsOnly = timestamps.length === 0;
  const tokens = segmentsOnly
    ? (result.segment_texts ?? []).map((text, index) => {
        const start = result.segment_timestamps![index]!;
        return { text, start, end: start + result.segment_durations![index]! };
      })
    : result.tokens.map((text, index) => {
        const start = timestamps[index]!;
        // Parakeet only says when a token begins.
        const length = durations[index];
        return { text, start, end: length === undefined ? null : start + length };
      });
  return {
    text: result.text,
    language: result.lang,
    tokens,
    segmentsOnly,
  };
}

const silero = new URL('../../models/voice-activity.onnx', import.meta.url);
const voiceFrame = 512;
/** Samples before a frame that the network sees, too. */
const voiceContext = 64;

async function loadVoiceDetector(): Promise<(samples: Float32Array) => Promise<number[]>> {
  const session = await openNetwork(silero);
  return async (samples) => {
    const frames = Math.ceil(samples.length / voiceFrame);
    const padded = new Float32Array(voiceContext + frames * voiceFrame);
    padded.set(samples, voiceContext);
    const width = voiceContext + voiceFrame;
    const input = new Float32Array(frames * width);
    for (let frame = 0; frame < frames; frame++) {
      const from = frame * voiceFrame;
      input.set(padded.subarray(from, from + width), frame * width);
    }
    const zeros = () => new Tensor('float32', new Float32Array(128), [1, 1, 128]);
    const { speech_probs } = await session.run({
      input: new Tensor('float32', input, [frames, width]),
      h: zeros(),
      c: zeros(),
    });
    return Array.from(speech_probs!.data as Float32Array, (value) => Math.round(100 * value));
  };
}

const toFloat = (bytes: Buffer): Float32Array =>
  Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at) / 32_768);

/** Reads the pieces from the input. */
async function* readPieces(): AsyncGenerator<{ language: string; samples: Float32Array }> {
  let rest = Buffer.alloc(0);
  let head: { language: string; samples: number } | null = null;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (!head) {
        const end = rest.indexOf('\n');
        if (end < 0) break;
        head = JSON.parse(rest.toString('utf8', 0, end)) as { language: string; samples: number };
        rest = rest.subarray(end + 1);
      }
      const bytes = 2 * head.samples;
      if (rest.length < bytes) break;
      yield { language: head.language, samples: toFloat(rest.subarray(0, bytes)) };
      rest = rest.subarray(bytes);
      head = null;
    }
  }
}

const findVoice = await loadVoiceDetector();
for await (const { language, samples } of readPieces()) {
  const voice = await findVoice(samples);
  const silent = { text: '', language, tokens: [], segmentsOnly: false };
  const heard: Heard = { ...(hasVoice(voice) ? recognise(samples, language) : silent), voice };
  process.stdout.write(`${JSON.stringify(heard)}\n`);
}
