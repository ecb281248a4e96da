import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem } from 'clip-testkit/world';

describe('the room of a disk for uploads', () => {
  let world: QuietWorld;
  before(async () => {
    world = await QuietWorld.start();
  });
  after(() => world?.close());

  it('is reserved for what was announced, and for an hour after its last byte', async () => {
    const { incomingFiles, db } = world.jobs.service;
    const disk = { ...incomingFiles, room: async () => 1000 };
    const api = world.calls({ incomingFiles: disk });
    const announce = (size: number) => api.post('/uploads', { name: 'talk.mp4', size });
    const answers = await Promise.all(Array.from({ length: 8 }, () => announce(800)));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, ...Array<number>(7).fill(507)]);
    const refused = answers.find(({ status }) => status === 507)!;
    assertProblem(refused, 507, 'no-room');
    assert.match(refused.body.detail, /800 bytes are still to come, and 200 bytes are free/);
    assert.equal((await announce(200)).status, 201, 'what is left');

    // What has arrived is no longer free, and no longer to come.
    await sql`update uploads set received = 700 where size = 800`.execute(db);
    const later = world.calls({ incomingFiles: { ...disk, room: async () => 320 } });
    const asked = (size: number) => later.post('/uploads', { name: 'talk.mp4', size });
    assert.equal((await asked(21)).status, 507);
    assert.equal((await asked(20)).status, 201);

    await sql`update uploads set expires_at = expires_at - interval '61 minutes'`.execute(db);
    assert.equal((await asked(320)).status, 201);
  });
});
