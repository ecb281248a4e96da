import * as z from 'zod/mini';
import {
  dateTimeSchema,
  httpUrlSchema,
  idSchema,
  ignoreMisfit,
  listSchema,
  makeNullable,
  statusSchema,
} from './primitive.ts';
import { failureSchema, noteSchema, progressSchema } from './task.ts';
import { watermarkSchema } from './watermark.ts';

/** Export Object (section 2.3). The status is normalised, and omitted fields are null. */
export const exportSchema = z.object({
  id: idSchema,
  status: statusSchema,
  /** Public URL of the MP4 file; null until the export is ready, or if it is not http or https. */
  src_url: makeNullable(z.string()).check(
    // Pages put it into a link: no `javascript:` of a strange service gets so far.
    z.overwrite((url) => (url !== null && /^https?:\/\//i.test(url) ? url : null)),
  ),
  /** When the render is expected to be done; null if the service does not say. */
  estimated_ready_at: makeNullable(dateTimeSchema),
  project_id: idSchema,
  created_at: dateTimeSchema,
  finished_at: makeNullable(dateTimeSchema),
  name: z.string(),
  author_id: z.string(),
  folder_id: makeNullable(idSchema),
  descriptions: makeNullable(z.string()),
  /** Null if the service does not say. */
  watermarked: makeNullable(z.boolean()),
  progress: z.optional(z.nullable(progressSchema)),
  failure: z.optional(z.nullable(failureSchema)),
  notes: z.optional(z.array(noteSchema)),
  /** The revision of the clip's edit when the export was started. */
  revision: z.optional(z.int()),
  /** The clip's description at that revision, for a post. */
  description: ignoreMisfit(z.string()),
  tags: ignoreMisfit(z.array(z.string())),
  /** Address of the cover as a JPEG in the size of the export, if the clip has a chosen one. */
  cover_url: ignoreMisfit(httpUrlSchema),
});

export type Export = z.output<typeof exportSchema>;

/** The answer of section 4.9: an array, or `{exports: [...]}`. */
export const exportListSchema = listSchema('exports', exportSchema);

/**
 * The start-export record of the clip-export variant (section 2.3): four stable fields; all other
 * fields are internal.
 */
export const startExportRecordSchema = z.object({
  id: idSchema,
  status: statusSchema,
  projectId: idSchema,
  estimatedReadyAt: makeNullable(dateTimeSchema),
});

export type StartExportRecord = z.output<typeof startExportRecordSchema>;

/**
 * Any answer to a start (4.6, 4.7): an Export Object or the start-export record. Only the Export
 * Object has `project_id`.
 */
export type StartedExport = Export | StartExportRecord;

/**
 * Parses any answer to a start. If it matches neither shape, the issues are those of the closest
 * shape.
 */
export const safeParseStartedExport = (
  answer: unknown,
): z.core.util.SafeParseResult<StartedExport> =>
  typeof answer === 'object' && answer !== null && 'project_id' in answer
    ? exportSchema.safeParse(answer)
    : startExportRecordSchema.safeParse(answer);

/** Body of a start in variant A (4.6, 4.7): empty, or a watermark. */
export const startExportBodyASchema = z.strictObject({ watermark: z.optional(watermarkSchema) });

/** Body of a start in variant B (4.7): the styling preset's id. */
export const startExportBodyBSchema = z.strictObject({ preset_id: idSchema });

export type StartExportBody =
  z.output<typeof startExportBodyASchema> | z.output<typeof startExportBodyBSchema>;
export type StartExportBodyInput =
  z.input<typeof startExportBodyASchema> | z.input<typeof startExportBodyBSchema>;

/** Query of `GET /exports` (section 4.9). */
export const exportFilterSchema = z.strictObject({
  folder_id: z.optional(idSchema),
  project_id: z.optional(idSchema),
});

export type ExportFilter = z.output<typeof exportFilterSchema>;

/** The answer of `GET /projects/{id}/allowance` (this project's service). */
export const allowanceSchema = z.object({
  plan: z.enum(['free', 'paid']),
  state: z.enum(['active', 'paused', 'past_due']),
  /** Exports (`free`) or clips (`paid`) that the plan allows; null: no limit. */
  allowance: z.nullable(z.int()),
  /** The number of exports or clips that are used up. */
  used: z.int(),
  /** Whether an export of this clip would be counted. */
  counts: z.boolean(),
  /** Why the clip cannot be exported now; null if it can. */
  refusal: z.nullable(z.string()),
});

export type Allowance = z.output<typeof allowanceSchema>;
