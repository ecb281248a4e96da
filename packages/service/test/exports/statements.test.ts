import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeVideo } from 'clip-testkit/media-footage';
import { UsageLimits } from '../../src/users/limits.ts';
import { changePlan, createKey } from '../../src/users/queries.ts';
import { Estimates } from '../../src/exports/forecast.ts';
import { createApp } from '../../src/api/app.ts';
import { exportClip, exportRows } from '../../src/worker/exports.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { watchStatements } from '../support/statements.ts';
import { eventually } from 'clip-testkit/world';

describe('the way of an export, from its start to its file', () => {
  const world = jobWorld();

  it('takes twelve statements, with limits, an allowance and a key', async () => {
    const { db, changes, queue } = world().service;
    const stopListening = world().database.listen(changes);
    const many = { queuedExports: 100 };
    // The queue is read for all who ask at about the same time: here it was read just now.
    const estimates = new Estimates(db, () => 0);
    const limits = new UsageLimits({ user: many, organization: many });
    const service = { ...world().service, estimates, limits };
    await changePlan(db, { exportAllowance: 100 });
    const key = await createKey(db, world().user.organization_id);
    const video = await makeVideo(join(world().directory, 'video.mp4'));
    const edit = spanEdit(0, 1, { dimensions: { width: 108, height: 192 } });
    const task = await world().addTask([edit], video);
    await queue.work('export', { concurrency: 1 }, makeRowJob(service, exportRows, exportClip));
    const app = createApp(service);
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'the-key-of-an-export',
    };
    // Keys and users are read once.
    await app.request('/v2/exports', { headers }, {});
    await estimates.current();

    const { texts, stop } = watchStatements();
    const answer = await app.request(
      `/v2/projects/${task.projects[0]!.id}/exports`,
      { method: 'POST', headers, body: '{}' },
      {},
    );
    const { id } = (await answer.json()) as { id: string };
    assert.equal(answer.status, 201, JSON.stringify(world().log));
    await eventually(() => {
      assert.ok(world().log.some((entry) => entry.event === 'export-ready' && entry['id'] === id));
    });
    await eventually(() => assert.ok(texts.some((text) => /state = 'completed'/.test(text))));
    stop();
    await stopListening();

    // How far a render is, is written at most once a second.
    const progress = 'update "exports" set "stage" = $1, "share" = $2, "share_at" = now()';
    const own = texts.filter((text) => !/pgboss/.test(text) && !text.startsWith(progress));
    assert.equal(own.length, 12, own.join('\n'));
    // Of the queue: a job is added and completed. It also looks for jobs, again and again.
    const ofQueue = (name: string) =>
      texts.filter((text) => text.trim().startsWith(`WITH ${name} AS`));
    assert.deepEqual([ofQueue('ins').length, ofQueue('results').length], [1, 1]);
  });
});
