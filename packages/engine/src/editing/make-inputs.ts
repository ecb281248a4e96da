import type { Edit } from '../edit.ts';
import type { Analysis, MediaInfo, Span } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { noTexts, type PostTexts, postTextsWithin } from '../moments/post-texts.ts';
import { fitTitle, makeTitle } from '../moments/title.ts';
import type { EditInputs, EditOptions } from './edit-inputs.ts';
import { withMutedWords } from './muted-words.ts';
import { makeEdit } from './make-edit.ts';

/** Makes the edit of an unchanged clip. */
export const makeClipEdit = (
  analysis: Analysis,
  candidate: Parameters<typeof makeClipInputs>[1],
  options: Parameters<typeof makeClipInputs>[2],
): Edit => makeEdit(makeClipInputs(analysis, candidate, options));

/** The time that the inputs cover before and after the clip: as long as the longest clip. */
const reachSeconds = 180;

/** Makes the inputs of a clip's edit. */
function makeInputs(
  analysis: Analysis,
  span: Span,
  { title, post }: { title: string; post: PostTexts },
  { editing, dimensions, style, minSeconds, mutedWords }: EditOptions,
): EditInputs {
  const { duration, media, silences, focus, transcript, translated, spoken } = analysis;
  const sourceDb = measureSpan(analysis.loudness, span);
  const editable = {
    start: Math.max(0, span.start - reachSeconds),
    end: Math.min(duration, span.end + reachSeconds),
  };
  const within = <Timed extends Span>(one: Timed) =>
    one.start < editable.end && one.end > editable.start;
  const inputs: EditInputs = {
    version: 1,
    duration,
    media: omitUndefinedFields(media),
    editable,
    span,
    title,
    post,
    silences: silences.filter(within),
    focus: focus.filter(({ time }) => time >= editable.start && time < editable.end),
    words: transcript ? transcript.words.filter(within) : null,
    language: transcript?.language ?? null,
    ...(translated && { translated }),
    ...(spoken && { spoken: spoken.filter(within) }),
    ...(sourceDb !== null && { sourceDb }),
    options: {
      editing,
      dimensions,
      ...(style && { style }),
      ...(minSeconds !== undefined && { minSeconds }),
    },
  };
  return withMutedWords(inputs, mutedWords);
}

/** Below this there is no speech, in dBFS. */
const quietDb = -50;
/** Both sides together are louder than the mean of one, and pauses do not count. */
const lufsAboveRms = 3;

/** Estimates the loudness of a span in LUFS; null if nothing is heard. */
function measureSpan({ step, values }: Analysis['loudness'], { start, end }: Span): number | null {
  const heard = values
    .slice(Math.floor(start / step), Math.ceil(end / step))
    .filter((value) => value > quietDb);
  if (heard.length === 0) return null;
  const power = heard.reduce((sum, value) => sum + 10 ** (value / 10), 0) / heard.length;
  return Math.round(10 * Math.log10(power) + lufsAboveRms);
}

/** Without fields that are undefined: JSON has none. */
const omitUndefinedFields = (media: MediaInfo): MediaInfo =>
  Object.fromEntries(
    Object.entries(media).filter(([, value]) => value !== undefined),
  ) as unknown as MediaInfo;

/** The default name of a task, which is not shown as a title. */
const namelessTask = 'Upload';

function cleanTitle(name: string): string {
  const given = name.trim();
  return given === namelessTask ? '' : fitTitle(given);
}

/**
 * Returns the edit inputs of a clip. If it has no words, its hook title is the task's `name`. It
 * has no title if `name` is omitted or the default.
 */
export function makeClipInputs(
  analysis: Analysis,
  candidate: Pick<Candidate, 'start' | 'end' | 'title' | 'ownWords'> &
    Partial<Pick<Candidate, 'post'>>,
  options: EditOptions & { name?: string },
): EditInputs {
  const span = {
    start: Math.max(0, candidate.start),
    end: Math.min(candidate.end, analysis.duration),
  };
  const title = candidate.ownWords === false ? cleanTitle(options.name ?? '') : candidate.title;
  return makeInputs(analysis, span, { title, post: candidate.post ?? noTexts }, options);
}

/**
 * Returns the edit inputs of a whole video. The hook title is `options.title`, shortened to fit. If
 * that is empty or the default name `Upload`, the title is made from the video's own words; without
 * words there is none.
 */
export function makeWholeInputs(
  analysis: Analysis,
  options: EditOptions & { title: string },
): EditInputs {
  const { transcript } = analysis;
  const own = { language: transcript?.language ?? null, start: 0 };
  const title =
    cleanTitle(options.title) || (makeTitle(transcript?.sentences.slice(0, 5) ?? [], own) ?? '');
  const span = analysis.scanned ?? { start: 0, end: analysis.duration };
  const { title: _, ...post } = (transcript && postTextsWithin(transcript, span)) ?? noTexts;
  return makeInputs(analysis, span, { title, post }, options);
}
