import * as z from 'zod/mini';
import { dateTimeSchema, httpUrlSchema, makeNullable } from './primitive.ts';

/** Body of `POST /projects/{id}/links` (this project's service). */
export const newLinksSchema = z.strictObject({
  /** The lifetime of signed addresses in seconds: a minute to a day, an hour if omitted. */
  expires_in: z.optional(z.int().check(z.minimum(60), z.maximum(86_400))),
});

export type NewLinks = z.output<typeof newLinksSchema>;

/**
 * Answer of `POST /projects/{id}/links` (this project's service): the addresses with which a clip
 * can be watched.
 */
export const clipLinksSchema = z.object({
  /** The player page. */
  player_url: httpUrlSchema,
  /** Null until there is a picture. */
  poster_url: makeNullable(httpUrlSchema),
  /** The preview as an MP4 file; null until it is made. */
  video_url: makeNullable(httpUrlSchema),
  /** WebVTT; null for a clip without words. */
  captions_url: makeNullable(httpUrlSchema),
  /** When they end; null: they are public. */
  expires_at: makeNullable(dateTimeSchema),
});

export type ClipLinks = z.output<typeof clipLinksSchema>;
