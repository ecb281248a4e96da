import type { Loudness, Span } from '../facts.ts';

const scanSampleRate = 16_000;
/** Length of a loudness window in seconds. */
export const loudnessStep = 0.5;

/** Audio filters of the scan. Silences go to the log, levels to the output. */
export const soundScanFilter = [
  `aresample=${scanSampleRate}`,
  'aformat=channel_layouts=mono',
  'silencedetect=n=-35dB:d=0.35',
  `asetnsamples=n=${scanSampleRate * loudnessStep}:p=0`,
  'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level',
  'ametadata=mode=print:key=lavfi.astats.Overall.RMS_level:file=-',
].join(',');

/**
 * A line of the `silencedetect` filter. Strict, because a title in the file may contain similar
 * text.
 */
const silenceLine = /^\[silencedetect @ \S+\] silence_(start|end): (-?[\d.]+(?:e-?\d+)?)/;

/**
 * Reads the log lines of `silencedetect`. `end(duration)` closes a silence that lasts to the end.
 */
export class SilenceReader {
  readonly #silences: Span[] = [];
  #open: number | null = null;

  line(text: string): void {
    const [, what, time] = silenceLine.exec(text) ?? [];
    if (what === 'start') this.#open = Math.max(0, Number(time));
    if (what === 'end') this.#close(Number(time));
  }

  #close(end: number): void {
    if (this.#open !== null && end > this.#open) this.#silences.push({ start: this.#open, end });
    this.#open = null;
  }

  end(duration: number): Span[] {
    this.#close(duration);
    return this.#silences
      .map(({ start, end }) => ({ start: round(start), end: round(Math.min(end, duration)) }))
      .filter(({ start, end }) => start < end);
  }
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Lowest level that is reported, in dBFS. */
const minLevelDb = -70;

/** Reads the output of `ametadata=print`: one level per window. */
export class LoudnessReader {
  readonly #values: number[] = [];
  #rest = '';

  piece(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /RMS_level=(\S+)/.exec(line);
      if (!match) continue;
      const level = Number(match[1]);
      this.#values.push(
        Number.isFinite(level) ? Math.max(minLevelDb, Math.round(level * 10) / 10) : minLevelDb,
      );
    }
  }

  /** Seconds of sound that were read so far. */
  get seconds(): number {
    return this.#values.length * loudnessStep;
  }

  end(): Loudness {
    this.piece('\n');
    return { step: loudnessStep, values: this.#values };
  }
}
