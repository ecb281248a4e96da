import type { Edit } from '../../src/edit.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { makeWholeInputs } from '../../src/editing/make-inputs.ts';

/** The edit of a whole video without changes. */
export const makeWholeEdit = (...made: Parameters<typeof makeWholeInputs>): Edit =>
  makeEdit(makeWholeInputs(...made));
