import {
  accessTokenSchema,
  emptyBodySchema,
  newTokenSchema,
  userSchema,
  type AccessToken,
  type User,
} from 'clip-kit/contract';
import type { Presets } from 'clip-engine';
import type { Context, Hono } from 'hono';
import { listPresets } from '../appearance/queries.ts';
import type { Changes } from '../operations/changes.ts';
import type { Tokens } from '../users/tokens.ts';
import { createManagedUser, findManagedUser, findUser } from '../users/queries.ts';
import { eraseUser } from '../tasks/deletion-queries.ts';
import { fit, readJsonObject, requirePreset } from './body.ts';
import { describeDeletion, describe, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { addMethods, type AppEnv } from './methods.ts';
import { type Making, makeOnce } from './once.ts';
import type { UserRow, Db } from '../db/schema.ts';
import { ApiError } from '../api-error.ts';

/**
 * Returns the organization of a call. Throws 403 on behalf of a managed user, who has no part in
 * what is the organization's own affair.
 */
export function getOrganization(c: Context<AppEnv>): string {
  const owner = c.get('owner');
  if (c.get('user').id === owner.id) return owner.organization_id;
  throw new ApiError('forbidden', 'This call cannot be made on behalf of a managed user.');
}

interface Dependencies {
  changes: Changes;
  db: Db;
  presets: Presets;
  tokens: Tokens;
}

async function createUser({ db }: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const organizationId = getOrganization(c);
  fit(emptyBodySchema, await readJsonObject(c));
  const making: Making<UserRow> = {
    make: (admit) => createManagedUser(db, organizationId, admit),
    read: (id) => findUser(db, id),
  };
  const row = await makeOnce(db, c, {}, making);
  const user: User = {
    id: row.id,
    email: row.email,
    organizationId: row.organization_id,
    isGuest: row.is_guest,
  };
  return answerJson(user, 201);
}

async function deleteUser({ changes, db }: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const deleted = await eraseUser(db, getOrganization(c), c.req.param('user_id') ?? '');
  if (!deleted) throw new ApiError('not-found', 'There is no such managed user.');
  changes.deleted();
  return c.body(null, 204);
}

async function issueToken(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { db, tokens } = service;
  const organizationId = getOrganization(c);
  const { permissions, editor } = fit(newTokenSchema, await readJsonObject(c));
  // What is kept of a user may be a moment old, and a token is valid for long.
  const user = await findManagedUser(db, organizationId, c.req.param('user_id') ?? '');
  if (!user) throw new ApiError('not-found', 'There is no such managed user.');
  if (editor?.presets?.length) {
    const presets = await listPresets(service, user);
    for (const id of editor.presets) requirePreset(presets, 'editor.presets', id);
  }
  const token = await tokens.issue(user.id, permissions, { editor });
  const answer: AccessToken = { external_access_token: token };
  return answerJson(answer, 201);
}

/** Sections 4.11 and 4.12. */
export function userRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/users', {
    POST: describe(
      describeMaking('Create a managed user (4.11)', emptyBodySchema, userSchema),
      (c) => createUser(service, c),
    ),
  });
  addMethods(app, '/users/:user_id', {
    DELETE: describe(
      describeDeletion('Erase a managed user and all of the user’s data', 'not-found'),
      (c) => deleteUser(service, c),
    ),
  });
  addMethods(app, '/users/:user_id/tokens', {
    POST: describe(
      {
        summary: 'Issue an access token for a managed user (4.12)',
        body: newTokenSchema,
        answers: { 201: ['The token', accessTokenSchema] },
        errors: ['not-found', 'unprocessable'],
      },
      (c) => issueToken(service, c),
    ),
  });
}
