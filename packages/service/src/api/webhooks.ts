import { createGuardedAgent, isRemoteUrl } from 'clip-engine';
import {
  type Delivery,
  deliveryListQuerySchema,
  deliveryListSchema,
  deliverySchema,
  emptyBodySchema,
  newSecretSchema,
  newWebhookSchema,
  type Webhook,
  webhookChangesSchema,
  webhookListSchema,
  webhookSchema,
  type WebhookSecret,
  webhookSecretSchema,
  type WebhookWithSecret,
  webhookWithSecretSchema,
} from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import type { Log } from '../config/config.ts';
import type { DeliveryRow, Db, WebhookRow } from '../db/schema.ts';
import type { Links } from '../links/links.ts';
import { deliver, readEvents } from '../webhooks/deliveries.ts';
import {
  beginTest,
  changeWebhook,
  deleteWebhook,
  findDelivery,
  findOwnWebhook,
  getTaskWebhook,
  insertWebhook,
  listDeliveries,
  listOwnWebhooks,
  type OwnWebhook,
  replaceSecret,
} from '../webhooks/endpoint-queries.ts';
import { sendAgain } from '../webhooks/queries.ts';
import { fit, readJsonObject, readQuery } from './body.ts';
import { describe, describeAnswer, describeDeletion, describeMaking } from './describe.ts';
import { answerJson } from './json.ts';
import { addMethods, type AppEnv, requestSignal } from './methods.ts';
import { makeOnce } from './once.ts';
import { getOrganization } from './users.ts';

interface Dependencies {
  allowPrivateSources: boolean;
  closing: AbortSignal;
  db: Db;
  links: Links;
  log: Log;
}

/** The webhook of a call. */
const getOwn = (c: Context<AppEnv>): OwnWebhook => ({
  organizationId: getOrganization(c),
  id: c.req.param('webhook_id') ?? '',
  origin: 'api',
});

/** The same, or the one that `tasks` stands for. */
const getOwnOrTasks = (c: Context<AppEnv>): OwnWebhook =>
  c.req.param('webhook_id') === 'tasks' ? getTaskWebhook(getOrganization(c)) : getOwn(c);

/** Returns what was found. Throws 404. */
function requireFound<T>(found: T | undefined, what = 'webhook'): T {
  if (found !== undefined) return found;
  throw new ApiError('not-found', `The organization has no ${what} with this id.`);
}

const showPreviousSecret = ({ previous_secret_until: until }: WebhookRow) => ({
  previous_secret_expires_at: until && until.getTime() > Date.now() ? until.toISOString() : null,
});

const makeWebhookObject = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  enabled: row.enabled,
  description: row.description,
  created_at: row.created_at.toISOString(),
  ...showPreviousSecret(row),
});

const makeDeliveryObject = (row: DeliveryRow): Delivery => ({
  id: row.id,
  event: row.type,
  object_id: row.row_id,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  problem: row.problem,
  created_at: row.created_at.toISOString(),
  next_attempt_at: row.status === 'waiting' ? row.next_try_at.toISOString() : null,
  finished_at: row.finished_at?.toISOString() ?? null,
});

/** Throws 422 for an address to which no event may be sent. The name is looked up when it is. */
function requireUrl(
  { allowPrivateSources }: Pick<Dependencies, 'allowPrivateSources'>,
  url: string | undefined,
  field = 'url',
): void {
  if (url === undefined) return;
  if (isRemoteUrl(url) && (allowPrivateSources || new URL(url).protocol === 'https:')) return;
  const message = `${field} must be an https address without user name, query or fragment.`;
  throw makeUnprocessableError(message, 'webhook-url', field);
}

/** Throws 422 for an address of a task to which no event may be sent, or that nothing signs. */
export async function requireTaskUrl(
  service: Pick<Dependencies, 'allowPrivateSources' | 'db'>,
  organizationId: string,
  url: string | undefined,
): Promise<void> {
  if (url === undefined) return;
  requireUrl(service, url, 'webhook_url');
  if (await findOwnWebhook(service.db, getTaskWebhook(organizationId))) return;
  throw makeUnprocessableError(
    'There is no secret for webhook_url: make one with POST /webhooks/tasks/secret.',
    'webhook-secret-missing',
    'webhook_url',
  );
}

/** Logs what was done: the line also has the organization, the user and the request. */
const noteAudit = (
  { log }: Dependencies,
  action: string,
  facts: { webhook: string; id?: string },
) => log({ event: 'webhook-audit', action, ...facts });

async function createWebhook(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { db } = service;
  const organizationId = getOrganization(c);
  const asked = fit(newWebhookSchema, await readJsonObject(c));
  requireUrl(service, asked.url);
  const made = await makeOnce(db, c, asked, {
    async make(admit) {
      const row = await insertWebhook(db, organizationId, asked, admit);
      noteAudit(service, 'create', { webhook: row.id });
      return row;
    },
    read: (id) => findOwnWebhook(db, { organizationId, id, origin: 'api' }),
  });
  const answer: WebhookWithSecret = { ...makeWebhookObject(made), secret: made.secrets[0]! };
  return answerJson(answer, 201);
}

async function patchWebhook(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const own = getOwn(c);
  const changes = fit(webhookChangesSchema, await readJsonObject(c));
  requireUrl(service, changes.url);
  const row = requireFound(await changeWebhook(service.db, own, changes));
  noteAudit(service, 'change', { webhook: own.id });
  return answerJson(makeWebhookObject(row));
}

async function removeWebhook(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const own = getOwnOrTasks(c);
  requireFound((await deleteWebhook(service.db, own)) || undefined);
  noteAudit(service, 'delete', { webhook: own.id });
  return c.body(null, 204);
}

async function addSecret(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const own = getOwnOrTasks(c);
  const { overlap_seconds } = fit(newSecretSchema, await readJsonObject(c));
  const row = requireFound(await replaceSecret(service.db, own, overlap_seconds));
  noteAudit(service, 'rotate', { webhook: own.id });
  const answer: WebhookSecret = { secret: row.secrets[0]!, ...showPreviousSecret(row) };
  return answerJson(answer, 201);
}

/** Sends a ping at once, and answers with what came of it. */
async function testWebhook(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { db, allowPrivateSources: allowPrivate } = service;
  const own = getOwn(c);
  fit(emptyBodySchema, await readJsonObject(c));
  const begun = requireFound(await beginTest(db, own));
  noteAudit(service, 'test', { webhook: own.id, id: begun.id });
  const agent = createGuardedAgent({ allowPrivate });
  const signal = requestSignal(c, service);
  try {
    const event = (await readEvents(service, [begun])).get(begun.id);
    await deliver(service, begun, event, agent, signal);
  } catch (error) {
    // If this process stops, the ping waits: it is sent by another.
    if (!signal.aborted) throw error;
  } finally {
    await agent.destroy();
  }
  return answerJson(makeDeliveryObject(requireFound(await findDelivery(db, own.id, begun.id))));
}

async function sendDeliveryAgain(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { db } = service;
  const own = getOwnOrTasks(c);
  fit(emptyBodySchema, await readJsonObject(c));
  const { enabled } = requireFound(await findOwnWebhook(db, own));
  const id = c.req.param('delivery_id') ?? '';
  requireFound(await findDelivery(db, own.id, id), 'delivery');
  if (!enabled) {
    const message = 'The webhook is disabled: enable it first.';
    throw makeUnprocessableError(message, 'webhook-disabled');
  }
  if (!(await sendAgain(db, id))) {
    const message = 'The delivery still waits for its next attempt: it is sent without this call.';
    throw makeUnprocessableError(message, 'delivery-waiting');
  }
  noteAudit(service, 'redeliver', { webhook: own.id, id });
  const row = requireFound(await findDelivery(db, own.id, id), 'delivery');
  return answerJson(makeDeliveryObject(row), 202);
}

/** Webhooks of an organization. Not in the specification. */
export function addWebhookRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/webhooks', {
    GET: describe(
      describeAnswer('The webhooks of the organization, the oldest first', webhookListSchema),
      async (c) =>
        answerJson((await listOwnWebhooks(db, getOrganization(c))).map(makeWebhookObject)),
    ),
    POST: describe(
      describeMaking(
        'Add a webhook; the answer has its secret, which no other call shows',
        newWebhookSchema,
        webhookWithSecretSchema,
        ['unprocessable'],
      ),
      (c) => createWebhook(service, c),
    ),
  });
  addMethods(app, '/webhooks/:webhook_id', {
    GET: describe(describeAnswer('A webhook', webhookSchema, ['not-found']), async (c) =>
      answerJson(makeWebhookObject(requireFound(await findOwnWebhook(db, getOwn(c))))),
    ),
    PATCH: describe(
      describeAnswer('Change a webhook', webhookSchema, ['not-found', 'unprocessable'], {
        body: webhookChangesSchema,
      }),
      (c) => patchWebhook(service, c),
    ),
    DELETE: describe(describeDeletion('Delete a webhook', 'not-found'), (c) =>
      removeWebhook(service, c),
    ),
  });
  addMethods(app, '/webhooks/:webhook_id/secret', {
    POST: describe(
      {
        summary: 'Replace the secret of a webhook; for a while, the one before signs too',
        body: newSecretSchema,
        answers: { 201: ['The new secret', webhookSecretSchema] },
        errors: ['not-found'],
      },
      (c) => addSecret(service, c),
    ),
  });
  addMethods(app, '/webhooks/:webhook_id/test', {
    POST: describe(
      describeAnswer('Send a ping to a webhook, and wait for its answer', deliverySchema, [], {
        body: emptyBodySchema,
        errors: ['not-found'],
      }),
      (c) => testWebhook(service, c),
    ),
  });
  addDeliveryRoutes(app, service);
}

function addDeliveryRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const { db } = service;
  addMethods(app, '/webhooks/:webhook_id/deliveries', {
    GET: describe(
      describeAnswer(
        'The deliveries of a webhook in the last 30 days, the newest first',
        deliveryListSchema,
        ['not-found'],
        { query: deliveryListQuerySchema },
      ),
      async (c) => {
        const asked = fit(deliveryListQuerySchema, readQuery(c), 'query');
        const { id } = requireFound(await findOwnWebhook(db, getOwnOrTasks(c)));
        return answerJson((await listDeliveries(db, id, asked)).map(makeDeliveryObject));
      },
    ),
  });
  addMethods(app, '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', {
    POST: describe(
      {
        summary: 'Send a delivery again, with all attempts',
        body: emptyBodySchema,
        answers: { 202: ['The delivery, which waits again', deliverySchema] },
        errors: ['not-found', 'unprocessable'],
      },
      (c) => sendDeliveryAgain(service, c),
    ),
  });
}
