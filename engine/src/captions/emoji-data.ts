import { createRequire } from 'node:module';
import type { NamedEmoji } from './emoji-names.ts';

const load = createRequire(import.meta.url);

/** The emoji with their names in a language, by the name of its directory in the data set. */
export const emojiData = (directory: string): NamedEmoji[] =>
  load(`emojibase-data/${directory}/compact.json`) as NamedEmoji[];
