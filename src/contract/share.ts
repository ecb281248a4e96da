import * as z from 'zod/mini';
import { dateTimeSchema, httpUrlSchema, idSchema, makeNullable } from './primitive.ts';

/** Body of `POST /projects/{id}/shares` (this project's service). */
export const newShareSchema = z.strictObject({
  /** When the link ends; if omitted, never. */
  expires_at: z.optional(dateTimeSchema),
  /** Whether viewers may download the newest export of a clip. */
  download: z.optional(z.boolean('must be true or false')),
});

export type NewShare = z.output<typeof newShareSchema>;

/** A link with which anyone may watch a clip, or all clips of a folder. */
export const shareSchema = z.object({
  id: idSchema,
  download: z.boolean(),
  expires_at: makeNullable(dateTimeSchema),
  revoked_at: makeNullable(dateTimeSchema),
  created_at: dateTimeSchema,
});

export type Share = z.output<typeof shareSchema>;

export const shareListSchema = z.array(shareSchema);

/** The same as it is made: no other answer has its address, which opens the clips. */
export const shareWithUrlSchema = z.extend(shareSchema, { url: httpUrlSchema });

export type ShareWithUrl = z.output<typeof shareWithUrlSchema>;
