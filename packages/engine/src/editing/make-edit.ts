import type { EditChanges } from 'clip-kit/contract';
import {
  titleSeconds,
  type Dimensions,
  type Edit,
  type EditingOptions,
  type Framing,
} from '../edit.ts';
import type { PictureFacts, Span, Word } from '../facts.ts';
import { groupLines } from '../captions/caption-lines.ts';
import { placeText } from '../captions/caption-place.ts';
import { findEmojiCues } from '../captions/emoji-cues.ts';
import { makeEditSource } from '../source/edit-source.ts';
import { chooseOutputRate } from '../source/frame-rate.ts';
import { makeEncodable, guessFraming, chooseFraming, isCut } from '../framing/framing.ts';
import { mergeSpans, mapToOutputTime, subtractSpans, findIndex } from '../spans.ts';
import { makeSoundAloneStyle } from '../style/sound-alone-style.ts';
import { findSpeechSpans, usualMusicDb } from '../music-level.ts';
import type { Style } from '../style/style.ts';
import type { EditInputs } from './edit-inputs.ts';
import { correctWords, findMutedSpans } from './changes.ts';
import { findFillers } from './fillers.ts';
import { findLatestStart } from './first-picture.ts';
import {
  findKeptRanges,
  extendRanges,
  mapToOutput,
  mapWordsToOutput,
  subtractParts,
  findRemovedSilences,
  snapToFrames,
} from './kept-ranges.ts';
import { isAnalysisComplete, frameEdit, type FramingAnalysis } from './framed-edit.ts';

/** Whether most of a word is in none of the spans, which must be in order. */
function isOutside({ start, end }: Span, spans: readonly Span[]): boolean {
  const middle = (start + end) / 2;
  const near = findIndex(spans.length, (at) => spans[at]!.end, middle);
  return !spans.slice(near, near + 2).some((span) => middle >= span.start && middle < span.end);
}

/**
 * The changed edges of a clip. The start moves by whole frames, so that the frames of the output
 * stay the same ones.
 */
function changeSpan({ span, editable }: EditInputs, changes: EditChanges, frameRate: number): Span {
  const { start = span.start, end = span.end } = changes;
  const frames = Math.round((start - span.start) * frameRate);
  const least = Math.ceil((editable.start - span.start) * frameRate - 1e-6);
  return {
    start: start === span.start ? start : span.start + Math.max(frames, least) / frameRate,
    end: Math.min(end, editable.end),
  };
}

/** The style that a source is shown in; undefined for the default one. */
const chooseStyle = ({ soundAlone }: PictureFacts, style: Style | undefined): Style | undefined =>
  soundAlone ? makeSoundAloneStyle(style, soundAlone) : style;

const isUnchanged = ({ start, end, removed = [] }: EditChanges): boolean =>
  removed.length === 0 && isOmitted(start) && isOmitted(end);

/** The part of its clip that an edit shows. */
interface Cut {
  readonly span: Span;
  readonly frameRate: number;
  readonly editing: EditingOptions;
  /** The words in the span, with those that are removed. */
  readonly spoken: readonly Word[];
  /** The length in seconds that removed silences and fillers must leave. */
  readonly minSeconds: number;
}

/** Returns the parts of the source to keep, in whole frames of the output. */
function findRanges(inputs: EditInputs, changes: EditChanges, cut: Cut): Span[] {
  const { span, frameRate, editing, spoken, minSeconds } = cut;
  const silences = editing.remove_silences
    ? findRemovedSilences(span, inputs.silences, spoken)
    : [];
  const restored = mergeSpans(changes.restored ?? []);
  const parts = subtractParts(span, mergeSpans(changes.removed ?? []), spoken);
  const fillers = findRemovedFillers(inputs, changes);
  const removed = silences.flatMap((silence) => subtractSpans(silence, restored));
  const keptWithout = (holes: readonly Span[], heard: readonly Span[]) =>
    parts.flatMap((part) => findKeptRanges(part, holes, heard));
  const heard = spoken.filter((word) => isOutside(word, fillers));
  const fluent = keptWithout(mergeSpans([...removed, ...fillers]), heard);
  // What brings a clip to its length must not be a part of a filler.
  const kept = sumLengths(fluent) < minSeconds ? keptWithout(removed, spoken) : fluent;
  // Whole videos end on their last full frame: one more would only be repeated.
  return extendRanges(snapToFrames(kept, frameRate), span, { minSeconds, frameRate });
}

/** Returns the words that are shown, corrected, in source seconds. */
function findShownWords(inputs: EditInputs, changes: EditChanges, span: Span): Word[] {
  const shown = correctWords(inputs, changes).filter((word) => isWithin(word, span));
  if (isUnchanged(changes)) return shown;
  const removed = mergeSpans(changes.removed ?? []);
  // An edge that is moved to a word, or a removed word, leaves nothing of the word beside it.
  return shown.filter((word) => isOutside(word, removed) && !isOutside(word, [span]));
}

const isWithin = (word: Word, span: Span): boolean =>
  word.start < span.end && word.end > span.start;

const countFrames = (ranges: readonly Span[], frameRate: number): number =>
  ranges.reduce((sum, { start, end }) => sum + Math.round((end - start) * frameRate), 0);

/** Returns the framing of a clip: as `rest`, but where the user has framed it. */
function applyManualShots(
  clip: Parameters<typeof chooseFraming>[0],
  rest: Framing,
  { shots: manual = [] }: EditChanges,
): Pick<Edit, 'framing' | 'manualFraming'> {
  if (manual.length === 0) return { framing: rest };
  const framing = chooseFraming(clip, { sightings: [], cuts: [] }, { manual, rest });
  return { framing, manualFraming: { shots: manual, rest } };
}

/** Makes an edit whose pictures are not analysed. */
function makeUnframedEdit(
  inputs: EditInputs,
  changes: EditChanges,
  changedStyle: Style | undefined,
): Edit {
  const { media, options, language, focus } = inputs;
  const editing = { ...options.editing, ...omitUndefined<EditingOptions>(changes.editing_options) };
  const style = chooseStyle(media, changedStyle ?? options.style);
  const frameRate = chooseOutputRate(media.frameRate);
  const span = changeSpan(inputs, changes, frameRate);
  const spoken = (inputs.words ?? []).filter((word) => isWithin(word, span));
  const { minSeconds = 0 } = isUnchanged(changes) ? options : {};
  const ranges = findRanges(inputs, changes, { span, frameRate, editing, spoken, minSeconds });
  const frames = countFrames(ranges, frameRate);
  const duration = frames / frameRate;
  const dimensions = makeEncodable({
    ...options.dimensions,
    ...omitUndefined<Dimensions>(changes.dimensions),
  });
  const words = findShownWords(inputs, changes, span);
  const latest = isOmitted(changes.start)
    ? findLatestStart({ ranges, duration }, inputs, { words, minSeconds })
    : ranges[0]!.start;
  const spokenWords = mapWordsToOutput(ranges, words);
  const captions = editing.captions
    ? groupLines(spokenWords, { dimensions, duration, style, language })
    : [];
  const title = changes.title?.trim() ?? inputs.title;
  const titled = editing.intro_title && title !== '';
  const cover = changes.cover && makeCover(changes.cover, { ranges, frames, frameRate, title });
  const rest = guessFraming(media, dimensions, { reframe: editing.reframe, focus, ranges });
  const clip = { source: makeEditSource(media), dimensions, ranges, frameRate };
  const { framing, manualFraming } = applyManualShots(clip, rest, changes);
  return {
    version: 1,
    source: clip.source,
    ranges,
    duration,
    frameRate,
    dimensions,
    framing,
    // The pictures decide where to crop, and which faces the text could cover.
    ...(!media.soundAlone &&
      (isCut(media, rest) || captions.length > 0 || titled || cover?.title !== undefined) && {
        needsAnalysis: true,
      }),
    ...(manualFraming && { manualFraming }),
    ...(span.end - span.start < inputs.duration &&
      latest > ranges[0]!.start && { latestStart: latest }),
    ...(changes.captions?.position && { captionPosition: changes.captions.position }),
    captions,
    ...(!editing.captions && spokenWords.length > 0 && { words: spokenWords }),
    emojis: editing.emojis ? findEmojiCues(captions, language) : [],
    ...makeAdditions(inputs, changes, ranges, changedStyle ?? options.style),
    title: titled ? { text: title, end: Math.min(titleSeconds, duration) } : null,
    ...(cover && { cover }),
    ...(style && { style }),
    ...(language !== null && { language }),
    ...(inputs.translated && { translated: true }),
  };
}

/** Returns what is not in the source: sound over muted words, music, and bumpers. */
function makeAdditions(
  inputs: EditInputs,
  changes: EditChanges,
  ranges: readonly Span[],
  style: Style | undefined,
): Pick<Edit, 'muted' | 'music' | 'intro' | 'outro'> {
  const spans = findMutedSpans(inputs, changes).flatMap((one) => mapToOutput(ranges, one) ?? []);
  const music = chooseMusic(changes, style);
  const [intro, outro] = (['intro', 'outro'] as const).map((place) => {
    const chosen = changes[place] ?? style?.[place];
    return chosen === 'none' ? undefined : chosen;
  });
  return {
    ...(spans.length > 0 && {
      muted: { spans, sound: inputs.options.mutedWords?.sound ?? 'mute' },
    }),
    ...(music && { music: placeMusic(inputs, ranges, music) }),
    ...(intro && { intro }),
    ...(outro && { outro }),
  };
}

/** The music that a person chose, or that the style names; undefined for none. */
function chooseMusic({ music }: EditChanges, style: Style | undefined): Style['music'] {
  if (music === 'none') return undefined;
  const { id, level_db } = music ?? {};
  if (id === undefined) return style?.music;
  return { id, ...(level_db !== undefined && { level_db }) };
}

function placeMusic(
  { words, spoken, sourceDb }: EditInputs,
  ranges: readonly Span[],
  { id, level_db: levelDb = usualMusicDb }: NonNullable<Style['music']>,
): NonNullable<Edit['music']> {
  const heard = (spoken ?? words)?.flatMap((word) => mapToOutput(ranges, word) ?? []);
  const loudness = sourceDb !== undefined && { sourceDb };
  return { id, levelDb, speech: heard ? findSpeechSpans(heard) : null, ...loudness };
}

/** The chosen cover as a frame of the output. */
function makeCover(
  { time, title: isTitled = false }: NonNullable<EditChanges['cover']>,
  {
    ranges,
    frames,
    frameRate,
    title,
  }: { ranges: readonly Span[]; frames: number; frameRate: number; title: string },
): NonNullable<Edit['cover']> {
  const frame = Math.floor(mapToOutputTime(ranges, time) * frameRate + 1e-3);
  return {
    time: Math.min(frame, frames - 1) / frameRate,
    ...(isTitled && title !== '' && { title }),
  };
}

/**
 * The fillers that the options remove, in source seconds and in order: without those that a person
 * has restored.
 */
export function findRemovedFillers(
  { words, silences, language, options }: EditInputs,
  { editing_options, restored = [] }: EditChanges,
): Span[] {
  const isAsked = editing_options?.remove_fillers ?? options.editing.remove_fillers ?? false;
  if (!isAsked || !words) return [];
  const restoredSpans = mergeSpans(restored);
  return findFillers(words, silences, language).filter((span) => isOutside(span, restoredSpans));
}

const sumLengths = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0);

const isOmitted = (value: unknown): boolean => value === undefined;

/** Without the fields that are undefined, which would replace others. */
const omitUndefined = <T extends object>(fields: { [Key in keyof T]?: T[Key] | undefined } = {}) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

/**
 * Makes the edit of a clip from its inputs and the user's changes. The same input makes the same
 * edit. It has `needsAnalysis` until all of its pictures are analysed.
 * @param options.style the style that a person chose, instead of that of the inputs
 * @param options.analysis what is known of the pictures
 */
export function makeEdit(
  inputs: EditInputs,
  changes: EditChanges = {},
  {
    style,
    analysis,
  }: { style?: Style | undefined; analysis?: FramingAnalysis | null | undefined } = {},
): Edit {
  const edit = makeUnframedEdit(inputs, changes, style);
  return analysis && isAnalysisComplete(analysis, edit) ? frameEdit(edit, analysis) : edit;
}

/**
 * The same edit in another style. Caption lines are broken again, because the font size can change.
 */
export function restyleEdit(edit: Edit, given: Style): Edit {
  const style = chooseStyle(edit.source, given) ?? given;
  const words = edit.captions.flatMap((line) => line.words);
  const captions = groupLines(words, { ...edit, style });
  const emojis = edit.emojis.length > 0 ? findEmojiCues(captions, edit.language ?? null) : [];
  return placeText({ ...edit, captions, emojis, style });
}
