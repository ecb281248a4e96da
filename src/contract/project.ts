import * as z from 'zod/mini';
import {
  dateTimeSchema,
  httpUrlSchema,
  idSchema,
  ignoreMisfit,
  listSchema,
  makeNullable,
} from './primitive.ts';
import { noteSchema } from './task.ts';

const pixels = z.int().check(z.positive());

/**
 * Project Object (section 2.2): a short, also called a clip. Some services also send its poster,
 * size and duration.
 */
export const projectSchema = z.object({
  id: idSchema,
  author_id: z.string(),
  /** The containing folder; null for a project made by video-to-video. */
  folder_id: makeNullable(idSchema),
  name: z.string(),
  created_at: dateTimeSchema,
  /** 0 to 1; null for a project made by video-to-video. */
  virality_score: makeNullable(z.number().check(z.minimum(0), z.maximum(1))),
  virality_score_explanation: makeNullable(z.string()),
  /** Up to three titles of the clip's own words, best first. The first was its `name`. */
  titles: ignoreMisfit(z.array(z.string())),
  /** For a post: two or three sentences of the clip, or what a person wrote instead. */
  description: ignoreMisfit(z.string()),
  /** For a post: up to eight topics of the clip, or what a person wrote instead. */
  tags: ignoreMisfit(z.array(z.string())),
  /** The topic of the request that the clip is about. */
  topic: ignoreMisfit(z.string()),
  notes: z.optional(z.array(noteSchema)),
  /** Address of a picture of the clip. */
  poster_url: ignoreMisfit(httpUrlSchema),
  /** Size of the clip in pixels. */
  width: ignoreMisfit(pixels),
  height: ignoreMisfit(pixels),
  /** Length of the clip in seconds. */
  duration: ignoreMisfit(z.number().check(z.positive())),
  /** Goes up by one with each change of the clip's edit. */
  revision: ignoreMisfit(z.int().check(z.positive())),
  /** The number of views of the clip; in lists only. */
  views: ignoreMisfit(z.int().check(z.minimum(0))),
});

export type Project = z.output<typeof projectSchema>;

/** The answer of section 4.4: an array, or `{projects: [...]}` from some deployments. */
export const projectListSchema = listSchema('projects', projectSchema);
