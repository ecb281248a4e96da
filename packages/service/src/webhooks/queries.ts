import { sql } from 'kysely';
import { findFirstOrganizationId } from '../users/queries.ts';
import type { DeliveryRow, Db } from '../db/schema.ts';
import { isTakingOver } from '../db/settings.ts';

/** Where an organization's events are sent, and the secrets that sign them (`whsec_…`). */
export interface Webhook {
  url: string;
  /** Each signs: two of them while one is replaced. */
  secrets: readonly string[];
}

/** Sets the operator's webhook of an organization, or of the first one; null removes it. */
export async function writeWebhook(
  db: Db,
  webhook: Webhook | null,
  {
    organizationId,
    origin,
  }: { organizationId?: string | undefined; origin: 'environment' | 'made' },
): Promise<void> {
  const id = organizationId ?? (await findFirstOrganizationId(db));
  if (id === undefined) return;
  if (!webhook) {
    // What was set by the environment goes with it; what the operator has set does not.
    await db
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .$if(origin === 'environment', (query) => query.where('origin', '=', 'environment'))
      .execute();
    await endUnwanted(db, id);
    return;
  }
  const values = { url: webhook.url, secrets: [...webhook.secrets], origin };
  await db
    .insertInto('webhooks')
    .values({ id, organization_id: id, ...values })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...values, failures: 0, resting_until: null }),
    )
    .execute();
}

/** Gives up what waits for webhooks, or for one, that were removed or disabled. */
export const endUnwanted = (db: Db, webhookId: string | null = null): Promise<unknown> =>
  sql`update webhook_deliveries
    set status = 'failed', problem = 'The webhook was removed or disabled.', finished_at = now()
    where status = 'waiting' and webhook_id = coalesce(${webhookId}, webhook_id)
      and not exists (select 1 from webhooks where id = webhook_id and enabled)`.execute(db);

/**
 * Sets the webhook that the environment has, or removes the one that it had. With `onReplaced`
 * there are other processes: one with replaced settings changes nothing, and calls this.
 */
export const configureWebhook = (
  db: Db,
  webhook: Webhook | null,
  onReplaced: (() => void) | null,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(4401)`.execute(trx);
    if (onReplaced && !(await isTakingOver(trx, 'webhook', webhook))) onReplaced();
    else await writeWebhook(trx, webhook, { origin: 'environment' });
  });

export const readWebhook = (db: Db, organizationId: string): Promise<Webhook | undefined> =>
  db
    .selectFrom('webhooks')
    .select(['url', 'secrets'])
    .where('id', '=', organizationId)
    .executeTakeFirst();

/** The receivers, without their secrets, and how many deliveries wait or were given up. */
export async function listWebhooks(db: Db) {
  const { rows } = await sql<{
    organization: string;
    id: string;
    url: string;
    origin: string;
    failures: number;
    resting_until: Date | null;
    waiting: number;
    failed: number;
  }>`
    select organization_id as organization, id, url, origin, failures, resting_until,
        (select count(*)::int from webhook_deliveries as one
          where one.webhook_id = webhooks.id and status = 'waiting') as waiting,
        (select count(*)::int from webhook_deliveries as one
          where one.webhook_id = webhooks.id and status = 'failed') as failed
      from webhooks order by created_at`.execute(db);
  return rows;
}

/** The latest 1000 deliveries of an organization that were given up; newest first. */
export const listFailedDeliveries = (db: Db, organizationId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'type', 'row_id', 'attempts', 'response_status', 'problem', 'finished_at'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'failed')
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute();

/** Outages in a row after which a receiver is backed off from. */
const failuresToRest = 3;

/** A delivery with all that is needed to send it. */
export type BegunDelivery = DeliveryRow & Webhook & { failures: number };

/** The secrets that sign now. */
export const signingSecrets = sql`case when previous_secret_until <= now() then secrets[1:1]
  else secrets end`;

/** The time after which another process retries a delivery that was not settled. */
export const sentForMs = 60_000;

/**
 * Takes deliveries that are to be sent now, and counts the try. A receiver gets as many as it has
 * room for, `perReceiver` if that is not known here; one that rests gets none.
 */
export async function takeDeliveries(
  db: Db,
  count: number,
  { perReceiver, rooms }: { perReceiver: number; rooms: ReadonlyMap<string, number> },
): Promise<BegunDelivery[]> {
  // Materialized: an `in` may run the selection again for each row, and so take them all.
  const { rows } = await sql<BegunDelivery>`
    with due as materialized (
      select waiting.id, url, failures, ${signingSecrets} as secrets from webhooks
        left join unnest(${[...rooms.keys()]}::text[], ${[...rooms.values()]}::int[])
          as known (webhook_id, room) on known.webhook_id = webhooks.id
        cross join lateral (
          select id from webhook_deliveries
            where webhook_id = webhooks.id
              and status = 'waiting' and next_try_at <= now()
            order by next_try_at limit coalesce(known.room, ${perReceiver})
            for update skip locked
        ) as waiting
        where enabled and (resting_until is null or resting_until <= now())
        limit ${count}
    )
    update webhook_deliveries
      set attempts = attempts + 1, next_try_at = now() + make_interval(secs => ${sentForMs / 1000})
      from due where webhook_deliveries.id = due.id
      returning webhook_deliveries.*, coalesce(task_url, due.url) as url, due.secrets, due.failures`.execute(
    db,
  );
  return rows;
}

/** Pauses from 5 s to 3 h. */
const nextTryAt = sql<Date>`
  now() + least(interval '3 hours', interval '5 seconds' * power(2, attempts - 1))`;

/** Notes how a try ended. A delivery that still waits is sent again after a pause. */
export const endTry = (
  db: Db,
  id: string,
  ended: Pick<DeliveryRow, 'status' | 'response_status' | 'problem'>,
): Promise<unknown> =>
  db
    .updateTable('webhook_deliveries')
    .set(
      ended.status === 'waiting'
        ? { ...ended, next_try_at: nextTryAt }
        : { ...ended, finished_at: sql<Date>`now()` },
    )
    .where('id', '=', id)
    .execute();

/**
 * The receiver of a delivery that was taken has answered, or failed: after some outages in a row it
 * rests for a while.
 */
export async function noteReceiver(
  db: Db,
  { webhook_id: webhookId, task_url, next_try_at: takenUntil, failures }: BegunDelivery,
  accepted: boolean,
): Promise<void> {
  // The address of one task says nothing of those of others.
  if (task_url !== null) return;
  if (accepted) {
    if (failures === 0) return;
    await sql`update webhooks set failures = 0, resting_until = null
      where id = ${webhookId}`.execute(db);
    return;
  }
  const takenAt = new Date(takenUntil.getTime() - sentForMs);
  await sql`update webhooks set failures = least(failures, 30) + 1, failed_at = now(),
      resting_until = case when failures >= ${failuresToRest - 1} then
        now() + least(interval '5 minutes', interval '5 seconds' * power(2, failures)) end
    where id = ${webhookId} and (failed_at is null or failed_at < ${takenAt})`.execute(db);
}

/** Has a delivery sent again, with all of its tries. False if it is not there, or still waits. */
export async function sendAgain(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries
      set status = 'waiting', attempts = 0, next_try_at = now(), finished_at = null
      where id = ${id} and status <> 'waiting' returning id`.execute(db);
  if (rows.length > 0) await sql`select pg_notify('clip_changes', 'delivery - -')`.execute(db);
  return rows.length > 0;
}

/** Deletes deliveries that were settled at least `days` ago; returns their number. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries
        where status <> 'waiting' and finished_at < now() - make_interval(days => ${days})
        limit 1000
    ) returning id`.execute(db);
  return rows.length;
}
