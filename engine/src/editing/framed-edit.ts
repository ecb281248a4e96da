import { placedText } from '../captions/caption-place.ts';
import type { Edit } from '../edit.ts';
import type { ClipLook } from '../framing/clip-look.ts';
import { framingFor } from '../framing/framing.ts';
import { isCut } from '../framing/output-shape.ts';
import { facesInOutput } from '../framing/seen-faces.ts';

/** The edit after its pictures have been looked at: windows follow what is seen in them, captions keep clear of faces. */
export function framedEdit(edit: Edit, look: ClipLook): Edit {
  const { unseen: _, ...rest } = edit;
  const framing = isCut(edit.source, edit.framing) ? framingFor(edit, look) : edit.framing;
  const faces = edit.captions.length > 0 || edit.title ? facesInOutput(edit, framing, look) : [];
  return placedText({ ...rest, framing, ...(faces.length > 0 && { faces }) });
}
