import type { Span, Word } from '../facts.ts';
import type { Cue } from './subtitles.ts';

/** Recognisers are this far off at pauses; farther edges belong to other words. */
const maxErrorSeconds = 0.3;

/**
 * Moves words to the edges of the pauses between them: recognisers tell words apart well, but not
 * when a word after a pause begins. `words` and `pauses` are in order.
 */
export function snappedToPauses(words: readonly Word[], pauses: readonly Span[]): Word[] {
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
 * Does the same with the cues of a piece of sound that begins at `start`. Their times count from
 * there, those of the pauses from the start of the source. Estimated times stay.
 */
export function snappedCues(cues: readonly Cue[], start: number, pauses: readonly Span[]): Cue[] {
  const own = pauses.map((pause) => ({ start: pause.start - start, end: pause.end - start }));
  return cues.map((cue) => (cue.timed ? { ...cue, words: snappedToPauses(cue.words, own) } : cue));
}
