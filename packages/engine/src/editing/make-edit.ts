import type { Edit } from '../edit.ts';
import type { Analysis } from '../facts.ts';
import { editOf } from './edit-of.ts';
import { shortBasis, wholeBasis } from './make-basis.ts';

/** The edit of a clip that nobody has changed. */
export const editShort = (
  analysis: Analysis,
  candidate: Parameters<typeof shortBasis>[1],
  wish: Parameters<typeof shortBasis>[2],
): Edit => editOf(shortBasis(analysis, candidate, wish));

/** The edit of a whole video that nobody has changed. */
export const editWhole = (analysis: Analysis, wish: Parameters<typeof wholeBasis>[1]): Edit =>
  editOf(wholeBasis(analysis, wish));
