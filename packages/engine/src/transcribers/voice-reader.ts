import type { MediaInfo, Span, Transcript } from '../facts.ts';
import { getNetworkProcess } from '../program/network-process.ts';
import { analysisNiceness } from '../program/process-limits.ts';
import type { OpenedSource } from '../source/open-source.ts';
import { measuredRate } from '../source/sound-levels.ts';
import { streamSamples } from '../source/sound-samples.ts';
import { findVoiceSpan, numberSpeakers, withSpeakers } from '../words/voices.ts';
import type { VoiceTask } from './voice-process.ts';

/** Offset of a time in raw samples of 16 bits. */
const getOffset = (seconds: number): number => 2 * Math.round(seconds * measuredRate);

/** Sound that is never louder than this, as in a muted source, has no voice: -60 dBFS. */
const maxQuietSample = 33;

/** Cuts spans, which are in order and apart, out of raw samples that come in chunks of any size. */
export class SpanCutter {
  readonly #spans: readonly Span[];
  #next = 0;
  #bytes: Uint8Array | null = null;
  #at = 0;

  /** @param spans in seconds from the first sample */
  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** Returns the spans that are complete with this chunk. */
  *cut(chunk: Uint8Array): Generator<{ index: number; samples: Int16Array }> {
    const end = this.#at + chunk.length;
    for (; this.#next < this.#spans.length; this.#next++, this.#bytes = null) {
      const span = this.#spans[this.#next]!;
      const [from, to] = [getOffset(span.start), getOffset(span.end)];
      const first = Math.max(from, this.#at);
      const last = Math.min(to, end);
      if (first >= last) break;
      this.#bytes ??= new Uint8Array(to - from);
      this.#bytes.set(chunk.subarray(first - this.#at, last - this.#at), first - from);
      if (last < to) break;
      yield { index: this.#next, samples: new Int16Array(this.#bytes.buffer) };
    }
    this.#at = end;
  }
}

/**
 * Returns a transcript with the speakers of its words, by the voices of its sentences. The sound is
 * read once, in order. Voices are only in memory, and only until this has ended.
 * @param source.opened the source from the time `from` on
 * @throws what a program or the finder throws that fails, or the signal's reason
 */
export async function readSpeakers(
  transcript: Transcript,
  { media, opened, from }: { media: MediaInfo; opened: OpenedSource; from: number },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<Transcript> {
  const heard = transcript.sentences.flatMap((sentence, index) => {
    const span = findVoiceSpan(sentence);
    return span && span.start >= from
      ? [{ index, start: span.start - from, end: span.end - from }]
      : [];
  });
  if (heard.length < 2) return transcript;
  const voices = transcript.sentences.map((): Float32Array | null => null);
  const cutter = new SpanCutter(heard);
  const script = new URL('voice-process.ts', import.meta.url);
  const network = getNetworkProcess<VoiceTask, Float32Array>(script);
  network.open();
  try {
    await streamSamples(opened, {
      source: media,
      seconds: heard.at(-1)!.end + 1,
      niceness: analysisNiceness,
      signal,
      onStdout: async (chunk) => {
        for (const { index, samples } of cutter.cut(chunk)) {
          if (samples.some((sample) => Math.abs(sample) > maxQuietSample))
            voices[heard[index]!.index] = await network.ask({ samples });
          onProgress((index + 1) / heard.length);
        }
      },
    });
  } finally {
    network.close();
  }
  return withSpeakers(transcript, numberSpeakers(voices));
}
