import { placedText } from '../captions/caption-place.ts';
import type { Edit } from '../edit.ts';
import { lookAtClip, type ClipLook } from '../framing/clip-look.ts';
import type { Finders } from '../framing/finders.ts';
import { framingFor, largestWindow } from '../framing/framing.ts';
import { isCut } from '../framing/output-shape.ts';
import { facesInOutput } from '../framing/seen-faces.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';

/** The edit for what was seen in its pictures: windows follow the subjects, captions keep clear of faces. */
export function framedEdit(edit: Edit, look: ClipLook): Edit {
  const { unseen: _, ...rest } = edit;
  const framing = isCut(edit.source, edit.framing) ? framingFor(edit, look) : edit.framing;
  const faces = edit.captions.length > 0 || edit.title ? facesInOutput(edit, framing, look) : [];
  return placedText({ ...rest, framing, ...(faces.length > 0 && { faces }) });
}

/**
 * Looks at the pictures of an edit that is still `unseen`, and frames it by them. Where they cannot be read, the first
 * guess stays, and `onFailed` is called with the reason.
 * Throws the signal's reason, and what is the machine's fault (a full disk, a killed program).
 */
export async function lookAndFrame(
  edit: Edit,
  source: string,
  options: {
    finders: Finders;
    signal: AbortSignal;
    onFailed: (error: unknown) => void;
    /** Called with the share done, 0 to 1. */
    onProgress?: (share: number) => void;
  },
): Promise<Edit> {
  const { unseen, ...guess } = edit;
  if (!unseen) return edit;
  const { faces, salient } = options.finders;
  // Where nothing is cut, only captions can be in the way, and only of faces.
  const finders = [
    ...(faces ? [faces] : []),
    ...(isCut(edit.source, edit.framing) ? [salient] : []),
  ];
  if (finders.length === 0) return guess;
  const window = largestWindow(edit.source, edit.dimensions);
  try {
    const look = await lookAtClip(source, {
      span: { start: edit.ranges[0]!.start, end: edit.ranges.at(-1)!.end },
      source: edit.source,
      shape: window.width / window.height,
      finders,
      signal: options.signal,
      onBroken: options.onFailed,
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    return framedEdit(edit, look);
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    options.onFailed(error);
    return guess;
  }
}
