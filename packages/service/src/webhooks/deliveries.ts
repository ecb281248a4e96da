import { formatError, createGuardedAgent, PrivateAddress } from 'clip-engine';
import {
  signWebhook,
  type PingEvent,
  type WebhookEvent,
  webhookHeaders,
  importWebhookKey,
  decodeWebhookSecret,
} from 'clip-kit/contract';
import { type Dispatcher, request } from 'undici';
import type { Log } from '../config/config.ts';
import type { Watcher } from '../db/live-rows.ts';
import { type BegunDelivery, endTry, noteReceiver, takeDeliveries } from './queries.ts';
import { readExportMetadata, readShownExports } from '../exports/queries.ts';
import { readShownTasks } from '../tasks/queries.ts';
import type { DeliveryRow, Db } from '../db/schema.ts';
import type { Addresses, Links } from '../links/links.ts';
import { exportObject } from '../exports/rules.ts';
import { makeTaskObject } from '../tasks/rules.ts';

/** Deliveries that this process sends at the same time. */
const maxOpen = 64;
/**
 * Deliveries to one receiver at the same time: at first, and at most. Each that is accepted makes
 * room for one more, and after a failure one at a time is tried, so that receivers which hang leave
 * room for the others.
 */
const perReceiver = { first: 2, most: 16 } as const;
/** A notice may be missed, and deliveries that failed are due again. */
const pollIntervalMs = 5000;

interface Dependencies {
  allowPrivateSources: boolean;
  changes: { watch(kind: 'delivery'): Watcher };
  closing: AbortSignal;
  db: Db;
  links: Links;
  log: Log;
}

/** The content of a delivery: an event, or the test of a webhook. */
type Message = WebhookEvent | PingEvent;

/** The number of deliveries being sent, and of those that may be, by webhook. */
type Receivers = Map<string, { open: number; width: number }>;

/** Takes as many deliveries as there is room for, with their events. Logs what fails. */
async function takeRound(
  service: Dependencies,
  receivers: Receivers,
  room: number,
): Promise<(readonly [BegunDelivery, Message | undefined])[]> {
  if (room <= 0) return [];
  try {
    const rooms = [...receivers].map(
      ([to, { open, width }]) => [to, Math.max(0, width - open)] as const,
    );
    const deliveries = await takeDeliveries(service.db, room, {
      perReceiver: perReceiver.first,
      rooms: new Map(rooms),
    });
    const events = await readEvents(service, deliveries);
    return deliveries.map((one) => [one, events.get(one.id)]);
  } catch (error) {
    service.log({ event: 'webhooks-not-read', message: formatError(error) });
    return [];
  }
}

/** Sends a delivery, and widens or narrows its receiver. Never fails. */
async function sendDelivery(
  service: Dependencies,
  receivers: Receivers,
  dispatcher: Dispatcher,
  [delivery, event]: readonly [BegunDelivery, Message | undefined],
): Promise<void> {
  const { closing, log } = service;
  const { webhook_id: to } = delivery;
  const receiver = receivers.get(to) ?? { open: 0, width: perReceiver.first };
  receivers.set(to, receiver);
  receiver.open += 1;
  try {
    const isAccepted = await deliver(service, delivery, event, dispatcher, closing);
    receiver.width = isAccepted ? Math.min(receiver.width + 1, perReceiver.most) : 1;
  } catch (error) {
    // It is taken again, here or elsewhere.
    if (!closing.aborted) log({ event: 'webhook-not-sent', message: formatError(error) });
  } finally {
    receiver.open -= 1;
    if (receiver.open === 0 && receiver.width <= perReceiver.first) receivers.delete(to);
  }
}

/**
 * Sends the deliveries of webhooks until the service stops, then waits for those that are being
 * sent. Receivers take turns: a slow one delays no other.
 */
export async function sendDeliveries(service: Dependencies): Promise<void> {
  const { changes, closing } = service;
  const watcher = changes.watch('delivery');
  const agent = createGuardedAgent({ allowPrivate: service.allowPrivateSources });
  const receivers: Receivers = new Map();
  const open = new Set<Promise<void>>();
  let ended = Promise.withResolvers<void>();
  while (!closing.aborted) {
    ended = Promise.withResolvers<void>();
    const taken = await takeRound(service, receivers, maxOpen - open.size);
    for (const delivery of taken) {
      const one = sendDelivery(service, receivers, agent, delivery);
      open.add(one);
      void one.then(() => {
        open.delete(one);
        ended.resolve();
      });
    }
    // The next round: at once if there may be more, else when one has ended or a notification came.
    if (taken.length > 0) continue;
    const waiting = new AbortController();
    await Promise.race([
      watcher.next(pollIntervalMs, AbortSignal.any([closing, waiting.signal])),
      ...(open.size > 0 ? [ended.promise] : []),
    ]);
    // Leaves no timer behind for each delivery.
    waiting.abort();
  }
  watcher.close();
  await Promise.all(open);
  await agent.destroy();
}

/** Tries of a delivery: the last is about a day after the first. */
export const maxTries = 20;

/** The events of deliveries, as their rows are now; none for a row that has been deleted. */
export async function readEvents(
  { db, links }: { db: Db; links: Links },
  deliveries: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, Message>> {
  const addresses = new Map<string, Addresses>();
  for (const { row_id, organization_id } of deliveries) {
    addresses.set(row_id, await links.addressesOf(organization_id));
  }
  const idsOf = (kind: string): string[] =>
    deliveries.flatMap(({ type, row_id }) => (type.startsWith(kind) ? [row_id] : []));
  const [tasks, exports] = [idsOf('task'), idsOf('export')];
  const objects = new Map<string, Message['data']>();
  for (const id of idsOf('ping')) objects.set(id, { webhook_id: id });
  for (const row of tasks.length > 0 ? await readShownTasks(db, tasks) : []) {
    objects.set(row.id, makeTaskObject(row, addresses.get(row.id)!));
  }
  if (exports.length > 0) {
    const metadata = await readExportMetadata(db, exports);
    for (const row of await readShownExports(db, exports)) {
      const exported = exportObject(row, addresses.get(row.id)!);
      objects.set(row.id, { ...exported, metadata: metadata.get(row.id) ?? {} });
    }
  }
  return new Map(
    deliveries.flatMap(({ id, type, row_id, created_at }) => {
      const data = objects.get(row_id);
      const timestamp = created_at.toISOString();
      return data ? [[id, { type, timestamp, data } as Message]] : [];
    }),
  );
}

/** Each secret signs, so that the receiver may know either while one is replaced. */
async function signDelivery({ id, secrets }: BegunDelivery, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signatures = await Promise.all(
    secrets.map(async (secret) =>
      signWebhook(await importWebhookKey(decodeWebhookSecret(secret)), { id, timestamp, body }),
    ),
  );
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: signatures.join(' '),
  };
}

/** The receiver rejects further deliveries. */
const gone = 410;

/**
 * Sends the event of a delivery that was taken, notes what came of it, and returns whether the
 * receiver works. One that answers 410 (Gone), or that did not accept the last try, gets it no
 * more. Throws only if the database fails, or the signal's reason.
 */
export async function deliver(
  { db, log }: { db: Db; log: Log },
  delivery: BegunDelivery,
  event: Message | undefined,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, type, attempts } = delivery;
  if (!event) {
    const problem = 'The row has been deleted.';
    await endTry(db, id, { status: 'failed', response_status: null, problem });
    return true;
  }
  const body = JSON.stringify(event);
  let status: number | null = null;
  let problem: string | null = null;
  try {
    const message = { headers: await signDelivery(delivery, body), body };
    status = await post(delivery.url, message, { dispatcher, signal });
    if (status < 200 || status >= 300) problem = `The receiver answered with status ${status}.`;
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    problem = error.message;
  }
  // Who tests a webhook waits for the answer.
  const isLast = status === gone || attempts >= maxTries || type === 'ping';
  const state = problem === null ? 'delivered' : isLast ? 'failed' : 'waiting';
  await endTry(db, id, { status: state, response_status: status, problem });
  const isAccepted = problem === null || status === gone;
  await noteReceiver(db, delivery, isAccepted);
  const { organization_id: organization, webhook_id: webhook } = delivery;
  const fields = { id, organization, webhook, type, attempts, status, message: problem };
  // A test that fails is no fault of the operator's.
  log({ event: type === 'ping' ? 'webhook-tested' : `webhook-${state}`, ...fields });
  return isAccepted;
}

/** Why there was no answer: a sentence for the operator. */
class NotDelivered extends Error {
  override name = 'NotDelivered';
}

/** Maximum time until the answer begins. The Standard Webhooks specification advises 15 to 30 s. */
const timeoutMs = 20_000;

/**
 * Sends a message and returns the status of the answer, whose body is not read. Redirects are not
 * followed.
 * Throws {@link NotDelivered}, or the signal's reason.
 */
async function post(
  address: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  { dispatcher, signal }: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<number> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body: answer } = await request(address, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.any([signal, late]),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'clip-service' },
      body,
    });
    // Of a short answer the connection is used again.
    answer.dump().catch(() => {});
    return statusCode;
  } catch (error) {
    signal.throwIfAborted();
    const { host } = new URL(address);
    if (late.aborted) throw new NotDelivered(`${host} did not answer within 20 s.`);
    if (error instanceof PrivateAddress) {
      throw new NotDelivered(
        `${error.message} Use a public address, or set CLIP_ALLOW_PRIVATE_SOURCES=1.`,
      );
    }
    const { code = 'no reason known' } = error as NodeJS.ErrnoException;
    throw new NotDelivered(`${host} could not be reached (${code}).`);
  }
}
