import {
  changeFaults,
  isAnalysisComplete,
  makeEdit,
  editWords,
  findLengthFault,
  frameEdit,
  listShownShots,
  type EditInputs,
  type ChangeFault,
  type Edit,
  type Presets,
  type Span,
} from 'clip-engine';
import type { EditChanges, EditDocument } from 'clip-kit/contract';
import type { StoredSource } from '../db/schema.ts';
import type { EditedClip } from './queries.ts';

const getExtent = ({ ranges }: Edit): Span => ({
  start: ranges[0]!.start,
  end: ranges.at(-1)!.end,
});

const clipSpan = (one: Span, other: Span): Span => ({
  start: Math.max(one.start, other.start),
  end: Math.min(one.end, other.end),
});

/**
 * Makes the inputs of the clip's edit, as far as they can be rendered: with the source all that the
 * inputs know, without it the clip's segment.
 */
export function makeEditInputs(
  clip: Pick<EditedClip, 'inputs' | 'edit' | 'source' | 'segment'>,
): EditInputs {
  const { inputs, edit, source, segment } = clip;
  if (source) return inputs;
  const own = getExtent(edit);
  const { start = own.start, end = own.end } = segment ?? {};
  return { ...inputs, editable: clipSpan(inputs.editable, { start, end }) };
}

/** The edit with the changes, or why it cannot be. */
export function applyChanges(
  inputs: EditInputs,
  changes: EditChanges,
  { presets, analysis }: { presets: Presets } & Pick<EditedClip, 'analysis'>,
): { edit: Edit } | { faults: ChangeFault[] } {
  const faults = changeFaults(inputs, changes);
  if (faults.length > 0) return { faults };
  const style = presets.get(changes.style_preset_id ?? '')?.style;
  const edit = makeEdit(inputs, changes, { style, analysis });
  const fault = findLengthFault(inputs, changes, edit.duration);
  return fault ? { faults: [fault] } : { edit };
}

/** Whether browsers show a source as a render does, at the same times. */
export const isPlayableInBrowsers = ({ media }: StoredSource): boolean =>
  media.videoCodec === 'h264' &&
  (media.audioCodec === 'aac' || !media.hasAudio) &&
  (media.startTime ?? 0) === 0 &&
  // What a render reads in a way of its own.
  media.transfer === undefined &&
  media.firstField === undefined &&
  media.content === undefined &&
  media.soundAlone === undefined &&
  media.mixedAudioStreams === undefined;

const roundToMilliseconds = (value: number): number => Math.round(value * 1000) / 1000;
const roundSpan = <Timed extends Span>(one: Timed): Timed => ({
  ...one,
  start: roundToMilliseconds(one.start),
  end: roundToMilliseconds(one.end),
});

/** The document of `GET /projects/{id}/edit`. */
export function editDocument(clip: EditedClip): EditDocument {
  const { id, revision, changes, analysis, request } = clip;
  const inputs = makeEditInputs(clip);
  // Until all of it is analysed, the part that is known decides the framing.
  const isPartly = clip.edit.needsAnalysis && analysis && !isAnalysisComplete(analysis, clip.edit);
  const edit = isPartly ? frameEdit(clip.edit, analysis) : clip.edit;
  const changedOptions = Object.entries(changes.editing_options ?? {});
  return {
    project_id: id,
    revision,
    editable: roundSpan(inputs.editable),
    ranges: edit.ranges,
    duration: edit.duration,
    words: editWords(inputs, changes).map(roundSpan),
    shots: listShownShots(edit, changes, analysis).map(roundSpan),
    title: changes.title ?? inputs.title,
    titles: inputs.post.titles,
    description: changes.description ?? inputs.post.description ?? '',
    cover: changes.cover ? { ...changes.cover, title: changes.cover.title ?? false } : null,
    tags: changes.tags ?? inputs.post.tags,
    style_preset_id: changes.style_preset_id ?? request.style_preset_id ?? null,
    music: edit.music ? { id: edit.music.id, level_db: edit.music.levelDb } : null,
    intro: edit.intro ?? null,
    outro: edit.outro ?? null,
    captions: { position: changes.captions?.position ?? null },
    editing_options: {
      ...inputs.options.editing,
      remove_fillers: !!inputs.options.editing.remove_fillers,
      ...Object.fromEntries(changedOptions.filter(([, value]) => value !== undefined)),
    },
    dimensions: edit.dimensions,
    changes,
    preview: clip.preview,
    edit: { ...edit },
  };
}
