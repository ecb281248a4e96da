import { errorText } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { takeUnqueued } from '../db/webhooks.ts';

const atATime = 100;
/** A notice may be missed: then the deliveries are found by looking. */
const lookIntervalMs = 60_000;

/** Gives the deliveries that the database has noted a job each, until the service stops. */
export async function relayDeliveries(service: ServiceContext): Promise<void> {
  const { db, queue, closing, changes, log } = service;
  const watcher = changes.watch('delivery');
  const queueSome = (): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const ids = await takeUnqueued(trx, atATime);
      for (const id of ids) await queue.sendDelivery(id, trx);
      return ids.length;
    });
  while (!closing.aborted) {
    try {
      while ((await queueSome()) === atATime);
    } catch (error) {
      log({ event: 'webhooks-not-queued', message: errorText(error) });
    }
    await watcher.next(lookIntervalMs, closing);
  }
  watcher.close();
}
