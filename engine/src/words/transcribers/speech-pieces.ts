import type { Span, Word } from '../../facts.ts';
import type { Cue } from '../subtitles.ts';
import { outside } from '../../spans.ts';

/** A stretch that is sent on its own. Its words count from `from` to `to`; `start` and `end` may reach a little further. */
export interface Piece extends Span {
  from: number;
  to: number;
}

/** Seconds by which two pieces overlap where no silence parts them. */
const overlap = 2;
/** Least sound in seconds that is worth asking about. */
const leastSound = 0.2;

/** The best place to part in the last half of a piece: the middle of its longest silence, later ones first. */
function partAt(from: number, to: number, silences: readonly Span[]): number | null {
  let best: { at: number; length: number } | null = null;
  for (const silence of silences) {
    const at = (silence.start + silence.end) / 2;
    const length = Math.min(1.5, silence.end - silence.start);
    if (at > (from + to) / 2 && at <= to && length >= (best?.length ?? 0)) best = { at, length };
  }
  return best?.at ?? null;
}

/**
 * Parts a stretch into pieces of at most `longest` seconds: in silences, or, where there are none for too long, with an
 * overlap. Pieces in which nothing is heard are left out.
 */
export function speechPieces(span: Span, silences: readonly Span[], longest: number): Piece[] {
  const pieces: Piece[] = [];
  let from = span.start;
  let reach = 0;
  while (from < span.end) {
    const last = span.end - from + reach <= longest;
    const limit = from - reach + longest;
    const silent = last ? span.end : partAt(from, limit, silences);
    const to = silent ?? limit - overlap / 2;
    const next = silent === null ? overlap / 2 : 0;
    pieces.push({ from, to, start: from - reach, end: to + next });
    from = to;
    reach = next;
  }
  return pieces.filter(
    (piece) =>
      outside({ start: piece.from, end: piece.to }, silences).reduce(
        (sum, { start, end }) => sum + end - start,
        0,
      ) >= leastSound,
  );
}

/** Seconds by which two pieces that overlap may differ about where a word at the seam stands. */
const seam = 0.25;

const middleOf = ({ start, end }: Span): number => (start + end) / 2;

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The cues of one piece (times from its start) at their place in the source, with the words that are its own. */
export function ownCues(piece: Piece, cues: readonly Cue[]): Cue[] {
  const from = piece.from - (piece.start < piece.from ? seam : 0);
  const to = piece.to + (piece.end > piece.to ? seam : 0);
  return cues.flatMap((cue) => {
    const words = cue.words
      .map((word) => ({
        text: word.text,
        start: Math.max(0, word.start) + piece.start,
        end: Math.min(word.end + piece.start, piece.end),
      }))
      .filter((word) => word.start < word.end && middleOf(word) >= from && middleOf(word) < to);
    const first = words[0];
    const last = words.at(-1);
    if (!first || !last) return [];
    const whole = words.length === cue.words.length;
    const start = whole ? Math.max(cue.start, 0) + piece.start : first.start;
    const end = whole ? Math.min(cue.end + piece.start, piece.end) : last.end;
    return [{ start, end, words, timed: cue.timed }];
  });
}

/** Whether a word is one of those that the piece before heard last: the same, or in the place of it. */
const heardBefore = (word: Word, last: readonly Word[]): boolean =>
  last.some(
    (other) =>
      (bare(other.text) === bare(word.text) && Math.abs(other.start - word.start) < 2 * seam) ||
      (middleOf(word) > other.start && middleOf(word) < other.end),
  );

/** Puts the next piece's cues behind those there are. What both heard at the seam is kept once. */
export function joinCues(cues: readonly Cue[], next: readonly Cue[]): Cue[] {
  const last = cues.at(-1)?.words.slice(-3) ?? [];
  const [head, ...rest] = next;
  const first = head?.words.findIndex((word) => !heardBefore(word, last)) ?? 0;
  if (!head || first === 0) return [...cues, ...next];
  const words = first < 0 ? [] : head.words.slice(first);
  const start = words[0]?.start;
  return [...cues, ...(start === undefined ? [] : [{ ...head, start, words }]), ...rest];
}
