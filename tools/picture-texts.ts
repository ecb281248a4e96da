import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** All English texts of elements, player and editor. */
const textFiles = [
  'test/locales/english.ts',
  'packages/player/src/locales/en.json',
  'packages/player/src/locales/editor-en.json',
];

/** The hash of the interface's texts when the pictures were taken. */
export const takenTextsFile = new URL('docs/images/texts.sha256', root);

/** Returns the hash of the texts that pictures of the interface show. */
export function hashPictureTexts(): string {
  const hash = createHash('sha256');
  for (const file of textFiles) hash.update(readFileSync(new URL(file, root)));
  return hash.digest('hex');
}
