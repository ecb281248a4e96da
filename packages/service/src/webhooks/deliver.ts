import { signWebhook, webhookHeaders, webhookKey, webhookSecretBytes } from 'clip-kit/contract';
import type { WebhookEvent } from 'clip-kit/contract';
import type { ServiceContext } from '../context.ts';
import { readShownExports, readShownTasks } from '../tasks/shown-queries.ts';
import type { DeliveryRow } from '../db/schema.ts';
import { endTry, noteReceiver, type BegunDelivery } from './queries.ts';
import { exportAddress } from '../storage/export-address.ts';
import { exportObject } from '../exports/export-object.ts';
import { taskObject } from '../tasks/task-object.ts';
import { NotDelivered, post } from './post.ts';

/** Tries of a delivery: the last is about a day after the first. */
export const maxTries = 20;

/** Pauses from 5 s to 3 h. */
const pauseSeconds = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), 3 * 60 * 60);

/** The delivery's event, as the row is now; undefined if the row has been deleted. */
async function eventOf(
  service: Pick<ServiceContext, 'db' | 'publicUrl' | 'files'>,
  { type, row_id: id, created_at }: DeliveryRow,
): Promise<WebhookEvent | undefined> {
  const timestamp = created_at.toISOString();
  if (type === 'task.ready' || type === 'task.error') {
    const [row] = await readShownTasks(service.db, [id]);
    return row && { type, timestamp, data: taskObject(row, exportAddress(service)) };
  }
  const [row] = await readShownExports(service.db, [id]);
  return row && { type, timestamp, data: exportObject(row, exportAddress(service)) };
}

/** Each secret signs, so that the receiver may know either while one is replaced. */
async function signed({ id, secrets }: BegunDelivery, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signatures = await Promise.all(
    secrets.map(async (secret) =>
      signWebhook(await webhookKey(webhookSecretBytes(secret)), { id, timestamp, body }),
    ),
  );
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: signatures.join(' '),
  };
}

/** The receiver does not want any more of them. */
const gone = 410;

/**
 * Sends a delivery that was taken, and notes what came of it. A receiver that answers 410 (Gone),
 * or that did not accept the last try, gets it no more. Throws only if the database fails, or the
 * signal's reason.
 */
export async function deliver(
  service: Pick<
    ServiceContext,
    'db' | 'log' | 'allowPrivateSources' | 'publicUrl' | 'files' | 'metrics'
  >,
  delivery: BegunDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { db } = service;
  const { id, type, attempts } = delivery;
  const event = await eventOf(service, delivery);
  if (!event) {
    const problem = 'The row has been deleted.';
    await endTry(db, id, { status: 'failed', response_status: null, problem, pauseSeconds: 0 });
    return;
  }
  const body = JSON.stringify(event);
  let status: number | null = null;
  let problem: string | null = null;
  try {
    const message = { headers: await signed(delivery, body), body };
    const { allowPrivateSources: allowPrivate } = service;
    status = await post(delivery.url, message, { allowPrivate, signal });
    if (status < 200 || status >= 300) problem = `The receiver answered with status ${status}.`;
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    problem = error.message;
  }
  const isLast = status === gone || attempts >= maxTries;
  const state = problem === null ? 'delivered' : isLast ? 'failed' : 'waiting';
  await endTry(db, id, {
    status: state,
    response_status: status,
    problem,
    pauseSeconds: pauseSeconds(attempts),
  });
  await noteReceiver(db, delivery.organization_id, problem === null || status === gone);
  const { organization_id: organization } = delivery;
  const fields = { id, organization, type, attempts, status, message: problem };
  service.log({ event: `webhook-${state}`, ...fields });
}
