import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createManagedUser, createOrganization } from '../../src/users/queries.ts';
import { readWaitingByOrganization } from '../../src/queue/queries.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { watchStoredBytes } from '../../src/operations/installation-metrics.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { insertLibrary } from 'clip-testkit/rows';
import { jobWorld } from '../support/job-world.ts';
import { eventually } from 'clip-testkit/world';

const values = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('the metrics of a process', () => {
  const metrics = new Metrics({
    slots: () => [{ kind: 'ingest', all: 4, inUse: 5 }],
    connections: () => ({ used: 2, idle: 1, waiting: 3 }),
  });

  it('are read off the log', async () => {
    metrics.record({ event: 'export-superseded' });
    metrics.record({ event: 'webhook-waiting' });
    metrics.record({ event: 'webhook-failed' });
    metrics.record({ event: 'webhook-not-sent' });
    metrics.record({ event: 'retention', tasks: 2, exports: 0, sources: 1, segments: 0 });
    assert.deepEqual(await values(metrics, 'clip_superseded_total{'), [
      'clip_superseded_total{kind="export"} 1',
    ]);
    assert.deepEqual(await values(metrics, 'clip_deliveries_total{'), [
      'clip_deliveries_total{outcome="waiting"} 1',
      'clip_deliveries_total{outcome="failed"} 1',
    ]);
    assert.ok(
      (await values(metrics, 'clip_retention')).includes(
        'clip_retention_removed_total{what="tasks"} 2',
      ),
    );
  });

  it('say what the process holds', async () => {
    assert.deepEqual(await values(metrics, 'clip_slots'), [
      'clip_slots{kind="ingest"} 4',
      'clip_slots_in_use{kind="ingest"} 5',
    ]);
    assert.deepEqual(await values(metrics, 'clip_database_connections{'), [
      'clip_database_connections{state="used"} 2',
      'clip_database_connections{state="idle"} 1',
      'clip_database_connections{state="waiting"} 3',
    ]);
  });

  it('say why the machine takes no jobs, until it takes them again', async () => {
    const fit = () => values(metrics, 'clip_machine_fit');
    assert.deepEqual(await fit(), ['clip_machine_fit{code=""} 1']);
    metrics.record({ event: 'no-jobs-taken', code: 'disk-full' });
    assert.deepEqual(await fit(), ['clip_machine_fit{code="disk-full"} 0']);
    metrics.record({ event: 'jobs-taken-again' });
    assert.deepEqual(await fit(), ['clip_machine_fit{code=""} 1']);
  });

  it('have a series for some organizations, however many fail', async () => {
    for (let at = 0; at < 200; at += 1) {
      metrics.record({ event: 'export-failed', code: 'render-failed', organization: `org-${at}` });
    }
    const series = await values(metrics, 'clip_failures_total{');
    assert.equal(series.length, 51);
    assert.ok(
      series.includes(
        'clip_failures_total{kind="export",code="render-failed",organization="other"} 150',
      ),
    );
  });
});

describe('the metrics of the installation', () => {
  const world = jobWorld();

  it('count what waits for the organizations with the most, and the others together', async () => {
    const { db, queue } = world().service;
    const wanted = new Map<string, number>();
    for (const jobs of [3, 1, 2]) {
      const { id } = await createOrganization(db, String(jobs));
      wanted.set(id, jobs);
      const users = [
        (await insertLibrary(db, { organizationId: id })).userId,
        (await createManagedUser(db, id)).id,
      ];
      for (let at = 0; at < jobs; at += 1) {
        const author_id = users[at % 2]!;
        await db
          .transaction()
          .execute((trx) => queue.send('export', { id: randomUUID(), turn: 0, author_id }, trx));
      }
    }
    assert.deepEqual(await readWaitingByOrganization(db, 10), wanted);
    const most = [...wanted].find(([, jobs]) => jobs === 3)![0];
    assert.deepEqual(
      await readWaitingByOrganization(db, 1),
      new Map([
        [most, 3],
        ['other', 3],
      ]),
    );
  });
});

describe('the bytes of stored files', async () => {
  const directory = await temporaryDirectory();
  after(() => directory.remove());

  it('are measured beside the request', async () => {
    await mkdir(join(directory.path, 'exports/a'), { recursive: true });
    await writeFile(join(directory.path, 'exports/a/1.mp4'), 'video');
    const bytes = watchStoredBytes(directory.path);
    assert.equal(bytes().size, 0, 'not known yet');
    await eventually(() => assert.deepEqual(bytes(), new Map([['exports', 5]])));
  });
});
