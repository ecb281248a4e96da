import type { infer as Inferred } from 'zod';
import classic from '../../presets/classic.json' with { type: 'json' };
import type { styleSchema } from './style-schema.ts';

export type Style = Inferred<typeof styleSchema>;

/** The style of an edit that names none. A test checks it: the editor's page has no schema. */
export const defaultStyle = classic.style as Style;
