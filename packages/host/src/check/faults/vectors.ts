import read from './vectors.json' with { type: 'json' };
import type { Vector } from './vector.ts';

/** The fault vectors: `docs/decisions/0020` says why each ends as it does. */
export const vectors = read as readonly Vector[];
