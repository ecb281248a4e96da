import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createGuardedAgent } from 'clip-engine';
import { after, afterEach, before, describe, it } from 'node:test';
import { webhookEventSchema } from 'clip-kit/contract';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { sendAgain, takeDeliveries, writeWebhook } from '../../src/webhooks/queries.ts';
import { retain } from '../../src/worker/retention.ts';
import { deliver, maxTries, readEvents } from '../../src/webhooks/deliveries.ts';
import { JobWorld } from '../support/job-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { insertExports, insertLibrary, type Library } from 'clip-testkit/rows';

const secrets = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const { signal } = new AbortController();

describe('the delivery of a webhook', () => {
  let world: JobWorld;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let library: Library;

  before(async () => {
    [world, receiver] = await Promise.all([JobWorld.open(), startReceiver()]);
    library = await insertLibrary(world.service.db);
    await setWebhook({ url: receiver.url, secrets });
  });
  afterEach(() => {
    receiver.received.length = 0;
    receiver.answers.length = 0;
  });
  after(async () => {
    await receiver.close();
    await world.close();
  });

  const setWebhook = (webhook: Parameters<typeof writeWebhook>[1]) =>
    writeWebhook(world.service.db, webhook, { origin: 'made' });
  /** Newest first. */
  const deliveries = () =>
    world.service.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .orderBy('created_at', 'desc')
      .execute();
  const settleOne = async (): Promise<string> => {
    const { db } = world.service;
    const [id = ''] = await insertExports(db, library, 1);
    const settled = { status: 'error', finished_at: new Date() } as const;
    await db.updateTable('exports').set(settled).where('id', '=', id).execute();
    return id;
  };
  /** Settles an export; gives the id of its delivery. */
  const settled = async (): Promise<string> => {
    const exported = await settleOne();
    const [delivery] = await deliveries();
    assert.deepEqual([delivery?.type, delivery?.row_id], ['export.error', exported]);
    return delivery!.id;
  };
  const stateOf = async (id: string) => {
    const all = await deliveries();
    const { status, response_status, problem, attempts } = all.find((one) => one.id === id)!;
    return { status, response_status, problem, attempts };
  };

  /** Sends a delivery that waits, whenever its next try is due. */
  const send = async (id: string, service = world.service): Promise<void> => {
    const { db } = world.service;
    const due = { next_try_at: new Date(0) };
    await db.updateTable('webhook_deliveries').set(due).where('id', '=', id).execute();
    await db.updateTable('webhooks').set({ resting_until: null }).execute();
    const taken = await takeDeliveries(db, 100, { perReceiver: 100, rooms: new Map() });
    const agent = createGuardedAgent({ allowPrivate: service.allowPrivateSources });
    const events = await readEvents(service, taken);
    for (const one of taken.filter((one) => one.id === id))
      await deliver(service, one, events.get(one.id), agent, signal);
    await agent.destroy();
  };

  it('is signed with each secret, so that a library of others knows it', async () => {
    const id = await settled();
    await send(id);
    const [message] = receiver.received;
    assert.ok(message);
    for (const secret of secrets) {
      const event = new Webhook(secret).verify(message.body, message.headers) as { type: string };
      assert.equal(event.type, 'export.error');
    }
    assert.equal(message.headers['webhook-id'], id);
    assert.deepEqual(await stateOf(id), {
      status: 'delivered',
      response_status: 204,
      problem: null,
      attempts: 1,
    });
  });

  it('has the metadata of the task, of a task and of its exports', async () => {
    const { db } = world.service;
    const own = await insertLibrary(db, { folderId: randomUUID() });
    const [id = ''] = await insertExports(db, own, 1);
    const { taskId } = own;
    const typeOf = (status: 'processing' | 'ready') =>
      db.updateTable('tasks').set({ status }).where('id', '=', taskId).execute();
    const events = async () => {
      const found = await readEvents(world.service, await deliveries());
      return [...found.values()].filter(
        ({ data }) => 'id' in data && [id, taskId].includes(data.id),
      );
    };
    await db.updateTable('exports').set({ status: 'error' }).where('id', '=', id).execute();
    assert.deepEqual(
      (await events()).map(({ data }) => 'metadata' in data && data.metadata),
      [{}],
    );
    const metadata = { order: '1001' };
    const request = sql<string>`request || ${JSON.stringify({ metadata })}::jsonb`;
    await db.updateTable('tasks').set({ request }).where('id', '=', taskId).execute();
    await typeOf('processing');
    await typeOf('ready');
    const sent = await events();
    assert.deepEqual(sent.map(({ type }) => type).sort(), ['export.error', 'task.ready']);
    for (const event of sent) {
      for (const { data } of [event, webhookEventSchema.parse(event)]) {
        assert.deepEqual('metadata' in data && data.metadata, metadata);
      }
    }
  });

  it('is sent once', async () => {
    const id = await settled();
    await send(id);
    await send(id);
    assert.equal(receiver.received.length, 1);
  });

  it('is tried again with the same id until it is accepted', async () => {
    const id = await settled();
    receiver.answers.push({ status: 500 }, { status: 302, headers: { Location: receiver.url } });
    for (const status of [500, 302]) {
      await send(id);
      const { problem } = await stateOf(id);
      assert.equal(problem, `The receiver answered with status ${status}.`);
    }
    await send(id);
    assert.equal((await stateOf(id)).status, 'delivered');
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [id, id, id],
    );
  });

  it('is given up when the receiver says that it is gone, or after the last try', async () => {
    const unwanted = await settled();
    receiver.answers.push({ status: 410 });
    await send(unwanted);
    assert.equal((await stateOf(unwanted)).status, 'failed');
    const id = await settled();
    const { db } = world.service;
    await db
      .updateTable('webhook_deliveries')
      .set({ attempts: maxTries - 1 })
      .where('id', '=', id)
      .execute();
    receiver.answers.push({ status: 503 });
    await send(id);
    assert.deepEqual(await stateOf(id), {
      status: 'failed',
      response_status: 503,
      problem: 'The receiver answered with status 503.',
      attempts: maxTries,
    });
  });

  it('does not go to a private address unless sources may be there', async () => {
    const id = await settled();
    const service = { ...world.service, allowPrivateSources: false };
    await send(id, service);
    assert.match((await stateOf(id)).problem ?? '', /private or reserved network/);
    assert.equal(receiver.received.length, 0);
  });

  it('says what is wrong with a receiver that is not there', async () => {
    await setWebhook({ url: 'http://127.0.0.1:9/', secrets });
    try {
      const id = await settled();
      await send(id);
      assert.match((await stateOf(id)).problem ?? '', /ECONNREFUSED/);
    } finally {
      await setWebhook({ url: receiver.url, secrets });
    }
  });

  it('rests after failures in a row, and goes on when the receiver accepts again', async () => {
    const { db } = world.service;
    const webhook = () =>
      db.selectFrom('webhooks').select(['failures', 'resting_until']).executeTakeFirstOrThrow();
    const ids = [await settled(), await settled(), await settled()];
    for (const id of ids) {
      receiver.answers.push({ status: 500 });
      await send(id);
    }
    const { failures, resting_until } = await webhook();
    assert.equal(failures, 3);
    assert.ok(resting_until && resting_until.getTime() > Date.now() + 10_000);
    await db
      .updateTable('webhook_deliveries')
      .set({ next_try_at: new Date(0) })
      .execute();
    assert.deepEqual(await takeDeliveries(db, 100, { perReceiver: 100, rooms: new Map() }), []);
    await send(ids[0]!);
    assert.deepEqual(await webhook(), { failures: 0, resting_until: null });
  });

  it('is taken with no more than are asked for, however many wait', async () => {
    const { db } = world.service;
    const ids = await insertExports(db, library, 400);
    const settled = { status: 'error', finished_at: new Date() } as const;
    await db.updateTable('exports').set(settled).where('id', 'in', ids).execute();
    const organization = library.organizationId;
    const take = async (count: number, room: number) =>
      (await takeDeliveries(db, count, { perReceiver: 2, rooms: new Map([[organization, room]]) }))
        .length;
    assert.deepEqual([await take(64, 8), await take(5, 8), await take(64, 0)], [8, 5, 0]);
    await db.deleteFrom('webhook_deliveries').where('row_id', 'in', ids).execute();
  });

  it('fails once for an outage, however many were under way', async () => {
    const { db } = world.service;
    const ids = [await settled(), await settled(), await settled(), await settled()];
    await db
      .updateTable('webhook_deliveries')
      .set({ next_try_at: new Date(0) })
      .where('id', 'in', ids)
      .execute();
    await db.updateTable('webhooks').set({ failed_at: null }).execute();
    const taken = await takeDeliveries(db, 100, { perReceiver: 100, rooms: new Map() });
    assert.ok(taken.length >= ids.length);
    receiver.answers.push(...taken.map(() => ({ status: 503 })));
    const agent = createGuardedAgent({ allowPrivate: true });
    const events = await readEvents(world.service, taken);
    for (const one of taken) {
      const event = events.get(one.id);
      assert.equal(await deliver(world.service, one, event, agent, signal), false);
    }
    await agent.destroy();
    const webhook = await db
      .selectFrom('webhooks')
      .select(['failures', 'resting_until'])
      .executeTakeFirstOrThrow();
    assert.deepEqual(webhook, { failures: 1, resting_until: null });
    await db
      .deleteFrom('webhook_deliveries')
      .where(
        'id',
        'in',
        taken.map(({ id }) => id),
      )
      .execute();
    await db.updateTable('webhooks').set({ failures: 0 }).execute();
  });

  it('that was given up can be sent again', async () => {
    const id = await settled();
    assert.equal(await sendAgain(world.service.db, id), false, 'it still waits');
    receiver.answers.push({ status: 410 });
    await send(id);
    assert.equal(await sendAgain(world.service.db, id), true);
    await send(id);
    assert.equal((await stateOf(id)).status, 'delivered');
  });

  it('waits for nobody when the webhook is removed, and is forgotten after a month', async () => {
    const { db } = world.service;
    const id = await settled();
    await setWebhook(null);
    assert.deepEqual(await stateOf(id), {
      status: 'failed',
      response_status: null,
      problem: 'The webhook was removed or disabled.',
      attempts: 0,
    });
    await setWebhook({ url: receiver.url, secrets });
    const finished_at = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    await db.updateTable('webhook_deliveries').set({ finished_at }).where('id', '=', id).execute();
    await retain(world.service, {}, signal);
    assert.ok(!(await deliveries()).some((one) => one.id === id));
  });

  it('no secret is in the log', () => {
    assert.ok(world.log.some(({ event }) => event === 'webhook-delivered'));
    for (const secret of secrets) assert.ok(!JSON.stringify(world.log).includes(secret));
  });

  it('is noted for nobody without a webhook', async () => {
    const before = (await deliveries()).length;
    await setWebhook(null);
    await settleOne();
    assert.equal((await deliveries()).length, before);
  });
});
