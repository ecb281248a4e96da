import * as z from 'zod/mini';
import { editorLimitsSchema } from './editor-limits.ts';
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

export const permissionSchema = z.enum(['view', 'edit', 'export']);

/** A permission of an access token for the user's clips. */
export type Permission = z.output<typeof permissionSchema>;

/** Body of `POST /users/{user_id}/tokens`; the token has all of what is missing. */
export const newTokenSchema = z.strictObject({
  permissions: z.optional(
    z
      .array(permissionSchema)
      .check(z.refine((list) => list.includes('view'), 'must have "view" among them')),
  ),
  editor: z.optional(editorLimitsSchema),
});

export type NewToken = z.output<typeof newTokenSchema>;

/** The empty JSON object that call 4.11 requires. */
export const emptyBodySchema = z.strictObject({});
