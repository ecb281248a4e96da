import * as z from 'zod/mini';
import { dateTimeSchema, httpUrlSchema, idSchema } from './primitive.ts';

/** The endings of subtitle files. A file with any other ending is uploaded as a video. */
export const subtitleEndings = ['.srt', '.vtt', '.ass', '.ssa', '.sbv', '.ttml'] as const;

/** Body of `POST /uploads` (this project's service, and the host): a file that will be sent. */
export const newUploadSchema = z.strictObject({
  /** The name of the file, as the person sees it. It is never used as a path. */
  name: z
    .string()
    .check(z.minLength(1, 'must not be empty'), z.maxLength(255, 'must be at most 255 characters')),
  /** Bytes of the whole file. */
  size: z.int('must be a whole number').check(z.positive('must be at least 1')),
  /** The media type that the browser gives. Which kind of file it is, its bytes decide. */
  type: z.optional(z.string().check(z.maxLength(255, 'must be at most 255 characters'))),
  /** SHA-256 of the file, hexadecimal: an upload with another one fails at its end. */
  sha256: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')),
  ),
  /** Length of the video in seconds, if the page has read it. */
  seconds: z.optional(z.number('must be a number').check(z.positive('must be greater than 0'))),
});

export type NewUpload = z.output<typeof newUploadSchema>;

/** Upload Object: where the bytes of a file go. Only its user can make a task of it. */
export const uploadSchema = z.object({
  id: idSchema,
  /** `finished`: all bytes have arrived, and are a file that can be used. */
  status: z.enum(['open', 'finished']),
  /** Version 1.0 of that protocol, at `url`. */
  protocol: z.literal('tus'),
  /** Takes the bytes, and is the `source_video_url` or `subtitles_url` of a task afterwards. */
  url: httpUrlSchema,
  name: z.string(),
  size: z.int().check(z.positive()),
  /** Bytes that have arrived. */
  offset: z.int().check(z.nonnegative()),
  created_at: dateTimeSchema,
  /** An upload that no task has taken is removed then. */
  expires_at: dateTimeSchema,
});

export type Upload = z.output<typeof uploadSchema>;
