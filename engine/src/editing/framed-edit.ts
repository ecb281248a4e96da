import { placedText } from '../captions/caption-place.ts';
import type { Edit } from '../edit.ts';
import { lookAtClip, type ClipLook } from '../framing/clip-look.ts';
import type { Finders } from '../framing/finders.ts';
import { framingFor, largestWindow } from '../framing/framing.ts';
import { isCut } from '../framing/output-shape.ts';
import { facesInOutput } from '../framing/seen-faces.ts';
import { readTalks } from '../framing/speakers/read-talks.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';

/** Adapts an edit to what its pictures show: windows follow the subjects, captions avoid faces. */
export function framedEdit(edit: Edit, look: ClipLook): Edit {
  const { unseen: _, ...rest } = edit;
  const framing = isCut(edit.source, edit.framing) ? framingFor(edit, look) : edit.framing;
  const faces = edit.captions.length > 0 || edit.title ? facesInOutput(edit, framing, look) : [];
  return placedText({ ...rest, framing, ...(faces.length > 0 && { faces }) });
}

/**
 * Looks at the pictures of an `unseen` edit and frames it: windows follow the subjects, captions
 * avoid faces. Other edits are returned as they are. If the pictures cannot be read, the first
 * guess stays, and `onFailed` gets the error.
 * @param source path of the source file
 * @throws {@link ProcessError} if the machine is the cause (a full disk, a killed program), or the
 * signal's reason
 */
export async function lookAndFrame(
  edit: Edit,
  source: string,
  options: {
    finders: Finders;
    signal: AbortSignal;
    onFailed: (error: unknown) => void;
    /** Called with the progress, 0 to 1. */
    onProgress?: (share: number) => void;
  },
): Promise<Edit> {
  const { unseen, ...guess } = edit;
  if (!unseen) return edit;
  const { faces, text, salient } = options.finders;
  // Without a crop, only faces matter: captions must not cover them.
  const cut = isCut(edit.source, edit.framing);
  const finders = [...(faces ? [faces] : []), ...(cut ? [text] : [])];
  if (finders.length === 0) return guess;
  const window = largestWindow(edit.source, edit.dimensions);
  try {
    const look = await lookAtClip(source, {
      span: { start: edit.ranges[0]!.start, end: edit.ranges.at(-1)!.end },
      source: edit.source,
      frameRate: edit.frameRate,
      shape: window.width / window.height,
      finders,
      ...(cut && { otherwise: salient }),
      signal: options.signal,
      onBroken: options.onFailed,
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    if (!cut || !faces || !edit.source.hasAudio) return framedEdit(edit, look);
    const talks = await readTalks(source, edit, look, options.signal).catch((error: unknown) => {
      if (error instanceof ProcessError) throw error;
      options.signal.throwIfAborted();
      // The mouths cannot be read, but the faces were found.
      options.onFailed(error);
      return [];
    });
    return framedEdit(edit, { ...look, talks });
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    options.onFailed(error);
    return guess;
  }
}
