import { randomBytes, randomUUID } from 'node:crypto';
import type { NewWebhook, WebhookChanges } from 'clip-kit/contract';
import { sql } from 'kysely';
import { makeUnprocessableError } from '../api-error.ts';
import type { DeliveryRow, Db, Trx, WebhookRow } from '../db/schema.ts';
import { type BegunDelivery, endUnwanted, sentForMs, signingSecrets } from './queries.ts';

/** The number of webhooks that an organization may have beside the operator's. */
export const maxWebhooks = 10;

/** A webhook that an organization has made with the API, or the one for addresses of tasks. */
export interface OwnWebhook {
  readonly organizationId: string;
  readonly id: string;
  readonly origin: 'api' | 'task';
}

/** Returns the one whose secrets sign what is sent to the addresses that tasks name. */
export const getTaskWebhook = (organizationId: string): OwnWebhook => ({
  organizationId,
  id: `tasks-${organizationId}`,
  origin: 'task',
});

const matchOwn = ({ organizationId, id, origin }: OwnWebhook) =>
  sql<boolean>`id = ${id} and organization_id = ${organizationId} and origin = ${origin}`;

export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Throws 422 if there are too many. `admit` throws if it may not be made. */
export const insertWebhook = (
  db: Db,
  organizationId: string,
  webhook: NewWebhook,
  admit: (trx: Trx, id: string) => Promise<void>,
): Promise<WebhookRow> =>
  db.transaction().execute(async (trx) => {
    // Two calls count one after the other.
    await sql`select from organizations where id = ${organizationId} for update`.execute(trx);
    const id = randomUUID();
    await admit(trx, id);
    if ((await listOwnWebhooks(trx, organizationId)).length >= maxWebhooks) {
      const message = `An organization has at most ${maxWebhooks} webhooks: delete one first.`;
      throw makeUnprocessableError(message, 'too-many-webhooks');
    }
    return trx
      .insertInto('webhooks')
      .values({
        ...{ id, organization_id: organizationId, ...webhook },
        ...{ secrets: [makeSecret()], origin: 'api' },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/** The webhooks that an organization has made with the API, the oldest first. */
export const listOwnWebhooks = (db: Db, organizationId: string): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('origin', '=', 'api')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findOwnWebhook = (db: Db, own: OwnWebhook): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where(matchOwn(own)).executeTakeFirst();

/** Undefined if it is not there. What failed before is no reason to rest any more. */
export const changeWebhook = (
  db: Db,
  own: OwnWebhook,
  changes: WebhookChanges,
): Promise<WebhookRow | undefined> =>
  db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('webhooks')
      .set({ ...changes, failures: 0, resting_until: null })
      .where(matchOwn(own))
      .returningAll()
      .executeTakeFirst();
    if (changed) await endUnwanted(trx, own.id);
    return changed;
  });

/** Removes a webhook; false if it is not there. */
export const deleteWebhook = (db: Db, own: OwnWebhook): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('webhooks')
      .where(matchOwn(own))
      .executeTakeFirst();
    if (numDeletedRows > 0) await endUnwanted(trx, own.id);
    return numDeletedRows > 0;
  });

/**
 * Gives a webhook a new secret. The one before signs too for some seconds; an even older one no
 * more. Undefined if it is not there; the one for addresses of tasks is made.
 */
export async function replaceSecret(
  db: Db,
  own: OwnWebhook,
  overlapSeconds: number,
): Promise<WebhookRow | undefined> {
  const { organizationId, id, origin } = own;
  if (origin === 'task') {
    const none = { url: '(of tasks)', events: [], secrets: [] };
    await db
      .insertInto('webhooks')
      .values({ id, organization_id: organizationId, origin, ...none })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const until = sql`now() + make_interval(secs => ${overlapSeconds})`;
  const overlaps = sql`${overlapSeconds} > 0 and cardinality(secrets) > 0`;
  const { rows } = await sql<WebhookRow>`
    update webhooks set secrets = array[${makeSecret()}::text] ||
          case when ${overlaps} then secrets[1:1] else '{}' end,
        previous_secret_until = case when ${overlaps} then ${until} end
      where ${matchOwn(own)} returning *`.execute(db);
  return rows[0];
}

/** Removes the secrets that sign no more. */
export const removePreviousSecrets = (db: Db): Promise<unknown> =>
  sql`update webhooks set secrets = secrets[1:1], previous_secret_until = null
    where previous_secret_until <= now()`.execute(db);

/**
 * Notes a test as a delivery that this process sends. If it ends before, another one sends it.
 * Undefined if the webhook is not there.
 */
export async function beginTest(db: Db, own: OwnWebhook): Promise<BegunDelivery | undefined> {
  const { rows } = await sql<BegunDelivery>`
    with tested as (
      select *, ${signingSecrets} as signing from webhooks where ${matchOwn(own)}
    ), noted as (
      insert into webhook_deliveries
          (id, organization_id, webhook_id, type, row_id, attempts, next_try_at)
        select 'msg_' || replace(gen_random_uuid()::text, '-', ''), organization_id, id, 'ping',
            id, 1, now() + make_interval(secs => ${sentForMs / 1000})
          from tested
        returning *
    )
    select noted.*, url, signing as secrets, failures from noted cross join tested`.execute(db);
  return rows[0];
}

/** The deliveries of a webhook, the newest first. */
export const listDeliveries = (
  db: Db,
  webhookId: string,
  asked: { limit?: number | undefined; status?: DeliveryRow['status'] | undefined },
): Promise<DeliveryRow[]> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .$if(asked.status !== undefined, (query) => query.where('status', '=', asked.status!))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(asked.limit ?? 100)
    .execute();

export const findDelivery = (
  db: Db,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
