import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, makeNullable } from './primitive.ts';

const checkBetween = (min: number, max: number) =>
  z
    .number('must be a number')
    .check(z.minimum(min, `must be ${min} to ${max}`), z.maximum(max, `must be ${min} to ${max}`));

/** Source seconds: no source is longer than a day. */
const secondsSchema = checkBetween(0, 86_400);

const spanFields = { start: secondsSchema, end: secondsSchema };
const isForward = ({ start, end }: { start: number; end: number }): boolean => start < end;
const forward = { path: ['end'], error: 'must be greater than start' };

const spanSchema = z.strictObject(spanFields).check(z.refine(isForward, forward));

/** A part of the picture: its middle in shares (0 to 1), and how near it is. */
const windowFields = {
  x: z.optional(checkBetween(0, 1)),
  y: z.optional(checkBetween(0, 1)),
  /** 1 shows as much as the shape of the output allows. */
  zoom: z.optional(checkBetween(1, 8)),
};

const shotModeSchema = z.enum(['crop', 'fit', 'stack', 'screen']);

/**
 * The layout of a part of the source: `crop` one window, `fit` the whole picture, `stack` two
 * windows, one above the other (`below` is the second), `screen` the whole picture with a window of
 * its speaker below. Without `x`, `y` and `zoom`, the engine places the window.
 */
const shotChangeSchema = z
  .strictObject({
    ...spanFields,
    mode: shotModeSchema,
    ...windowFields,
    below: z.optional(z.strictObject(windowFields)),
  })
  .check(z.refine(isForward, forward));

const side = z
  .int('must be a whole number')
  .check(z.minimum(16, 'must be 16 to 4096'), z.maximum(4096, 'must be 16 to 4096'));

const limitLength = (count: number) => z.maxLength(count, `must be at most ${count} characters`);
const limitCount = (count: number) => z.maxLength(count, `must be at most ${count}`);

const bumperChangeSchema = z.optional(
  z.union([
    z.literal('none', 'must be "none", or the id of a bumper'),
    z.strictObject({ id: idSchema }),
  ]),
);

/** A user's changes to a clip. Times are source seconds. */
export const editChangesSchema = z.strictObject({
  /** Where the clip begins and ends. */
  start: z.optional(secondsSchema),
  end: z.optional(secondsSchema),
  /** Removed segments. */
  removed: z.optional(z.array(spanSchema).check(limitCount(200))),
  /** Segments in which silences stay. */
  restored: z.optional(z.array(spanSchema).check(limitCount(200))),
  /**
   * Corrected text by the `key` of a word, or of several in a row (`"14-16"`). As many words as
   * before keep their times, otherwise they share the time. An empty text shows nothing.
   */
  words: z.optional(
    z.record(
      z.string().check(z.regex(/^\d{1,6}(?:-\d{1,6})?$/, 'must be like "14" or "14-16"')),
      z.string('must be text').check(limitLength(200)),
    ),
  ),
  /** By the number of a word: whether it is not heard, also if it is in no list. */
  muted: z.optional(
    z.record(
      z.string().check(z.regex(/^\d{1,6}$/, 'must be the number of a word, like "14"')),
      z.boolean('must be true or false'),
    ),
  ),
  /** Names of speakers, by their number in the words. */
  speakers: z.optional(
    z.record(
      z.string().check(z.regex(/^[1-9]\d{0,2}$/)),
      z.string('must be text').check(limitLength(60)),
      'must be names by the number of a speaker, like {"2": "Anna"}',
    ),
  ),
  /** Text of the hook title. */
  title: z.optional(z.string('must be text').check(limitLength(100))),
  /** The cover of the clip: its frame at a source time, with or without the title drawn on it. */
  cover: z.optional(
    z.strictObject({ time: secondsSchema, title: z.optional(z.boolean('must be true or false')) }),
  ),
  /** The description for a post. An empty one is none. */
  description: z.optional(z.string('must be text').check(limitLength(2000))),
  /** The tags for a post, as they are to be shown, without `#`. */
  tags: z.optional(
    z
      .array(
        z
          .string('must be text')
          .check(
            limitLength(50),
            z.regex(
              /^[^\s#,\p{C}](?:[^#,\p{C}]*[^\s#,\p{C}])?$/u,
              'must be text without #, comma or spaces around it',
            ),
          ),
      )
      .check(
        limitCount(8),
        z.refine(
          (tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length,
          'must differ',
        ),
      ),
  ),
  style_preset_id: z.optional(idSchema),
  /** Music, and how many dB softer than speech it is; or none, whatever the preset has. */
  music: z.optional(
    z.union([
      z.literal('none', 'must be "none", or the id of music'),
      z.strictObject({ id: idSchema, level_db: z.optional(checkBetween(10, 40)) }),
    ]),
  ),
  /** The bumper that an export plays before the clip; or none, whatever the preset has. */
  intro: bumperChangeSchema,
  /** The one after it: an outro or end card. */
  outro: bumperChangeSchema,
  captions: z.optional(
    z.strictObject({ position: z.optional(z.enum(['lower', 'middle', 'upper'])) }),
  ),
  editing_options: z.optional(
    z.strictObject({
      captions: z.optional(z.boolean()),
      reframe: z.optional(z.boolean()),
      emojis: z.optional(z.boolean()),
      intro_title: z.optional(z.boolean()),
      remove_silences: z.optional(z.boolean()),
      remove_fillers: z.optional(z.boolean()),
    }),
  ),
  dimensions: z.optional(z.strictObject({ width: z.optional(side), height: z.optional(side) })),
  shots: z.optional(z.array(shotChangeSchema).check(limitCount(20))),
});

export type EditChanges = z.output<typeof editChangesSchema>;

/** Body of `PATCH /projects/{id}/edit`: a JSON merge patch (RFC 7396) of the changes. */
export const editPatchSchema = z.strictObject({ changes: z.record(z.string(), z.unknown()) });

/** Body of `POST /projects/{id}/edit/revert`. */
export const revertBodySchema = z.strictObject({
  revision: z.int('must be a whole number').check(z.positive('must be 1 or more')),
});

/** Body of `POST /projects/{folder_id}`: a clip of any segment of the folder's source. */
export const newClipSchema = z
  .strictObject({
    ...spanFields,
    name: z.optional(
      z
        .string('must be text')
        .check(
          z.minLength(1, 'must not be empty'),
          z.maxLength(255, 'must be at most 255 characters'),
        ),
    ),
  })
  .check(z.refine(isForward, forward));

export type NewClip = z.output<typeof newClipSchema>;

const plainSpanSchema = z.object({ start: z.number(), end: z.number() });

/** A clip's edit, and the user's changes. Times are source seconds. */
export const editDocumentSchema = z.object({
  project_id: idSchema,
  /** Goes up by one with each change; also the `ETag`. */
  revision: z.int().check(z.positive()),
  /** The part of the source that the clip can be extended to. */
  editable: plainSpanSchema,
  /** The segments that play, in order. */
  ranges: z.array(plainSpanSchema),
  /** Length of the clip in seconds. */
  duration: z.number(),
  /** All words of the editable part, corrected. */
  words: z.array(
    z.object({
      /** Names the word, or the words that were corrected together, in `changes.words`. */
      key: z.string(),
      start: z.number(),
      end: z.number(),
      text: z.string(),
      /** The recognised text, if a user has corrected it. */
      original: z.optional(z.string()),
      /** True if another person begins to speak. */
      opens_turn: z.optional(z.boolean()),
      /** The number of the speaker, from 1. Missing where that is not known. */
      speaker: z.optional(z.int().check(z.positive())),
      /** True if it is not heard: captions show its first letter. */
      muted: z.optional(z.boolean()),
    }),
  ),
  /** The shots that play, and how each begins. */
  shots: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      mode: shotModeSchema,
      x: z.optional(z.number()),
      y: z.optional(z.number()),
      zoom: z.optional(z.number()),
      /** The second window of a `stack`. */
      below: z.optional(z.object({ x: z.number(), y: z.number(), zoom: z.number() })),
    }),
  ),
  title: z.string(),
  /** Titles of the clip's own words, best first; none if nothing is said. */
  titles: z.catch(z.array(z.string()), []),
  /** For a post: two or three sentences of the clip, or what a person wrote instead. */
  description: z.catch(z.string(), ''),
  /** For a post: topics of the clip, or what a person wrote instead. */
  tags: z.catch(z.array(z.string()), []),
  /** The chosen cover; null: the engine chooses a frame. */
  cover: z.catch(z.nullable(z.object({ time: z.number(), title: z.boolean() })), null),
  style_preset_id: makeNullable(z.string()),
  captions: z.object({ position: makeNullable(z.string()) }),
  /** The music below the speech; null for none. */
  music: z.catch(z.nullable(z.object({ id: idSchema, level_db: z.number() })), null),
  /** The bumpers that an export plays before and after the clip; null for none. */
  intro: z.catch(z.nullable(z.object({ id: idSchema })), null),
  outro: z.catch(z.nullable(z.object({ id: idSchema })), null),
  editing_options: z.record(z.string(), z.boolean()),
  dimensions: z.object({ width: z.number(), height: z.number() }),
  changes: z.catch(editChangesSchema, {}),
  /** The preview of this revision. An earlier one plays until it is ready. */
  preview: z.enum(['preparing', 'ready', 'failed']),
  /** Everything that a render needs, in the words of the engine (`Edit` of `clip-engine`). */
  edit: z.record(z.string(), z.unknown()),
});

export type EditDocument = z.output<typeof editDocumentSchema>;

/** The answer of `GET /projects/{id}/edit/revisions`: newest first, 50 at most. */
export const editRevisionsSchema = z.array(
  z.object({
    revision: z.int().check(z.positive()),
    created_at: dateTimeSchema,
    changes: z.catch(editChangesSchema, {}),
  }),
);

export type EditRevisions = z.output<typeof editRevisionsSchema>;
