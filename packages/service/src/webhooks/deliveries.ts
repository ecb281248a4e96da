import { errorText } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { takeDeliveries, type BegunDelivery } from './queries.ts';
import { deliver } from './deliver.ts';

/** Deliveries that this process sends at the same time, and of them those to one receiver. */
const atATime = { all: 64, perReceiver: 16 } as const;
/** A notice may be missed, and deliveries that failed are due again. */
const lookIntervalMs = 5000;

/**
 * Sends the deliveries of webhooks until the service stops, then waits for those that are being
 * sent. Receivers take turns: one that is slow keeps nobody else waiting.
 */
export async function sendDeliveries(
  service: Pick<
    ServiceContext,
    'allowPrivateSources' | 'changes' | 'closing' | 'db' | 'files' | 'log' | 'metrics' | 'publicUrl'
  >,
): Promise<void> {
  const { db, changes, closing, log } = service;
  const watcher = changes.watch('delivery');
  /** How many are being sent, by organization. */
  const sending = new Map<string, number>();
  const open = new Set<Promise<void>>();
  let ended = Promise.withResolvers<void>();

  async function send(delivery: BegunDelivery): Promise<void> {
    const { organization_id: to } = delivery;
    sending.set(to, (sending.get(to) ?? 0) + 1);
    try {
      await deliver(service, delivery, closing);
    } catch (error) {
      // It is taken again, here or elsewhere.
      if (!closing.aborted) log({ event: 'webhook-not-sent', message: errorText(error) });
    } finally {
      const left = sending.get(to)! - 1;
      if (left > 0) sending.set(to, left);
      else sending.delete(to);
      ended.resolve();
    }
  }

  while (!closing.aborted) {
    ended = Promise.withResolvers<void>();
    let taken: BegunDelivery[] = [];
    try {
      const room = atATime.all - open.size;
      const busy = [...sending].filter(([, count]) => count * 2 > atATime.perReceiver);
      if (room > 0) {
        taken = await takeDeliveries(db, room, {
          perReceiver: atATime.perReceiver / 2,
          busy: busy.map(([organization]) => organization),
        });
      }
    } catch (error) {
      log({ event: 'webhooks-not-read', message: errorText(error) });
    }
    for (const delivery of taken) {
      const one = send(delivery);
      open.add(one);
      void one.then(() => open.delete(one));
    }
    // The next look: at once if there may be more, else when one has ended or there is news.
    if (taken.length > 0) continue;
    const waiting = new AbortController();
    await Promise.race([
      watcher.next(lookIntervalMs, AbortSignal.any([closing, waiting.signal])),
      ...(open.size > 0 ? [ended.promise] : []),
    ]);
    // Leaves no timer behind for each delivery.
    waiting.abort();
  }
  watcher.close();
  await Promise.all(open);
}
