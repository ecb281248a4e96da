/** The same as `emoji-data.ts`, for browsers: the data set of a language is half a megabyte. */
const learned = new Map<string, ReadonlyMap<string, string>>();
const none: ReadonlyMap<string, string> = new Map();

/** Without them, only the curated words of a language have emoji. */
export function setEmojiNames(language: string, names: Iterable<readonly [string, string]>): void {
  learned.set(language, new Map(names));
}

export const loadEmojiNames = (language: string): ReadonlyMap<string, string> =>
  learned.get(language) ?? none;
