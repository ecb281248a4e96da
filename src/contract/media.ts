import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './primitive.ts';

const mediaFields = {
  id: idSchema,
  name: z.string(),
  seconds: z.number(),
  bytes: z.number(),
  created_at: dateTimeSchema,
};

/** Music of an organization: an answer of `/music` (this project's service). */
export const musicSchema = z.object(mediaFields);
export type Music = z.output<typeof musicSchema>;
export const musicListSchema = z.array(musicSchema);

/**
 * An intro, outro or end card of an organization: an answer of `/bumpers` (this project's service).
 */
export const bumperSchema = z.object(mediaFields);
export type Bumper = z.output<typeof bumperSchema>;
export const bumperListSchema = z.array(bumperSchema);
