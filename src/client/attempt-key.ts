import { textHash } from '../contract/text-hash.ts';
import type { ExportIntent } from './export-intent.ts';

/**
 * The attempt key of an intent after the export or key that came before it (`''` at first). It is
 * always the same, so a page that has lost its memory, and another tab, ask for the same attempt.
 */
export const attemptKey = ({ project, folder, options }: ExportIntent, after: string): string =>
  `clip-${textHash(JSON.stringify([project, folder || null, options, after]))}`;
