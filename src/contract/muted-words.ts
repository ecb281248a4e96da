import * as z from 'zod/mini';

/**
 * Body of `PUT /muted-words` (this project's service), and its answer. An empty list mutes nothing.
 */
export const mutedWordsSchema = z.strictObject({
  /** The sound in place of a word. */
  sound: z.enum(['mute', 'bleep']),
  words: z
    .array(
      z
        .string()
        .check(
          z.maxLength(50, 'must be at most 50 characters'),
          z.regex(
            /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}\p{N}]+)*\*?$/u,
            'must be one word of letters and digits, or its beginning with * after it',
          ),
        ),
    )
    .check(z.maxLength(500, 'must be at most 500 words')),
});

export type MutedWordList = z.output<typeof mutedWordsSchema>;
