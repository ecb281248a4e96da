import type { SoundFacts, Span, Word } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import { openSource, makeSoundFilters } from '../source/open-source.ts';
import { subtractSpans } from '../spans.ts';
import type { Cue } from '../words/subtitles.ts';
import { stripMarks } from './token-words.ts';

/**
 * A part of the sound that is sent in one request. Only words between `from` and `to` are used.
 * `start` and `end` can be a little wider.
 */
export interface SpeechSegment extends Span {
  from: number;
  to: number;
}

/** The overlap of two segments without silence between them, in seconds. */
const overlapSeconds = 2;
/** Pieces with less sound are not sent. */
const minSoundSeconds = 0.2;

/**
 * The best place to split in the last half of a segment: the middle of its longest silence. Of
 * equal ones, the last.
 */
function splitAt(from: number, to: number, silences: readonly Span[]): number | null {
  let best: { at: number; length: number } | null = null;
  for (const silence of silences) {
    const at = (silence.start + silence.end) / 2;
    const length = Math.min(1.5, silence.end - silence.start);
    if (at > (from + to) / 2 && at <= to && length >= (best?.length ?? 0)) best = { at, length };
  }
  return best?.at ?? null;
}

/**
 * Splits a time range into segments of at most `maxSeconds`, in silences. If there is no silence
 * for too long, two segments overlap. Segments without sound are dropped.
 */
export function splitSpeech(
  span: Span,
  silences: readonly Span[],
  maxSeconds: number,
): SpeechSegment[] {
  const segments: SpeechSegment[] = [];
  let from = span.start;
  let reach = 0;
  while (from < span.end) {
    const last = span.end - from + reach <= maxSeconds;
    const limit = from - reach + maxSeconds;
    const silent = last ? span.end : splitAt(from, limit, silences);
    const to = silent ?? limit - overlapSeconds / 2;
    const next = silent === null ? overlapSeconds / 2 : 0;
    segments.push({ from, to, start: from - reach, end: to + next });
    from = to;
    reach = next;
  }
  return segments.filter(
    (segment) =>
      subtractSpans({ start: segment.from, end: segment.to }, silences).reduce(
        (sum, { start, end }) => sum + end - start,
        0,
      ) >= minSoundSeconds,
  );
}

/** In two overlapping segments, the times of the same word may differ by this much. */
const seamSeconds = 0.25;

const getMiddle = ({ start, end }: Span): number => (start + end) / 2;

/**
 * Moves the cues of a segment (times from its start) to source time. Only the segment's own words
 * remain.
 */
export function keepOwnCues(segment: SpeechSegment, cues: readonly Cue[]): Cue[] {
  const from = segment.from - (segment.start < segment.from ? seamSeconds : 0);
  const to = segment.to + (segment.end > segment.to ? seamSeconds : 0);
  return cues.flatMap((cue) => {
    const words = cue.words
      .map((word) => ({
        text: word.text,
        start: Math.max(0, word.start) + segment.start,
        end: Math.min(word.end + segment.start, segment.end),
      }))
      .filter((word) => word.start <= word.end && getMiddle(word) >= from && getMiddle(word) < to);
    const first = words[0];
    const last = words.at(-1);
    if (!first || !last) return [];
    const whole = words.length === cue.words.length;
    const start = whole ? Math.max(cue.start, 0) + segment.start : first.start;
    const end = whole ? Math.min(cue.end + segment.start, segment.end) : last.end;
    return [{ start, end, words, timed: cue.timed }];
  });
}

/**
 * Whether the segment before already has this word: the same text, or another word at the same
 * time.
 */
const isHeardBefore = (word: Word, last: readonly Word[]): boolean =>
  last.some(
    (other) =>
      (stripMarks(other.text) === stripMarks(word.text) &&
        Math.abs(other.start - word.start) < 2 * seamSeconds) ||
      (getMiddle(word) > other.start && getMiddle(word) < other.end),
  );

/** Appends the cues of the next segment. Words at the seam that are in both remain once. */
export function joinCues(cues: readonly Cue[], next: readonly Cue[]): Cue[] {
  const last = cues.at(-1)?.words.slice(-3) ?? [];
  const [head, ...rest] = next;
  const first = head?.words.findIndex((word) => !isHeardBefore(word, last)) ?? 0;
  if (!head || first === 0) return [...cues, ...next];
  const words = first < 0 ? [] : head.words.slice(first);
  const start = words[0]?.start;
  return [...cues, ...(start === undefined ? [] : [{ ...head, start, words }]), ...rest];
}

const sampleRate = 16_000;

/**
 * Writes a part of a source's sound as mono at 16 kHz, with silence where it has none. The
 * extension of `output` decides the format: `.flac` or `.wav`.
 */
export async function writeSound(
  source: SoundFacts & { path: string },
  { start, end }: Span,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const seconds = end - start;
  const opened = await openSource(source.path, { from: start, picture: null, signal });
  const filters = `${makeSoundFilters(source, opened, sampleRate)},apad=whole_dur=${seconds.toFixed(3)},atrim=end=${seconds.toFixed(3)}[a]`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-filter_complex', filters, '-map', '[a]', '-ac', '1', '-sample_fmt', 's16',
      '-map_metadata', '-1', '-y', output,
    ],
    { signal, deadlineSeconds: 60 + seconds },
  );
}

/** Recognisers are this far off at pauses; farther edges belong to other words. */
const maxErrorSeconds = 0.3;

/**
 * Moves words to the edges of the pauses between them: recognisers tell words apart well, but not
 * when a word after a pause begins. `words` and `pauses` are in order.
 */
function snapToPauses(words: readonly Word[], pauses: readonly Span[]): Word[] {
  const snapped = words.map((word) => ({ ...word }));
  let at = 0;
  for (const pause of pauses) {
    const middle = (pause.start + pause.end) / 2;
    while (at < snapped.length && (snapped[at]!.start + snapped[at]!.end) / 2 < middle) at++;
    const [before, after] = [snapped[at - 1], snapped[at]];
    if (before && before.end > pause.start - maxErrorSeconds && before.start < pause.start) {
      before.end = pause.start;
    }
    if (after && after.start < pause.end + maxErrorSeconds && after.end > pause.end) {
      after.start = pause.end;
    }
  }
  return snapped;
}

/**
 * Does the same with the cues of a segment of sound that begins at `start`. Their times count from
 * there; times of pauses count from the start of the source. Estimated times stay.
 */
export function snapCues(cues: readonly Cue[], start: number, pauses: readonly Span[]): Cue[] {
  const own = pauses.map((pause) => ({ start: pause.start - start, end: pause.end - start }));
  return cues.map((cue) => (cue.timed ? { ...cue, words: snapToPauses(cue.words, own) } : cue));
}
