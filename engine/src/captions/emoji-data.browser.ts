import type { NamedEmoji } from './emoji-names.ts';

/**
 * As `emoji-data.ts`, for browsers: the names of a language are half a megabyte. There, only the
 * curated words have emoji until the service has made the edit.
 */
export const emojiData = (_directory: string): NamedEmoji[] => [];
