import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Hono } from 'hono';
import { createOrganization } from '../../src/users/queries.ts';
import { createApp } from '../../src/api/app.ts';
import type { AppEnv } from '../../src/api/methods.ts';
import { JobWorld } from '../support/job-world.ts';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { watchStatements } from '../support/statements.ts';
import { eventually } from 'clip-testkit/world';

describe('requests that are held', () => {
  let world: JobWorld;
  let stopListening: () => Promise<void>;
  let app: Hono<AppEnv>;
  let key: string;
  let library: Library;
  before(async () => {
    world = await JobWorld.open();
    stopListening = world.database.listen(world.service.changes);
    app = createApp(world.service);
    const { id, apiKey } = await createOrganization(world.service.db, 'Patient');
    key = apiKey;
    library = await insertLibrary(world.service.db, { organizationId: id });
  });
  after(async () => {
    await stopListening();
    await world.close();
  });
  const list = async (Prefer = ''): Promise<Response> =>
    app.request('/v2/exports', { headers: { Authorization: `Bearer ${key}`, Prefer } }, {});

  it('for a list share a read of it, whatever their number', async () => {
    const { db, changes } = world.service;
    const [id = ''] = await insertExports(db, library, 20);
    await list();
    // So few that also a busy machine holds all of them before the first one's 25 seconds are over.
    const held = Array.from({ length: 100 }, () => list('wait=25'));
    await eventually(() => assert.equal(changes.waiting, 100));
    const statements = watchStatements();
    try {
      await settleExport(db, id);
      const bodies = new Set<string>();
      for (const answer of await Promise.all(held)) {
        assert.equal(answer.headers.get('preference-applied'), 'wait=25');
        bodies.add(await answer.text());
      }
      assert.equal(bodies.size, 1);
      const [body] = bodies;
      const ready = JSON.parse(body!).filter(
        ({ status }: { status: string }) => status === 'ready',
      );
      assert.deepEqual([JSON.parse(body!).length, ready.length, ready[0].id], [20, 1, id]);
    } finally {
      statements.stop();
    }
    const reads = statements.texts.filter((text) => /from "exports".*order by/s.test(text));
    // One, or a few if a busy machine wakes them in several turns.
    assert.ok(reads.length > 0 && reads.length < 10, `${reads.length} reads`);
  });

  it('have a limit: above it, requests are answered at once, and not told that they were held', async () => {
    const { db, changes } = world.service;
    const [id = ''] = await insertExports(db, library, 1);
    const gone = new AbortController();
    const wait = { ms: 3_600_000, signal: gone.signal };
    const held = Array.from({ length: 10_000 }, () =>
      changes.exports.settled(id, () => true, wait),
    );
    try {
      const answer = await list('wait=25');
      assert.deepEqual([answer.status, answer.headers.get('preference-applied')], [200, null]);
    } finally {
      gone.abort();
      await Promise.all(held);
    }
    assert.equal(changes.waiting, 0);
  });
});
