import * as z from 'zod/mini';
import { idSchema } from './primitive.ts';

/** User (section 2.4). */
export const userSchema = z.object({
  id: idSchema,
  /** Generated address of the guest user. */
  email: z.string(),
  organizationId: idSchema,
  /** True for managed users. */
  isGuest: z.boolean(),
});

export type User = z.output<typeof userSchema>;

/**
 * The answer of section 4.12. The only valid field name is this one; an answer with `token` is
 * refused.
 */
export const accessTokenSchema = z.object({ external_access_token: idSchema });

export type AccessToken = z.output<typeof accessTokenSchema>;

/** The empty JSON object that calls 4.11 and 4.12 require. */
export const emptyBodySchema = z.strictObject({});
