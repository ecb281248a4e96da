import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { findNeededFiles, owners, storedKinds } from '../../src/storage/queries.ts';
import { findOrphans } from '../../src/operations/garbage-collection.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { Chaos, planFaults, type Period } from '../support/chaos.ts';
import { Cluster } from '../support/cluster.ts';
import { randomFrom } from 'clip-testkit/random';

const run = promisify(execFile);

const full = process.env['SCALE'] === 'full';
const counts = full
  ? { users: 20, tasks: 60, exports: 300, faults: 30 }
  : { users: 6, tasks: 15, exports: 60, faults: 10 };
const seed = Number(process.env['SEED'] ?? 14);

const dayMs = 24 * 60 * 60 * 1000;
const held = { Prefer: 'wait=25' };
const small = { width: 96, height: 54 };

type Answer = Awaited<ReturnType<Cluster['call']>>;
type CallOptions = Parameters<Cluster['call']>[2];

/** The least number that so large a share of the numbers does not exceed. */
const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? 0;

const overlaps = (one: Period, others: readonly Period[]): boolean =>
  others.some(({ from, to }) => one.from <= to && from <= one.to);

describe(`the cluster under random faults (SEED=${seed}${full ? ' SCALE=full' : ''})`, () => {
  let cluster: Cluster;
  let directory: string;
  let database: OpenDatabase;
  let storage: Storage;
  const closing = new AbortController();
  before(async () => {
    cluster = await Cluster.start({ apis: 2, workers: 3 });
    directory = await mkdtemp(join(tmpdir(), 'clip-chaos-'));
    database = await openDatabase({ dataDir: directory, databaseUrl: cluster.databaseUrl });
    const places = { dataDir: directory, workDirectory: directory, closing: closing.signal };
    ({ storage } = await openStorage({ s3: cluster.s3 }, places));
  });
  after(async () => {
    closing.abort();
    await database?.close();
    await cluster?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Rows that were made, and rows that were settled. */
  let progress = 0;
  const readProgress = async (): Promise<void> => {
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from tasks) + (select count(*) from exports)
        + (select count(*) from tasks where status <> 'processing')
        + (select count(*) from exports where status <> 'processing'))::int as count`.execute(
      database.db,
    );
    progress = rows[0]?.count ?? progress;
  };

  /** POSTs whose answers were lost, or did not say what was made. */
  let lost = 0;
  let calls = 0;
  /** As a client does that wants its clips: it asks again after a 5xx or a lost connection. */
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const headers = {
      ...(method === 'POST' && { 'Idempotency-Key': `chaos-${seed}-${(calls += 1)}` }),
      ...options.headers,
    };
    const attempt = async () => {
      const answer = await cluster.call(method, path, { ...options, headers }).catch(() => null);
      if (answer && answer.status < 500) return answer;
      if (method === 'POST') lost += 1;
      await setTimeout(250);
      return null;
    };
    return waitFor(`${method} ${path}`, attempt, () => progress);
  };
  const created = async (path: string, as?: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await call('POST', path, { ...(as && { as }), body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const settled = (path: string, as: string): Promise<Answer['body']> =>
    waitFor(
      path,
      async () => {
        const { status, body } = await call('GET', path, { as, headers: held });
        assert.equal(status, 200, JSON.stringify(body));
        return body.status !== 'processing' && body;
      },
      () => progress,
    );

  /** What the service has accepted, as its users know it. */
  const accepted = { tasks: [] as string[], exports: [] as string[] };
  const paths: { path: string; as: string }[] = [];

  /** A user's task, and exports of its clips, one after the other. */
  const useTask = async (as: string, type: 'shorts' | 'video', exports: number): Promise<void> => {
    const body =
      type === 'shorts'
        ? {
            source_video_url: cluster.sources.at('talk.mp4'),
            target_clip_count: 2,
            min_duration: 3,
            max_duration: 5,
            target_duration: 4,
            dimensions: small,
          }
        : {
            source_video_url: cluster.sources.at('scene.mp4'),
            editing_options: {},
            dimensions: small,
          };
    const { id } = await created(`/tasks/video-to-${type}`, as, body);
    accepted.tasks.push(id);
    paths.push({ path: `/tasks/${id}`, as });
    const task = await settled(`/tasks/${id}`, as);
    if (task.status !== 'ready') return;
    const { body: output } = await call('GET', `/projects/${task.output_id}`, { as });
    const clips: string[] = [output].flat().map((clip: { id: string }) => clip.id);
    assert.ok(clips.length > 0);
    for (let index = 0; index < exports; index += 1) {
      const list = `/projects/${clips[index % clips.length]}/exports`;
      const made = await created(list, as, {});
      accepted.exports.push(made.id);
      const path = `${list}/${made.id}`;
      paths.push({ path, as }, { path: list, as });
      await settled(path, as);
    }
  };

  /** The time of an answer that needs nothing, at the same time as the others. */
  const idleMs: number[] = [];
  /** The requests of those reads, as the proxy has named them. */
  const reads = new Set<unknown>();
  /** Reads what is there, one after the other, as pages do that are looked at. */
  const readUntil = async (random: () => number, stopped: AbortSignal): Promise<void> => {
    while (!stopped.aborted) {
      const { path, as } = paths[Math.floor(random() * paths.length)] ?? { path: '/exports' };
      const read = await cluster.call('GET', path, { ...(as && { as }) }).catch(() => null);
      if (read) reads.add(read.request);
      const began = performance.now();
      const answer = await fetch(`${cluster.url}/livez`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) idleMs.push(performance.now() - began);
      await setTimeout(20);
    }
  };

  const rows = (table: 'tasks' | 'exports') =>
    database.db
      .selectFrom(table)
      .select(['id', 'status', 'failure_code', 'failure_message', 'attempts'])
      .execute();

  let chaos: Chaos;

  it('accepts and settles everything', async (t) => {
    const random = randomFrom(seed);
    chaos = new Chaos(cluster, random, () => progress);
    const users: string[] = [];
    for (let index = 0; index < counts.users; index += 1) {
      users.push((await created('/users')).id);
    }
    const done = new AbortController();
    const reading = readUntil(randomFrom(seed + 1), done.signal);
    const perTask = counts.exports / counts.tasks;
    const using = Promise.all(
      Array.from({ length: counts.tasks }, (_, index) =>
        useTask(users[index % users.length]!, index % 3 === 0 ? 'shorts' : 'video', perTask),
      ),
    );
    const watching = (async () => {
      while (!done.signal.aborted) {
        await readProgress().catch(() => {});
        await setTimeout(100);
      }
    })();
    const faults = planFaults(counts.faults, random);
    const total = 2 * (counts.tasks + counts.exports);
    const disturbing = (async () => {
      for (const [index, fault] of faults.entries()) {
        const due = ((index + random()) / faults.length) * 0.9 * total;
        await waitFor(
          'work',
          () => progress >= due || done.signal.aborted,
          () => progress,
        );
        t.diagnostic(`at ${progress} of ${total}: ${JSON.stringify(fault)}`);
        await chaos.bring(fault);
      }
      await chaos.end();
    })();
    try {
      await Promise.all([using, disturbing]);
    } finally {
      done.abort();
      await Promise.all([reading, watching]);
    }
    const open = async () =>
      (await Promise.all([rows('tasks'), rows('exports')]))
        .flat()
        .filter(({ status }) => status === 'processing');
    await waitFor('the rest', async () => (await open()).length === 0, open);
    // So do attempts that have lost their rows.
    const jobs = async () => {
      const { rows: left } = await sql`
        select name, state from pgboss.job where state in ('created', 'retry', 'active')`.execute(
        database.db,
      );
      return left;
    };
    await waitFor('the queue', async () => (await jobs()).length === 0, jobs);
    for (const member of [...cluster.apis, ...cluster.workers]) {
      const { exitCode, signalCode } = member.lives.at(-1)!.process;
      assert.deepEqual({ exitCode, signalCode }, { exitCode: null, signalCode: null });
      for (const { process } of member.lives.slice(0, -1)) {
        assert.equal(process.signalCode, 'SIGKILL', 'no process ends on its own');
      }
    }
  });

  it('has lost nothing, and counts each export once', async (t) => {
    const logged = cluster.workers.flatMap((worker) => worker.log());
    for (const line of logged.filter(({ event }) => /^(preview|task)-failed$/.test(`${event}`))) {
      t.diagnostic(JSON.stringify(line));
    }
    for (const table of ['tasks', 'exports'] as const) {
      const found = await rows(table);
      const ids = new Set(found.map(({ id }) => id));
      for (const id of accepted[table]) assert.ok(ids.has(id), `${table} ${id} is lost`);
      assert.equal(found.length, accepted[table].length, 'what is sent again is made once');
      for (const row of found) {
        if (row.status === 'ready') continue;
        // Of a worker that was killed three times at the same work.
        assert.equal(row.failure_code, 'interrupted', JSON.stringify(row));
        assert.match(row.failure_message ?? '', /\S/);
      }
      // A task has one attempt for the download and one for the rest.
      const usual = table === 'tasks' ? 2 : 1;
      const again = found.filter(({ attempts }) => attempts > usual).length;
      const failed = found.filter(({ status }) => status === 'error').length;
      t.diagnostic(`${found.length} ${table}: ${failed} failed`);
      t.diagnostic(`${again} ${table} with more attempts than usual`);
    }
    t.diagnostic(`${lost} answers of POST lost`);
    const exported = await database.db.selectFrom('exports').selectAll().execute();
    const [first] = exported;
    assert.ok(first);
    const counts = await database.db
      .selectFrom('export_counts')
      .select('exports')
      .where('organization_id', '=', first.organization_id)
      .executeTakeFirstOrThrow();
    assert.equal(counts.exports, exported.length);
    // One line at most for each: a killed process may have lost its last ones.
    const ready = logged.filter(({ event }) => event === 'export-ready').map(({ id }) => id);
    assert.equal(new Set(ready).size, ready.length);
  });

  it('has files that all play', async () => {
    const urls: string[] = [];
    for (const { path, as } of paths.filter((one) => /\/exports\/./.test(one.path))) {
      const { body } = await call('GET', path, { as });
      if (body.status !== 'ready') continue;
      assert.ok(body.src_url, path);
      urls.push(body.src_url);
    }
    assert.equal(new Set(urls).size, urls.length);
    const left = [...urls];
    const play = async (): Promise<void> => {
      // Every frame is decoded; an error of any ends it.
      for (let url = left.pop(); url; url = left.pop()) {
        await run('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', url, '-f', 'null', '-']);
      }
    };
    await Promise.all([play(), play()]);
  });

  it('has after a sweep the files that rows name, and no others', async (t) => {
    for (const worker of cluster.workers) await worker.end('SIGTERM');
    const sweep = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key } of findOrphans(
        { db: database.db, storage },
        Date.now() + 2 * dayMs,
      )) {
        await storage.remove(key);
        found.push(key);
      }
      return found;
    };
    t.diagnostic(`the sweep has removed ${JSON.stringify(await sweep())}`);
    assert.deepEqual(await sweep(), []);
    const owned = {
      tasks: await rows('tasks'),
      exports: await rows('exports'),
      projects: await database.db.selectFrom('projects').select('id').execute(),
      uploads: await database.db.selectFrom('uploads').select('id').execute(),
      fonts: await database.db.selectFrom('fonts').select('id').execute(),
      media: await database.db.selectFrom('media').select('id').execute(),
    };
    for (const kind of storedKinds) {
      const ids = owned[owners[kind]].map(({ id }) => id);
      const needed = await findNeededFiles(database.db, kind, ids);
      for (const id of ids) {
        const kept: string[] = (await storage.list(`${kind}/${id}`)).filter(
          (key) => !key.endsWith('.json'),
        );
        // Not each clip has a proxy.
        const named = [...(needed.get(id) ?? [])].filter((key) => key.startsWith(`${kind}/`));
        assert.deepEqual(kept.toSorted(), named.toSorted());
      }
    }
    for (const { id, status } of owned.exports) {
      assert.equal((await storage.list(`exports/${id}`)).length, status === 'ready' ? 1 : 0);
    }
  });

  it('answers quickly while it renders', (t) => {
    const times = cluster.apis.flatMap((api) =>
      api
        .log()
        .filter((entry) => entry.event === 'request' && reads.has(entry['request']))
        .filter(({ status }) => status === 200)
        .map((entry) => ({ to: Date.parse(String(entry['time'])), ms: Number(entry['ms']) }))
        .filter(({ to, ms }) => {
          const away = [...(chaos.stops.get(api) ?? []), ...chaos.outages];
          return !overlaps({ from: to - ms, to }, away);
        })
        .map(({ ms }) => ms),
    );
    assert.ok(times.length > 100, `${times.length} reads`);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const idle = percentile(idleMs, 0.99);
    t.diagnostic(`${times.length} GETs: p50 ${p50} ms, p99 ${p99} ms; p99 of /livez ${idle} ms`);
    // On a busy machine every answer takes longer, also that of /livez.
    assert.ok(p99 < Math.max(250, 10 * idle), `p99 ${p99} ms`);
  });
});
