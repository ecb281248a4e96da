import {
  inputsOfEdit,
  changeFaults,
  analysisCovers,
  makeEdit,
  editWords,
  lengthFault,
  framedEdit,
  shownShots,
  type EditInputs,
  type ChangeFault,
  type Edit,
  type Presets,
  type Span,
} from 'clip-engine';
import type { EditChanges, EditDocument } from 'clip-kit/contract';
import type { EditedClip } from './queries.ts';

const extentOf = ({ ranges }: Edit): Span => ({
  start: ranges[0]!.start,
  end: ranges.at(-1)!.end,
});

const within = (one: Span, other: Span): Span => ({
  start: Math.max(one.start, other.start),
  end: Math.min(one.end, other.end),
});

/**
 * What the clip's edit is made from, as far as it can be rendered: with the source all that the
 * basis knows, without it what the clip's stretch has.
 */
export function basisOf(
  clip: Pick<EditedClip, 'basis' | 'edit' | 'request' | 'source' | 'stretch'>,
): EditInputs {
  const { basis, edit, source, stretch } = clip;
  const own = extentOf(edit);
  const duration = source?.media.duration ?? own.end;
  const made =
    basis ??
    inputsOfEdit(edit, {
      editing: clip.request.editing_options,
      editable: source && !stretch ? { start: 0, end: duration } : own,
      duration,
    });
  if (source) return made;
  const { start = own.start, end = own.end } = stretch ?? {};
  return { ...made, editable: within(made.editable, { start, end }) };
}

/** The edit with the changes, or why it cannot be. */
export function changedEdit(
  basis: EditInputs,
  changes: EditChanges,
  { presets, look }: { presets: Presets } & Pick<EditedClip, 'look'>,
): { edit: Edit } | { faults: ChangeFault[] } {
  const faults = changeFaults(basis, changes);
  if (faults.length > 0) return { faults };
  const style = presets.get(changes.style_preset_id ?? '')?.style;
  const edit = makeEdit(basis, changes, { style, analysis: look });
  const fault = lengthFault(basis, changes, edit.duration);
  return fault ? { faults: [fault] } : { edit };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const roundedSpan = <Timed extends Span>(one: Timed): Timed => ({
  ...one,
  start: rounded(one.start),
  end: rounded(one.end),
});

/** The document of `GET /projects/{id}/edit`. */
export function editDocument(clip: EditedClip): EditDocument {
  const { id, revision, changes, look, request } = clip;
  const basis = basisOf(clip);
  const { wish } = basis;
  // Until somebody has looked at all of it, what is known of its pictures is shown.
  const isPartly = clip.edit.unseen && look && !analysisCovers(look, clip.edit);
  const edit = isPartly ? framedEdit(clip.edit, look) : clip.edit;
  const options = Object.entries(changes.editing_options ?? {});
  return {
    project_id: id,
    revision,
    editable: roundedSpan(basis.editable),
    ranges: edit.ranges,
    duration: edit.duration,
    words: editWords(basis, changes).map(roundedSpan),
    shots: shownShots(edit, changes, look).map(roundedSpan),
    title: changes.title ?? basis.title,
    style_preset_id: changes.style_preset_id ?? request.style_preset_id ?? null,
    captions: { position: changes.captions?.position ?? null },
    editing_options: {
      ...wish.editing,
      ...Object.fromEntries(options.filter(([, value]) => value !== undefined)),
    },
    dimensions: edit.dimensions,
    changes,
    preview: clip.preview,
    edit: { ...edit },
  };
}
