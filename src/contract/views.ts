import * as z from 'zod/mini';
import { idSchema, makeNullable } from './primitive.ts';

/** Marks of a clip: those of its first hour. */
const maxMarks = 360;

/** The part of a clip that was watched since the last record of the same showing. */
const viewRecordSchema = z.strictObject({
  project_id: idSchema.check(
    z.maxLength(128, 'must be at most 128 characters'),
    z.refine((id) => !id.includes('\0'), 'must be without zero characters'),
  ),
  /** Whether this is the first record of its showing, which counts as a view. */
  begins: z.boolean(),
  /**
   * The parts of ten seconds that were watched at least by half: 0 for the first, 1 for the next.
   */
  marks: z
    .array(z.int().check(z.minimum(0), z.maximum(maxMarks - 1)))
    .check(z.maxLength(maxMarks, `must be at most ${maxMarks} marks`)),
  /** Whether the sound was off when the view began to count. */
  muted: z.boolean(),
  /** Where on the site: a word of its own. */
  place: z.optional(
    z.string().check(z.regex(/^[\w-]{1,32}$/, 'must be 1 to 32 characters of A-Z a-z 0-9 _ -')),
  ),
});

export type ViewRecord = z.output<typeof viewRecordSchema>;

const viewsSchema = z
  .array(viewRecordSchema)
  .check(z.minLength(1, 'must not be empty'), z.maxLength(50, 'must be at most 50 records'));

/** Body of `POST {endpoint}/views`. */
export const viewsRequestSchema = z.strictObject({ views: viewsSchema });

/** Body of `POST /projects/views` (this project's service), and what a host is given. */
export const viewBatchSchema = z.strictObject({
  /**
   * A hash of the visitor's address that is another one each day, which bounds what one address can
   * add; null if the address is not known.
   */
  visitor: makeNullable(
    z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ -')),
  ),
  views: viewsSchema,
});

export type ViewBatch = z.output<typeof viewBatchSchema>;

const countSchema = z.int().check(z.minimum(0));

/** Answer of `GET /projects/{id}/views` (this project's service). */
export const viewReportSchema = z.object({
  project_id: idSchema,
  views: countSchema,
  /** The number of views that began with the sound off. */
  muted: countSchema,
  /** The sum over all views; each second of a showing once. Estimated from steps of ten seconds. */
  watched_seconds: countSchema,
  /** For each ten seconds from `second` on, the number of views with half of them or more. */
  retention: z.array(
    z.object({
      second: countSchema,
      watched: countSchema,
      /** The share of the views, 0 to 1. */
      share: z.number().check(z.minimum(0), z.maximum(1)),
    }),
  ),
  /** Views by the site's own word for the place where the clip was shown. */
  places: z.record(z.string(), countSchema),
});

export type ViewReport = z.output<typeof viewReportSchema>;
