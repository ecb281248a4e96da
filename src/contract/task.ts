import * as z from 'zod/mini';
import {
  dateTimeSchema,
  httpUrlSchema,
  idSchema,
  ignoreMisfit,
  listSchema,
  statusSchema,
} from './primitive.ts';
import { watermarkSchema } from './watermark.ts';

export { maxInputSeconds } from './for-pages.ts';

export const taskTypes = ['video-to-shorts', 'video-to-video'] as const;
export type TaskType = (typeof taskTypes)[number];

const taskTypeSchema = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? value.replaceAll('_', '-') : value)),
  z.enum(taskTypes),
);

/** Progress of a task or an export. Only the self-hosted service sends it. */
export const progressSchema = z.object({
  /**
   * The stage's machine-readable name: `queued`, `ingest`, `scan`, `speech-model`, `transcript`,
   * `candidates`, `preview`, `render`.
   */
  stage: z.string(),
  /** The part of the whole work that is done, 0 to 1. */
  share: z.number().check(z.minimum(0), z.maximum(1)),
  /** Seconds until the result is ready, if that can be estimated. */
  seconds_left: z.optional(z.nullable(z.number().check(z.minimum(0)))),
  /** Seconds until speech is recognised; stage `transcript` only. */
  stage_seconds_left: ignoreMisfit(z.number().check(z.minimum(0))),
  /** Bytes of the speech model that are downloaded; stage `speech-model` only. */
  bytes: ignoreMisfit(z.number().check(z.minimum(0))),
  /** Bytes of the whole speech model; stage `speech-model` only. */
  total_bytes: ignoreMisfit(z.number().check(z.minimum(0))),
});

export type Progress = z.output<typeof progressSchema>;

/** Why a task or an export ended in `error`. Only the self-hosted service sends it. */
export const failureSchema = z.object({
  /** A stable machine-readable code, such as `source-unreachable`. */
  code: z.string(),
  /** A sentence to show to a person. */
  message: z.string(),
});

export type Failure = z.output<typeof failureSchema>;

/**
 * Something that could not be done as requested but did not stop the work. Only the self-hosted
 * service sends it.
 */
export const noteSchema = z.object({
  /** A stable machine-readable code, such as `letters-missing`. */
  code: z.string(),
  /** A sentence to show to a person. */
  message: z.string(),
});

export type Note = z.output<typeof noteSchema>;

/** Task Object (section 2.1), with the legacy type and status words normalised. */
export const taskSchema = z.object({
  id: idSchema,
  type: taskTypeSchema,
  status: statusSchema,
  created_at: dateTimeSchema,
  output_type: z.enum(['folder', 'project']),
  /** A folder's id when `output_type` is `folder`, a project's when it is `project`. */
  output_id: idSchema,
  progress: z.optional(z.nullable(progressSchema)),
  failure: z.optional(z.nullable(failureSchema)),
  notes: z.optional(z.array(noteSchema)),
  /** The name in the request. Only the self-hosted service sends this and the next fields. */
  name: ignoreMisfit(z.string()),
  /** Length of the source in seconds, once it is known. */
  source_seconds: ignoreMisfit(z.number().check(z.positive())),
  /** Address of a picture of the source, once there is one. */
  picture_url: ignoreMisfit(httpUrlSchema),
  /** The task of whose source this one makes further clips. */
  source_task_id: ignoreMisfit(idSchema),
  /** The number of clips so far; `output_type` `folder` only. */
  clip_count: ignoreMisfit(z.int().check(z.nonnegative())),
  /** The texts that were given. A host does not hand them on to pages. */
  metadata: ignoreMisfit(z.record(z.string(), z.string())),
  /** The exports that were started when the clips were ready, best first, if the task asked so. */
  export_ids: ignoreMisfit(z.array(idSchema)),
});

export type Task = z.output<typeof taskSchema>;

/** The same for a page: what the customer has asked for and noted for itself is left out. */
export const pageTaskSchema = z.omit(taskSchema, { metadata: true, export_ids: true });

export type PageTask = z.output<typeof pageTaskSchema>;

/** The answer of `GET /tasks` (this project's service, and the host): newest first. */
export const taskListSchema = listSchema('tasks', taskSchema);

/** Query of `GET /tasks`, as a page may send it. */
export const taskPageSchema = z.strictObject({
  /** 1 to 100. */
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
      z.transform(Number),
    ),
  ),
  /** From the address of the next page in the header `Link`. */
  cursor: z.optional(
    z
      .string()
      .check(z.regex(/^[\w.-]{1,256}$/, 'must be a cursor from the Link header of this list')),
  ),
});

const checkWholeNumber = (min: number, max: number) =>
  z
    .int('must be a whole number')
    .check(z.minimum(min, `must be ${min} to ${max}`), z.maximum(max, `must be ${min} to ${max}`));

const parseInteger = (min: number, max: number, fallback: number) =>
  z._default(checkWholeNumber(min, max), fallback);

/** `editing_options` (section 2.6). */
export const editingOptionsSchema = z.strictObject({
  captions: z._default(z.boolean(), true),
  reframe: z._default(z.boolean(), true),
  emojis: z._default(z.boolean(), true),
  intro_title: z._default(z.boolean(), true),
  remove_silences: z._default(z.boolean(), false),
  /** Not in the specification: removes fillers (um) that stand between pauses. */
  remove_fillers: z.optional(z.boolean()),
});

export type EditingOptions = z.output<typeof editingOptionsSchema>;

/**
 * `dimensions` (section 2.6), in pixels. This project sets the bounds to what an H.264 encoder
 * accepts.
 */
export const dimensionsSchema = z.strictObject({
  width: parseInteger(16, 4096, 1080),
  height: parseInteger(16, 4096, 1920),
});

export type Dimensions = z.output<typeof dimensionsSchema>;

const languageSchema = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/,
      'must be a language code such as "en" or "pt-BR"',
    ),
  );

/** Most topics of a request, and characters of one. */
const maxTopics = 10;
const maxTopicCharacters = 100;

const topicsSchema = z
  .array(
    z
      .string()
      .check(
        z.regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit'),
        z.maxLength(maxTopicCharacters, `must be at most ${maxTopicCharacters} characters`),
      ),
  )
  .check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(maxTopics, `must be at most ${maxTopics}`),
  );

/** A part of the source, in seconds from its start. */
const sourceRangeSchema = z
  .strictObject({
    start: z.number('must be a number').check(z.minimum(0, 'must be 0 or more')),
    end: z.number('must be a number').check(z.maximum(86_400, 'must be at most 86400')),
  })
  .check(
    z.refine(({ start, end }) => end - start >= 1, {
      path: ['end'],
      error: 'must be at least one second after start',
    }),
  );

export type SourceRange = z.output<typeof sourceRangeSchema>;

/** Most pairs of `metadata`, and characters of a key and of a value. */
const maxMetadataPairs = 20;
const maxMetadataKeyCharacters = 40;
const maxMetadataValueCharacters = 500;

/** Texts of the customer beside a task: they are given back, and mean nothing to the service. */
export const metadataSchema = z
  .record(
    z
      .string()
      .check(
        z.regex(
          new RegExp(`^[A-Za-z0-9_.-]{1,${maxMetadataKeyCharacters}}$`),
          `must be 1 to ${maxMetadataKeyCharacters} characters of A-Z a-z 0-9 _ . -`,
        ),
      ),
    z.string('must be text').check(
      z.maxLength(
        maxMetadataValueCharacters,
        `must be at most ${maxMetadataValueCharacters} characters`,
      ),
      z.refine((text) => !text.includes('\0'), 'must be text without zero characters'),
    ),
    'must be an object of texts, like {"order": "1001"}',
  )
  .check(
    z.refine(
      (metadata) => Object.keys(metadata).length <= maxMetadataPairs,
      `must have at most ${maxMetadataPairs} keys`,
    ),
  );

export type Metadata = z.output<typeof metadataSchema>;

/** The exports of a task's clips as soon as they are ready, with the options of an export. */
export const exportWhenReadySchema = z
  .strictObject(
    {
      /** The best clips, at most this many; or all. */
      count: z.union([z.literal('all'), checkWholeNumber(1, 100)], 'must be 1 to 100, or "all"'),
      preset_id: z.optional(idSchema),
      watermark: z.optional(watermarkSchema),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type'
          ? 'must be an object like {"count": 3} or {"count": "all"}'
          : undefined,
    },
  )
  .check(
    z.refine((asked) => asked.watermark === undefined || asked.preset_id === undefined, {
      path: ['preset_id'],
      error: 'watermark and preset_id cannot be sent together',
    }),
  );

export type ExportWhenReady = z.output<typeof exportWhenReadySchema>;

/** Not in the specification: what a server may ask for, and a page may not. */
const serverFields = {
  metadata: z.optional(metadataSchema),
  /** The events of the task and its exports are sent there, too. */
  webhook_url: z.optional(httpUrlSchema),
  export_when_ready: z.optional(exportWhenReadySchema),
};

const commonFields = {
  source_video_url: httpUrlSchema,
  /** Address of an SRT or WebVTT file. Only the self-hosted service takes it. */
  subtitles_url: z.optional(httpUrlSchema),
  language: z.optional(languageSchema),
  translate_to: z.optional(languageSchema),
  transcription_context: z.optional(
    z.string().check(z.maxLength(1000, 'must be at most 1000 characters')),
  ),
  name: z._default(
    z
      .string()
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(255, 'must be at most 255 characters'),
      ),
    'Upload',
  ),
  style_preset_id: z.optional(idSchema),
  /** Not in the specification: the part of the source to use. All of it if omitted. */
  source_range: z.optional(sourceRangeSchema),
};

/**
 * Body of `POST /tasks/{task_id}/words` (this project's service): the clips of a task are made
 * again from its source, with the words of a subtitle file or of recognised speech. Clips that a
 * user has edited, exported or published stay.
 */
export const taskWordsSchema = z.strictObject({
  /** Address of a subtitle file. If omitted, speech is recognised. */
  subtitles_url: z.optional(httpUrlSchema),
  /** Language of the subtitles or the speech; the task's language if omitted. */
  language: z.optional(languageSchema),
});

export type TaskWords = z.output<typeof taskWordsSchema>;

/**
 * Body of `POST /tasks/{task_id}/more` (this project's service): further clips of the source of a
 * task, as a new task, which is not scanned again.
 */
export const taskMoreSchema = z.strictObject({
  /** The number of clips; the task's number if omitted. */
  target_clip_count: z.optional(checkWholeNumber(1, 100)),
  /** Topics of the clips; any if omitted, whatever the topics of the task were. */
  topics: z.optional(topicsSchema),
});

export type TaskMore = z.output<typeof taskMoreSchema>;

const shortsFields = {
  ...commonFields,
  target_clip_count: parseInteger(1, 100, 10),
  max_clip_count: parseInteger(1, 100, 10),
  /**
   * Not in the specification: weak clips are only made if there would be fewer than this many
   * otherwise.
   */
  min_clip_count: z.optional(checkWholeNumber(1, 100)),
  min_duration: parseInteger(1, 120, 1),
  max_duration: parseInteger(1, 180, 180),
  target_duration: parseInteger(1, 120, 60),
  /**
   * Not in the specification: words or phrases in the source's language. Each clip is about one
   * of them.
   */
  topics: z.optional(topicsSchema),
  editing_options: z.prefault(editingOptionsSchema, {}),
  dimensions: z.prefault(dimensionsSchema, {}),
};

interface Durations {
  min_duration: number;
  max_duration: number;
  source_range?: SourceRange | undefined;
}

const durationRules = [
  z.refine<Durations>((body) => body.min_duration <= body.max_duration, {
    path: ['min_duration'],
    error: 'must not be greater than max_duration',
  }),
  z.refine<Durations>(
    ({ source_range: range, min_duration: min }) => !range || range.end - range.start >= min,
    { path: ['source_range'], error: 'must not be shorter than min_duration' },
  ),
] as const;

/**
 * Body of `POST /tasks/video-to-shorts` (section 4.1), with all defaults filled in. Durations are
 * whole seconds.
 */
export const videoToShortsRequestSchema = z
  .strictObject({ ...shortsFields, ...serverFields })
  .check(...durationRules);

export type VideoToShortsRequest = z.output<typeof videoToShortsRequestSchema>;
export type VideoToShortsInput = z.input<typeof videoToShortsRequestSchema>;

/** The same from a page, to the host. */
export const pageVideoToShortsSchema = z.strictObject(shortsFields).check(...durationRules);

const videoFields = {
  ...commonFields,
  editing_options: editingOptionsSchema,
  dimensions: z.prefault(dimensionsSchema, {}),
};

/**
 * Body of `POST /tasks/video-to-video` (section 4.2). `editing_options` is required; clip counts
 * and durations do not apply.
 */
export const videoToVideoRequestSchema = z.strictObject({ ...videoFields, ...serverFields });

export type VideoToVideoRequest = z.output<typeof videoToVideoRequestSchema>;
export type VideoToVideoInput = z.input<typeof videoToVideoRequestSchema>;

/** The same from a page, to the host. */
export const pageVideoToVideoSchema = z.strictObject(videoFields);
