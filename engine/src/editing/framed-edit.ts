import { placedText } from '../captions/caption-place.ts';
import type { Edit } from '../edit.ts';
import { lookAtClip, type ClipLook } from '../framing/clip-look.ts';
import type { Finders } from '../framing/finders.ts';
import { framingFor, largestWindow } from '../framing/framing.ts';
import { isCut } from '../framing/output-shape.ts';
import { withoutWallFaces } from '../framing/wall-faces.ts';
import { facesInOutput } from '../framing/seen-faces.ts';
import { fromFirstPicture } from './first-picture.ts';
import { readTalks } from '../framing/speakers/read-talks.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';

/** The words of an edit without captions: the source has its own in the picture. */
function withoutCaptions(edit: Edit): Edit {
  const words = edit.captions.flatMap((line) => line.words);
  return { ...edit, captions: [], words, emojis: [], sourceCaptions: true };
}

/** Seconds of the source from the first kept range to the last. */
const lengthOf = ({ ranges }: Edit): number => ranges.at(-1)!.end - ranges[0]!.start;

/**
 * Adapts an edit to what its pictures show: windows follow the subjects, captions avoid faces, and
 * give way to those that the source has, unless they are a translation.
 */
export function framedEdit({ unseen: _, ...guess }: Edit, seen: ClipLook): Edit {
  const look = withoutWallFaces(seen, lengthOf(guess));
  const captioned = look.sightings.some(({ subjects }) =>
    subjects.some(({ kind }) => kind === 'caption'),
  );
  const doubled = captioned && guess.captions.length > 0 && !guess.translated;
  const edit = doubled ? withoutCaptions(guess) : guess;
  const framing = isCut(edit.source, edit.framing) ? framingFor(edit, look) : edit.framing;
  const faces = edit.captions.length > 0 || edit.title ? facesInOutput(edit, framing, look) : [];
  return placedText({ ...edit, framing, ...(faces.length > 0 && { faces }) });
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
  const { unseen, latestStart: _, ...guess } = edit;
  if (!unseen) return edit;
  const { faces, text, salient } = options.finders;
  const cut = isCut(edit.source, edit.framing);
  const finders = [...(faces ? [faces] : []), text];
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
    const begun = fromFirstPicture(edit, look);
    if (!cut || !faces || !edit.source.hasAudio) return framedEdit(begun.edit, begun.look);
    const people = withoutWallFaces(begun.look, lengthOf(begun.edit));
    const talks = await readTalks(source, begun.edit, people, options.signal).catch(
      (error: unknown) => {
        if (error instanceof ProcessError) throw error;
        options.signal.throwIfAborted();
        // The mouths cannot be read, but the faces were found.
        options.onFailed(error);
        return [];
      },
    );
    return framedEdit(begun.edit, { ...begun.look, talks });
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    options.onFailed(error);
    return guess;
  }
}
