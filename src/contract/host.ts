import * as z from 'zod/mini';
import { dateTimeSchema, httpUrlSchema, idSchema, makeNullable } from './primitive.ts';
import { watermarkSchema } from './watermark.ts';

export { attemptLifetime } from './for-pages.ts';

/** Body of `POST {endpoint}/token`. */
export const tokenRequestSchema = z.strictObject({ project_id: z.optional(idSchema) });

export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** Answer of `POST {endpoint}/token`. */
export const tokenAnswerSchema = z.object({
  external_access_token: idSchema,
  /** When the token ends; null if the host does not know. */
  expires_at: makeNullable(dateTimeSchema),
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

/** The options of an export: a watermark, a preset, or neither; never both. */
export type StartOptions = Pick<HostStartExport, 'watermark' | 'preset_id'>;
export type StartOptionsInput = Pick<HostStartExportInput, keyof StartOptions>;

/**
 * Body of `POST {endpoint}/exports/{id}/download`, and query of `GET`. `name`: the name of the
 * file; the clip's if omitted.
 */
export const downloadRequestSchema = z.strictObject({
  project_id: idSchema,
  folder_id: z.optional(idSchema),
  name: z.optional(z.string()),
});

/** Answer of `POST {endpoint}/exports/{id}/download`: an address that a link can have. */
export const downloadAddressSchema = z.object({ url: httpUrlSchema });

/**
 * A field of every body with an `Idempotency-Key`, beside what is asked for: the `started_at` of an
 * `outcome-unknown` answer, if a person wants that start to be sent again. It may be paid twice.
 */
export const confirmedStartSchema = z.optional(dateTimeSchema);

/** An attempt key (`Idempotency-Key`): 8 to 128 characters of A-Z a-z 0-9 . _ - */
export const attemptKeySchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{8,128}$/, 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -'));

/** Maximum time in seconds that `Prefer: wait` (RFC 7240) may hold a request. */
export const maxWaitSeconds = 25;

/**
 * The number of seconds that a `Prefer` header asks the server to hold the answer (RFC 7240,
 * `wait=N`): 0 if it does not ask, and at most {@link maxWaitSeconds}.
 */
export function waitSeconds(prefer: string | null | undefined): number {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0;
}
