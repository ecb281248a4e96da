import type { Edit } from '../edit.ts';
import type { Span, Word } from '../facts.ts';
import type { PictureAnalysis } from '../framing/subject-finder.ts';
import type { EditInputs } from './edit-inputs.ts';

/** The part of the pause before the first word that stays. */
const airSeconds = 0.04;
/** A clip that begins later keeps at least this share of itself. */
const minKeptShare = 0.5;

/**
 * The latest time at which a clip can begin, in source seconds: before its first word or, if no
 * words are known, at the end of the silence that it begins with.
 */
export function findLatestStart(
  { ranges, duration }: Pick<Edit, 'ranges' | 'duration'>,
  { words: transcript, silences }: Pick<EditInputs, 'words' | 'silences'>,
  { words, minSeconds }: { words: readonly Word[]; minSeconds: number },
): number {
  const { start, end } = ranges[0]!;
  const silence = silences.find((one) => one.start <= start && one.end > start);
  const quietUntil = transcript ? (words[0]?.start ?? end) : (silence?.end ?? start);
  const spare = duration - Math.max(minSeconds, minKeptShare * duration);
  return Math.max(start, Math.min(quietUntil - airSeconds, end - airSeconds, start + spare));
}

/**
 * Moves the start of a clip to its first picture that is neither black nor a flash, as far as its
 * words and its length allow. The times of the analysis move with it.
 */
export function fromFirstPicture(
  edit: Edit,
  analysis: PictureAnalysis,
): { edit: Edit; analysis: PictureAnalysis } {
  const { latestStart: latest, ...kept } = edit;
  const [first, ...others] = edit.ranges;
  const { frameRate } = edit;
  const wanted = Math.ceil((analysis.firstPicture ?? 0) * frameRate - 1e-3);
  const room = Math.floor(((latest ?? first!.start) - first!.start) * frameRate + 1e-3);
  // Half of a fade is as dark as its beginning: it is all or nothing.
  if (wanted === 0 || wanted > room) return { edit: kept, analysis: analysis };
  const by = wanted / frameRate;
  const duration = edit.duration - by;
  const earlier = <Timed extends Span>(one: Timed): Timed => ({
    ...one,
    start: Math.max(0, one.start - by),
    end: one.end - by,
  });
  return {
    edit: {
      ...kept,
      ranges: [{ start: first!.start + by, end: first!.end }, ...others],
      duration,
      captions: edit.captions.map((line) => ({
        ...earlier(line),
        words: line.words.map(earlier),
      })),
      ...(edit.words && { words: edit.words.map(earlier) }),
      emojis: edit.emojis.map(earlier),
      ...(edit.cover && {
        cover: { ...edit.cover, time: Math.max(0, edit.cover.time - by) },
      }),
      title: edit.title && { ...edit.title, end: Math.min(edit.title.end, duration) },
    },
    analysis: {
      ...analysis,
      cuts: analysis.cuts.map((time) => time - by).filter((time) => time > 0),
      ...(analysis.talks && {
        talks: analysis.talks
          .map((talk) => ({ ...talk, start: Math.max(0, talk.start - by), end: talk.end - by }))
          .filter(({ end }) => end > 0),
      }),
      sightings: analysis.sightings
        .map((sighting) => ({ ...sighting, time: sighting.time - by }))
        .filter(({ time }) => time >= 0),
    },
  };
}
