import type { Span } from '../facts.ts';
import { computeLogOdds, readCueModel, stripWord } from '../words/cue-model.ts';
import { splitWords } from '../words/word-text.ts';
import cues from './housekeeping-cues.json' with { type: 'json' };
import { computeMean } from '../scan/scan-measures.ts';
import type { Unit } from './units.ts';

/**
 * The share of a source at its start where people greet and introduce, within these seconds. It
 * takes them half as long to say goodbye.
 */
const openingShare = 1 / 30;
const [minOpeningSeconds, maxOpeningSeconds] = [45, 90];

/**
 * A clip is housekeeping from these log-odds of its highest sentences on: less is enough at the
 * edges of the source, or if all of its sentences have high ones.
 */
const minLogOdds = { inside: 1.4, throughout: 1, atEdge: 0.5 };
/** A clip that is housekeeping throughout has this mean log-odds, and this many sentences. */
const [minMeanLogOdds, minSentences] = [0.42, 4];

const model = readCueModel(cues);

/** The runs of one to three words of a text, each once; question marks count as words. */
function listRuns(text: string): string[] {
  const words = splitWords(text.replace(/[?!]+/g, ' $& '))
    .map((word) => (/^[?!]/.test(word) ? word[0]! : stripWord(word)))
    .filter(Boolean);
  const runs = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= 3 && at + length <= words.length; length++) {
      runs.add(words.slice(at, at + length).join(' '));
    }
  }
  return [...runs];
}

/**
 * Makes a function that tells whether the clip from unit `first` to unit `last` is about the event
 * itself: a greeting, an introduction, a sign-off, a sponsor. It knows English words only; in other
 * languages, no clip is.
 * @param span the part of the source that was scanned, in seconds
 */
export function createHousekeepingFinder(
  units: readonly Unit[],
  { language, span }: { language: string; span: Span },
): (first: number, last: number) => boolean {
  if (language !== 'en') return () => false;
  const odds = units.map(({ text }) => (text ? computeLogOdds(model, listRuns(text)) : -Infinity));
  /** The first unit from each one on that could make a clip housekeeping. */
  const nextHigh = new Int32Array(units.length + 1).fill(units.length);
  for (let at = units.length - 1; at >= 0; at--) {
    nextHigh[at] = odds[at]! >= minLogOdds.atEdge ? at : nextHigh[at + 1]!;
  }
  const share = openingShare * (span.end - span.start);
  const openingSeconds = Math.min(maxOpeningSeconds, Math.max(minOpeningSeconds, share));
  return (first, last) => {
    if (nextHigh[first]! > last) return false;
    const isAtEdge =
      units[first]!.start < span.start + openingSeconds ||
      units[last]!.end > span.end - openingSeconds / 2;
    const sorted = odds.slice(first, last + 1).toSorted((a, b) => b - a);
    const highest = sorted.slice(0, Math.max(2, Math.ceil(sorted.length / 3)));
    const mean = computeMean(highest);
    if (isAtEdge) return mean >= minLogOdds.atEdge;
    if (mean >= minLogOdds.inside) return true;
    if (sorted.length < minSentences || mean < minLogOdds.throughout) return false;
    return computeMean(sorted) >= minMeanLogOdds;
  };
}
