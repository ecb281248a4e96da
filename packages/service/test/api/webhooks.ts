import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ServiceClient } from 'clip-kit/client';
import {
  type Delivery,
  deliveryListSchema,
  deliverySchema,
  webhookSchema,
  type WebhookSecret,
  webhookSecretSchema,
  type WebhookWithSecret,
  webhookWithSecretSchema,
} from 'clip-kit/contract';
import { insertExports, insertLibrary } from 'clip-testkit/rows';
import { waitFor } from 'clip-testkit/wait-for';
import { assertProblem, fieldsOf } from 'clip-testkit/world';
import { Webhook } from 'standardwebhooks';
import { sendDeliveries } from '../../src/webhooks/deliveries.ts';
import { maxWebhooks } from '../../src/webhooks/endpoint-queries.ts';
import { retain } from '../../src/worker/retention.ts';
import type { QuietWorld } from '../support/quiet-world.ts';
import { startReceiver } from '../support/receiver.ts';

export function webhookSuite(current: () => QuietWorld): void {
  describe('the webhooks of an organization', () => {
    let world: QuietWorld;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    const closing = new AbortController();
    let sent: Promise<void>;
    before(async () => {
      world = current();
      receiver = await startReceiver();
      sent = sendDeliveries({ ...world.jobs.service, closing: closing.signal });
    });
    after(async () => {
      closing.abort();
      await sent;
      await receiver.close();
    });
    beforeEach(async () => {
      for (const { id } of (await world.get('/webhooks')).body) {
        await world.call('DELETE', `/webhooks/${id}`);
      }
      receiver.received.length = 0;
      receiver.answers.length = 0;
    });

    const make = async (more: object = {}): Promise<WebhookWithSecret> => {
      const { status, body } = await world.post('/webhooks', { url: receiver.url, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return webhookWithSecretSchema.parse(body);
    };
    const patch = (id: string, changes: object) => world.call('PATCH', `/webhooks/${id}`, changes);
    const rotate = async (id: string, body = {}): Promise<WebhookSecret> =>
      webhookSecretSchema.parse((await world.post(`/webhooks/${id}/secret`, body)).body);
    const ping = async (id: string): Promise<Delivery> =>
      deliverySchema.parse((await world.post(`/webhooks/${id}/test`)).body);
    const deliveries = async (id: string, query = ''): Promise<Delivery[]> =>
      deliveryListSchema.parse((await world.get(`/webhooks/${id}/deliveries${query}`)).body);
    const settleExport = async (): Promise<string> => {
      const { db } = world.jobs.service;
      const [id = ''] = await insertExports(db, await insertLibrary(db), 1);
      const settled = { status: 'error', finished_at: new Date() } as const;
      await db.updateTable('exports').set(settled).where('id', '=', id).execute();
      return id;
    };
    const settledDelivery = (id: string): Promise<Delivery> =>
      waitFor('the delivery', async () => {
        const [newest] = await deliveries(id);
        return newest && newest.status !== 'waiting' ? newest : null;
      });
    /** The secrets that have signed the last message. */
    const signers = (...secrets: string[]): boolean[] =>
      secrets.map((secret) => {
        const { headers, body } = receiver.received.at(-1)!;
        try {
          new Webhook(secret).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      });

    it('are made, read, changed and deleted, and show their secret once', async () => {
      const { secret, ...made } = await make({ events: ['export.ready'], description: 'Shop' });
      assert.match(secret, /^whsec_/);
      assert.deepEqual(made, {
        ...{ id: made.id, url: receiver.url, events: ['export.ready'], enabled: true },
        ...{ description: 'Shop', created_at: made.created_at, previous_secret_expires_at: null },
      });
      assert.deepEqual((await world.get('/webhooks')).body, [made]);
      const changed = await patch(made.id, { enabled: false, events: ['*'] });
      assert.deepEqual(changed.body, { ...made, enabled: false, events: ['*'] });
      assert.deepEqual((await world.get(`/webhooks/${made.id}`)).body, changed.body);
      assert.equal((await world.call('DELETE', `/webhooks/${made.id}`)).status, 204);
      assertProblem(await world.get(`/webhooks/${made.id}`), 404, 'not-found');
      const noted = world.jobs.log.filter(
        ({ event, webhook }) => event === 'webhook-audit' && webhook === made.id,
      );
      assert.deepEqual(
        noted.map(({ action }) => action),
        ['create', 'change', 'delete'],
      );
      assert.ok(!JSON.stringify(world.jobs.log).includes(secret));
    });

    it('are made once for an Idempotency-Key, which shows the secret again', async () => {
      const headers = { 'Idempotency-Key': `hook-${crypto.randomUUID()}` };
      const asked = { url: receiver.url };
      const first = await world.post('/webhooks', asked, { headers });
      assert.deepEqual((await world.post('/webhooks', asked, { headers })).body, first.body);
    });

    it('are refused at other addresses, for unknown events, and when there are too many', async () => {
      const strict = world.calls({ allowPrivateSources: false });
      const addresses = ['http://127.0.0.1/a', 'https://a.example/?key=1', 'https://a.example/#b'];
      for (const url of addresses) {
        const refused = await strict.post('/webhooks', { url });
        assertProblem(refused, 422, 'unprocessable');
        assert.deepEqual([refused.body.reason, fieldsOf(refused)], ['webhook-url', ['url']]);
      }
      const unknown = await world.post('/webhooks', { url: receiver.url, events: ['task.gone'] });
      assertProblem(unknown, 400, 'invalid-request');
      for (let made = 0; made < maxWebhooks; made++) await make();
      const tooMany = await world.post('/webhooks', { url: receiver.url });
      assertProblem(tooMany, 422, 'unprocessable');
      assert.equal(tooMany.body.reason, 'too-many-webhooks');
    });

    it('are the affair of the organization alone', async () => {
      const { id } = await make();
      const as = await world.user();
      assertProblem(await world.get('/webhooks', { as }), 403, 'forbidden');
      assertProblem(await world.post(`/webhooks/${id}/test`, {}, { as }), 403, 'forbidden');
      const { apiKey: key } = await world.createOrganization('Others');
      assert.deepEqual((await world.get('/webhooks', { key })).body, []);
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/secret'],
        ['POST', '/test'],
        ['GET', '/deliveries'],
      ] as const) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const refused = await world.call(method, `/webhooks/${id}${path}`, body, { key });
        assertProblem(refused, 404, 'not-found');
      }
    });

    it('get the events that they asked for, each its own delivery', async () => {
      const [all, exports, tasks] = [
        await make(),
        await make({ events: ['export.error'] }),
        await make({ events: ['task.ready', 'task.error', 'export.ready'] }),
      ];
      await make({ enabled: false });
      const settled = await settleExport();
      const found = [await settledDelivery(all.id), await settledDelivery(exports.id)];
      for (const { event, object_id, status, attempts, response_status } of found) {
        assert.deepEqual(
          [event, object_id, status, attempts, response_status],
          ['export.error', settled, 'delivered', 1, 204],
        );
      }
      assert.notEqual(found[0]!.id, found[1]!.id);
      assert.deepEqual(await deliveries(tasks.id), []);
      assert.equal(receiver.received.length, 2);
    });

    it('are tested, with one try and its result', async () => {
      const { id, secret } = await make({ events: ['task.ready'] });
      const delivered = await ping(id);
      assert.deepEqual(
        [delivered.event, delivered.status, delivered.response_status],
        ['ping', 'delivered', 204],
      );
      assert.deepEqual(signers(secret), [true]);
      assert.deepEqual(JSON.parse(receiver.received[0]!.body).data, { webhook_id: id });
      receiver.answers.push({ status: 500 });
      const failed = await ping(id);
      assert.deepEqual([failed.status, failed.response_status], ['failed', 500]);
      assert.match(failed.problem!, /status 500/);
      assert.deepEqual(await deliveries(id), [failed, delivered]);
      assert.deepEqual(await deliveries(id, '?status=failed&limit=1'), [failed]);
      const strict = world.calls({ allowPrivateSources: false });
      const guarded = await strict.post(`/webhooks/${id}/test`);
      assert.match(guarded.body.problem, /private or reserved network/);
      assert.equal(receiver.received.length, 2);
    });

    it('sign with two secrets while one is replaced, and then with the new one', async () => {
      const { db } = world.jobs.service;
      const { id, secret: first } = await make();
      const { secret: second, previous_secret_expires_at: ends } = await rotate(id);
      const hours = (Date.parse(ends!) - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours <= 24, ends!);
      await ping(id);
      assert.deepEqual(signers(first, second), [true, true]);
      const { secret: third } = await rotate(id, { overlap_seconds: 60 });
      await ping(id);
      assert.deepEqual(signers(first, second, third), [false, true, true]);
      await db
        .updateTable('webhooks')
        .set({ previous_secret_until: new Date(Date.now() - 1) })
        .where('id', '=', id)
        .execute();
      await ping(id);
      assert.deepEqual(signers(second, third), [false, true]);
      const shown = webhookSchema.parse((await world.get(`/webhooks/${id}`)).body);
      assert.equal(shown.previous_secret_expires_at, null);
      await retain(world.jobs.service, {}, closing.signal);
      const { secrets } = await db
        .selectFrom('webhooks')
        .select('secrets')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(secrets, [third], 'the expired one is not kept');
      const { secret: fourth } = await rotate(id, { overlap_seconds: 0 });
      await ping(id);
      assert.deepEqual(signers(third, fourth), [false, true]);
    });

    it('send a settled delivery again, with its id, but none that waits', async () => {
      const { id } = await make();
      receiver.answers.push({ status: 410 });
      await settleExport();
      const failed = await settledDelivery(id);
      assert.equal(failed.status, 'failed');
      const path = `/webhooks/${id}/deliveries/${failed.id}/redeliver`;
      const again = await world.post(path);
      assert.equal(again.status, 202, JSON.stringify(again.body));
      assert.equal((await settledDelivery(id)).status, 'delivered');
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      assert.deepEqual(ids, [failed.id, failed.id]);
      const other = await make();
      const elsewhere = `/webhooks/${other.id}/deliveries/${failed.id}/redeliver`;
      assertProblem(await world.post(elsewhere), 404, 'not-found');
      const { db } = world.jobs.service;
      const waits = { status: 'waiting', next_try_at: new Date(Date.now() + 60_000) } as const;
      await db.updateTable('webhook_deliveries').set(waits).where('id', '=', failed.id).execute();
      assert.equal((await world.post(path)).body.reason, 'delivery-waiting');
      await patch(id, { enabled: false });
      const [ended] = await deliveries(id);
      assert.equal(ended!.problem, 'The webhook was removed or disabled.');
      assert.equal((await world.post(path)).body.reason, 'webhook-disabled');
    });

    it('get what concerns a task at the address that it names, and nothing else', async () => {
      const { db } = world.jobs.service;
      const url = `${receiver.url}/of-task`;
      const start = (more: Record<string, unknown>, options = {}) =>
        world.post('/tasks/video-to-shorts', world.shorts(more), options);
      await world.call('DELETE', '/webhooks/tasks');
      const unsigned = await start({ webhook_url: url });
      assertProblem(unsigned, 422, 'unprocessable');
      assert.equal(unsigned.body.reason, 'webhook-secret-missing');
      const { secret, previous_secret_expires_at: none } = await rotate('tasks');
      assert.equal(none, null);
      const refused = await start({ webhook_url: 'https://a.example/?key=1' });
      assert.deepEqual([refused.body.reason, fieldsOf(refused)], ['webhook-url', ['webhook_url']]);
      const as = await world.user();
      const { body: task } = await start({ webhook_url: url }, { as });
      const { body: other } = await start({});
      for (const { id } of [task, other]) {
        const failed = { status: 'error', finished_at: new Date() } as const;
        await db.updateTable('tasks').set(failed).where('id', '=', id).execute();
      }
      const library = await insertLibrary(db, { userId: as });
      await db
        .updateTable('projects')
        .set({ task_id: task.id, position: 99 })
        .where('id', '=', library.projectId)
        .execute();
      const [exported = ''] = await insertExports(db, library, 1);
      const ready = { status: 'ready', finished_at: new Date() } as const;
      await db.updateTable('exports').set(ready).where('id', '=', exported).execute();
      await waitFor('both messages', async () => {
        const told = await deliveries('tasks', '?status=delivered');
        return told.length === 2 || null;
      });
      const told = receiver.received.map(({ body }) => JSON.parse(body));
      assert.deepEqual(told.map(({ type, data }) => [type, data.id]).toSorted(), [
        ['export.ready', exported],
        ['task.error', task.id],
      ]);
      assert.deepEqual(
        new Set(receiver.received.map(({ path }) => path)),
        new Set([new URL(url).pathname]),
      );
      assert.deepEqual(signers(secret), [true]);
      await settleExport();
      assert.equal((await deliveries('tasks')).length, 2);
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['POST', '/test'],
      ] as const) {
        const body = method === 'GET' ? undefined : {};
        const answer = await world.call(method, `/webhooks/tasks${path}`, body);
        assertProblem(answer, 404, 'not-found');
      }
      assert.deepEqual((await world.get('/webhooks')).body, []);
    });

    it('are managed with the client', async () => {
      const client = new ServiceClient({
        baseUrl: `${world.url}/v2`,
        apiKey: world.key,
        fetch: (url, init) => world.fetch(String(url), init),
      });
      const { secret, ...made } = await client.createWebhook({ url: receiver.url });
      assert.deepEqual(await client.listWebhooks(), [made]);
      const changes = { description: 'Shop' };
      assert.deepEqual(await client.changeWebhook(made.id, changes), { ...made, ...changes });
      const replaced = await client.replaceWebhookSecret(made.id, { overlap_seconds: 0 });
      assert.notEqual(replaced.secret, secret);
      const tested = await client.testWebhook(made.id);
      assert.equal(tested.status, 'delivered');
      assert.deepEqual(await client.listDeliveries(made.id, { status: 'failed' }), []);
      assert.deepEqual(await client.listDeliveries(made.id, { limit: 1 }), [tested]);
      assert.equal((await client.redeliver(made.id, tested.id)).status, 'waiting');
      await client.deleteWebhook(made.id);
      assert.deepEqual(await client.listWebhooks(), []);
    });

    it('send a test of a process that ended before', async () => {
      const { id } = await make();
      const cut = world.calls({ closing: AbortSignal.abort(new Error('Stopped.')) });
      const { body: ping } = await cut.post(`/webhooks/${id}/test`);
      assert.equal(ping.status, 'waiting', JSON.stringify(ping));
      const { db } = world.jobs.service;
      await db
        .updateTable('webhook_deliveries')
        .set({ next_try_at: new Date(0) })
        .where('webhook_id', '=', id)
        .execute();
      world.jobs.service.changes.notify('delivery - -');
      const { event, status, attempts } = await settledDelivery(id);
      assert.deepEqual([event, status, attempts], ['ping', 'delivered', 2]);
    });
  });
}
