import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitFor } from 'clip-testkit/wait-for';
import { createOrganization } from '../../src/users/queries.ts';
import { writeWebhook } from '../../src/webhooks/queries.ts';
import { sendDeliveries } from '../../src/webhooks/deliveries.ts';
import { JobWorld } from '../support/job-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { insertExports, insertLibrary, type Library } from 'clip-testkit/rows';
import { type Served, serve } from 'clip-testkit/serve';

const secrets = [`whsec_${Buffer.alloc(32, 5).toString('base64')}`];

describe('deliveries of many receivers', () => {
  let world: JobWorld;
  let healthy: Awaited<ReturnType<typeof startReceiver>>;
  let silentReceived = 0;
  let silent: Served;
  const closing = new AbortController();
  let sent: Promise<void>;
  let libraries: { healthy: Library; silent: Library[] };

  before(async () => {
    [world, healthy] = await Promise.all([JobWorld.open(), startReceiver()]);
    silent = await serve(() => void (silentReceived += 1));
    const { db } = world.service;
    const silentLibraries: Library[] = [];
    for (let at = 0; at < 10; at++) {
      const { id } = await createOrganization(db, `Silent ${at}`);
      const webhook = { url: `${silent.origin}/`, secrets };
      await writeWebhook(db, webhook, { organizationId: id, origin: 'made' });
      silentLibraries.push(await insertLibrary(db, { organizationId: id }));
    }
    await writeWebhook(db, { url: healthy.url, secrets }, { origin: 'made' });
    libraries = { healthy: await insertLibrary(db), silent: silentLibraries };
    sent = sendDeliveries({ ...world.service, closing: closing.signal });
  });
  after(async () => {
    await silent?.close();
    closing.abort();
    await sent;
    await healthy.close();
    await world.close();
  });

  it('reach those that accept them, while ten others are silent', async () => {
    const { db } = world.service;
    const settle = async (library: Library, count: number): Promise<string[]> => {
      const ids = await insertExports(db, library, count);
      const settled = { status: 'error', finished_at: new Date() } as const;
      await db.updateTable('exports').set(settled).where('id', 'in', ids).execute();
      return ids;
    };
    for (const library of libraries.silent) await settle(library, 40);
    world.service.changes.notify('delivery - -');
    await waitFor('all that are silent', () => silentReceived >= 20 || null);
    const ids = await settle(libraries.healthy, 60);
    world.service.changes.notify('delivery - -');
    await waitFor('60 deliveries', () => healthy.received.length >= ids.length || null);
    const delivered = healthy.received.map(({ body }) => JSON.parse(body).data.id as string);
    assert.deepEqual(delivered.toSorted(), ids.toSorted(), 'each once');
    const states = async () => {
      const rows = await db.selectFrom('webhook_deliveries').select('status').execute();
      const counted = Map.groupBy(rows, ({ status }) => status);
      return [...counted].map(([status, all]) => `${all.length} ${status}`).toSorted();
    };
    await waitFor('the last answers', async () => (await states())[1] === '60 delivered' || null);
    assert.deepEqual(await states(), ['400 waiting', '60 delivered']);
    const failed = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('problem', 'is not', null)
      .execute();
    assert.deepEqual(failed, [], 'none of the silent had to end first');
  });
});
