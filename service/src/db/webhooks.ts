import { sql } from 'kysely';
import { firstOrganizationId } from './accounts.ts';
import type { DeliveryRow, Db, Trx } from './schema.ts';

/** Where an organization's events are sent, and the secrets that sign them (`whsec_…`). */
export interface Webhook {
  url: string;
  /** Each signs: two of them while one is replaced. */
  secrets: readonly string[];
}

/** Sets the webhook of an organization, or of the first one; null removes it. */
export async function writeWebhook(
  db: Db,
  webhook: Webhook | null,
  {
    organizationId,
    origin,
  }: { organizationId?: string | undefined; origin: 'environment' | 'made' },
): Promise<void> {
  const id = organizationId ?? (await firstOrganizationId(db));
  if (id === undefined) return;
  if (!webhook) {
    // What was set by the environment goes with it; what the operator has set does not.
    await db
      .deleteFrom('webhooks')
      .where('organization_id', '=', id)
      .$if(origin === 'environment', (query) => query.where('origin', '=', 'environment'))
      .execute();
    return;
  }
  const values = { url: webhook.url, secrets: [...webhook.secrets], origin };
  await db
    .insertInto('webhooks')
    .values({ organization_id: id, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

/** Takes deliveries that have no job yet, within the transaction that gives them one. */
export async function takeUnqueued(trx: Trx, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries set queued = true where id in (
      select id from webhook_deliveries where not queued
        order by created_at limit ${count} for update skip locked
    ) returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** A delivery with all that is needed to send it. */
export type BegunDelivery = DeliveryRow & Webhook;

/** Counts a try; undefined if the delivery is settled, or nobody wants it any more. */
export async function beginDelivery(db: Db, id: string): Promise<BegunDelivery | undefined> {
  const { rows } = await sql<BegunDelivery>`
    update webhook_deliveries set attempts = attempts + 1 from webhooks
      where webhook_deliveries.id = ${id} and status = 'waiting'
        and webhooks.organization_id = webhook_deliveries.organization_id
      returning webhook_deliveries.*, webhooks.url, webhooks.secrets`.execute(db);
  return rows[0];
}

/** Notes how a try ended. A delivery that still waits is tried again. */
export const endTry = (
  db: Db,
  id: string,
  ended: Pick<DeliveryRow, 'status' | 'response_status' | 'problem'>,
): Promise<unknown> =>
  db
    .updateTable('webhook_deliveries')
    .set({ ...ended, ...(ended.status !== 'waiting' && { finished_at: sql<Date>`now()` }) })
    .where('id', '=', id)
    .execute();

/** The latest deliveries of an organization, or of the first one; newest first. */
export async function listDeliveries(db: Db, organizationId?: string): Promise<DeliveryRow[]> {
  const id = organizationId ?? (await firstOrganizationId(db));
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('organization_id', '=', id ?? '')
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute();
}
