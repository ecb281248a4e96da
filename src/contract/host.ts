import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, orNull } from './primitive.ts';
import { watermarkSchema } from './watermark.ts';

export { attemptLifetime } from './attempt-lifetime.ts';

/** Body of `POST {endpoint}/token`. */
export const tokenRequestSchema = z.strictObject({ project_id: z.optional(idSchema) });

export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** Answer of `POST {endpoint}/token`. */
export const tokenAnswerSchema = z.object({
  external_access_token: idSchema,
  /** When the token ends; null if the host does not know. */
  expires_at: orNull(dateTimeSchema),
});

export type TokenAnswer = z.output<typeof tokenAnswerSchema>;

/**
 * Body of `POST {endpoint}/exports`. `watermark` and `preset_id` belong to two variants of the
 * service's call (4.7), so a request may have only one of them.
 */
export const hostStartExportSchema = z
  .strictObject({
    project_id: idSchema,
    folder_id: z.optional(idSchema),
    watermark: z.optional(watermarkSchema),
    preset_id: z.optional(idSchema),
  })
  .check(
    z.refine((body) => body.watermark === undefined || body.preset_id === undefined, {
      path: ['preset_id'],
      error: 'watermark and preset_id cannot be sent together',
    }),
  );

export type HostStartExport = z.output<typeof hostStartExportSchema>;
export type HostStartExportInput = z.input<typeof hostStartExportSchema>;

/** How to make an export: with a watermark, with a preset, or with neither; never with both. */
export type StartOptions = Pick<HostStartExport, 'watermark' | 'preset_id'>;
export type StartOptionsInput = Pick<HostStartExportInput, keyof StartOptions>;

/** An attempt key (`Idempotency-Key`): 8 to 128 characters of A-Z a-z 0-9 . _ - */
export const attemptKeySchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{8,128}$/, 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -'));

/** Maximum time in seconds that `Prefer: wait` (RFC 7240) may hold a request. */
export const maxWaitSeconds = 25;
