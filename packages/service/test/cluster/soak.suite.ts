import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { findFirstOrganizationId } from '../../src/users/queries.ts';
import { writeWebhook } from '../../src/webhooks/queries.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { Cluster, type Member } from '../support/cluster.ts';
import { serve } from 'clip-testkit/serve';

const run = promisify(execFile);

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
/** Each fault comes once in a round, and is over for a third of its time. */
const roundMs = Math.min(5, minutes) * 60_000;
const users = 3;
const maxLivezMs = 50;
/** Before that, a process has not used all of its code. */
const minutesUntilFlat = 10;

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? 0;
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** A receiver that hangs while it is told to, and remembers what it has accepted. */
async function startHangingReceiver() {
  const accepted = new Set<string>();
  let isHanging = false;
  const { origin, close } = await serve((request, response) => {
    void text(request).then((body) => {
      if (isHanging) return;
      const { data } = JSON.parse(body) as { data: { id: string } };
      accepted.add(data.id);
      response.writeHead(204).end();
    });
  });
  return {
    url: `${origin}/hook`,
    accepted,
    hang: (hangs: boolean) => void (isHanging = hangs),
    close,
  };
}

/** A bare server in a process of its own: how late an answer is on this machine anyway. */
async function startFloor(): Promise<{ process: ChildProcess; url: string }> {
  const program = `require('node:http').createServer((request, response) => response.end('{}'))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, url: `http://127.0.0.1:${port.toString().trim()}/` };
}

describe(`${minutes} minutes of work with faults in turn (SOAK_MINUTES=${minutes})`, () => {
  let cluster: Cluster;
  let database: OpenDatabase;
  let receiver: Awaited<ReturnType<typeof startHangingReceiver>>;
  let floor: Awaited<ReturnType<typeof startFloor>>;
  /** Of the worker whose disk becomes full; null where nothing can be mounted. */
  let disk: string | null = null;
  before(async () => {
    cluster = await Cluster.start({ apis: 2, workers: 3 });
    database = await openDatabase({ dataDir: '', databaseUrl: cluster.databaseUrl });
    receiver = await startHangingReceiver();
    floor = await startFloor();
    const { db } = database;
    const webhook = { url: receiver.url, secrets: [`whsec_${'a'.repeat(32)}`] };
    await writeWebhook(db, webhook, {
      organizationId: await findFirstOrganizationId(db),
      origin: 'made',
    });
    const [worker] = cluster.workers;
    const directory = worker!.environment['DATA_DIR']!;
    await worker!.end('SIGTERM');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', directory]);
      disk = directory;
    } catch {
      // As a user who may not mount.
    }
    await worker!.start();
  });
  after(async () => {
    floor?.process.kill();
    receiver?.close();
    await database?.close();
    await cluster?.workers[0]?.end('SIGKILL');
    if (disk) execFileSync('umount', ['-l', disk]);
    await cluster?.close();
  });

  const accepted = {
    tasks: [] as string[],
    exports: [] as { id: string; path: string; as: string }[],
  };
  const held = { Prefer: 'wait=25' };
  let calls = 0;
  let settledCount = 0;

  /** As a client does: it asks again after a 5xx or a lost connection, with the same key. */
  const call = (method: string, path: string, as?: string, body?: unknown) => {
    const key = method === 'POST' && { 'Idempotency-Key': `call-of-soak-${(calls += 1)}` };
    const options = { ...(as && { as }), body, headers: { ...held, ...key } };
    return waitFor(
      `${method} ${path}`,
      async () => {
        const answer = await cluster.call(method, path, options).catch(() => null);
        if (answer && answer.status < 500) return answer;
        await setTimeout(250);
        return null;
      },
      () => settledCount,
    );
  };
  const settled = (path: string, as: string) =>
    waitFor(
      path,
      async () => {
        const { status, body } = await call('GET', path, as);
        assert.equal(status, 200, JSON.stringify(body));
        if (body.status === 'processing') return null;
        settledCount += 1;
        return body;
      },
      () => settledCount,
    );

  async function work(until: number): Promise<void> {
    const as = (await call('POST', '/users')).body.id as string;
    while (Date.now() < until) {
      const task = await call('POST', '/tasks/video-to-video', as, {
        source_video_url: cluster.sources.at('scene.mp4'),
        editing_options: {},
        dimensions: { width: 96, height: 54 },
      });
      assert.equal(task.status, 201, JSON.stringify(task.body));
      accepted.tasks.push(task.body.id);
      const { status, output_id: clip } = await settled(`/tasks/${task.body.id}`, as);
      if (status !== 'ready') continue;
      const made = await call('POST', `/projects/${clip}/exports`, as, {});
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const path = `/projects/${clip}/exports/${made.body.id}`;
      accepted.exports.push({ id: made.body.id, path, as });
      await settled(path, as);
    }
  }

  const done = new AbortController();
  /** The time is part of the fault; it is over at once when the work has failed. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: done.signal }).catch(() => undefined);

  /** What happens in turn; each resolves when it is over. */
  const faults: Record<string, (ms: number) => Promise<void>> = {
    async disk(ms) {
      if (disk === null) return;
      const size = (size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, disk!]);
      const { stdout } = await run('du', ['-sk', disk]);
      size(`${parseInt(stdout, 10) + 1024}k`);
      await pause(ms);
      size('2g');
    },
    // What others see of a machine that the network has lost: its connections stay, and are silent.
    async network(ms) {
      const lost = [cluster.workers[1]!, cluster.apis[0]!];
      for (const member of lost) member.signal('SIGSTOP');
      await pause(ms);
      for (const member of lost) member.signal('SIGCONT');
    },
    async database(ms) {
      await cluster.postgres.stop();
      await pause(ms / 2);
      await cluster.postgres.start();
    },
    async store(ms) {
      await cluster.swift.stop();
      await pause(ms);
      await cluster.swift.start();
    },
    async receiver(ms) {
      receiver.hang(true);
      await pause(ms);
      receiver.hang(false);
    },
  };

  const livezMs: number[] = [];
  const floorMs: number[] = [];
  /** Asks a process that is not stopped, and the bare server, one after the other. */
  async function ask(): Promise<void> {
    const { environment } = cluster.apis[1]!;
    while (!done.signal.aborted) {
      for (const [url, times] of [
        [`http://127.0.0.1:${environment['PORT']}/livez`, livezMs],
        [floor.url, floorMs],
      ] as const) {
        const began = performance.now();
        const answer = await fetch(url);
        await answer.text();
        assert.equal(answer.status, 200);
        times.push(performance.now() - began);
      }
      await pause(50);
    }
  }

  const memory = new Map<Member, number[]>();
  async function weigh(): Promise<void> {
    while (!done.signal.aborted) {
      for (const member of [...cluster.apis, ...cluster.workers]) {
        const url = `http://127.0.0.1:${member.environment['METRICS_PORT']}/metrics`;
        const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
        const told = await answer?.text().catch(() => '');
        const [, bytes] = /^process_resident_memory_bytes (\S+)/m.exec(told ?? '') ?? [];
        if (bytes) memory.set(member, [...(memory.get(member) ?? []), Number(bytes)]);
      }
      await pause(5000);
    }
  }

  it('accepts work all the time', async () => {
    const until = Date.now() + minutes * 60_000;
    const watching = [ask(), weigh()];
    const names = Object.keys(faults);
    const each = roundMs / names.length;
    const disturbing = (async () => {
      for (let at = 0; Date.now() + each <= until + 1000 && !done.signal.aborted; at += 1) {
        const name = names[at % names.length]!;
        const seconds = Math.round((until - Date.now()) / 1000);
        // A command that prints nothing for long would be taken for one that has stopped.
        console.log(`${seconds} s left, ${settledCount} settled: ${name}`);
        await faults[name]!((each * 2) / 3);
        await pause(each / 3);
      }
    })();
    // Thrown below, when the work is done.
    for (const one of [...watching, disturbing]) one.catch(() => {});
    try {
      await Promise.all([disturbing, ...Array.from({ length: users }, () => work(until))]);
    } finally {
      done.abort();
      await Promise.all([...watching, disturbing]);
    }
    assert.ok(accepted.exports.length > minutes);
  });

  it('has lost nothing, and counts each export once', async (t) => {
    const { db } = database;
    for (const table of ['tasks', 'exports'] as const) {
      const rows = await db.selectFrom(table).select(['id', 'status', 'failure_code']).execute();
      const ids = accepted[table].map((one) => (typeof one === 'string' ? one : one.id));
      assert.deepEqual(rows.map(({ id }) => id).toSorted(), ids.toSorted());
      const failed = rows.filter(({ status }) => status !== 'ready');
      t.diagnostic(`${rows.length} ${table}, ${failed.length} failed`);
      // Three attempts were ended from outside.
      for (const row of failed) assert.equal(row.failure_code, 'interrupted', JSON.stringify(row));
    }
    const { exports } = await db
      .selectFrom('export_counts')
      .select('exports')
      .executeTakeFirstOrThrow();
    assert.equal(exports, accepted.exports.length);
  });

  it('has left the work of a full disk to the others', (t) => {
    if (disk === null) return t.skip('no file system can be mounted here');
    const log = cluster.workers[0]!.log();
    const rested = log.filter(
      ({ event, code }) => event === 'no-jobs-taken' && code === 'disk-full',
    );
    const back = log.filter(({ event }) => event === 'jobs-taken-again');
    assert.ok(rested.length > 0);
    assert.equal(back.length, rested.length);
  });

  it('has delivered a webhook of each task and export', async () => {
    const ids = [...accepted.tasks, ...accepted.exports.map(({ id }) => id)];
    const missing = () => ids.filter((id) => !receiver.accepted.has(id));
    await waitFor('the webhooks', () => missing().length === 0, missing);
  });

  it('has files that play', async () => {
    for (const { path, as } of accepted.exports) {
      const { body } = await call('GET', path, as);
      if (body.status !== 'ready') continue;
      await run('ffmpeg', ['-v', 'error', '-xerror', '-i', body.src_url, '-f', 'null', '-']);
    }
  });

  it('has answered at once, as far as this machine does', (t) => {
    const [livez, bare] = [percentile(livezMs, 0.99), percentile(floorMs, 0.99)];
    const figures = `/livez p50 ${percentile(livezMs, 0.5).toFixed(1)} ms, p99 ${livez.toFixed(1)} ms; bare server p99 ${bare.toFixed(1)} ms (${livezMs.length} requests)`;
    t.diagnostic(figures);
    // Renders and servers share the processors with it.
    assert.ok(livez < Math.max(maxLivezMs, 4 * bare), figures);
  });

  it('needs no more memory at the end', (t) => {
    for (const [member, samples] of memory) {
      const quarter = Math.floor(samples.length / 4);
      const early = percentile(samples.slice(quarter, 2 * quarter), 0.5);
      const late = percentile(samples.slice(-quarter), 0.5);
      const figures = `${member.environment['ROLE']}: ${megabytes(early)} MB in the second quarter, ${megabytes(late)} MB in the last, ${megabytes(Math.max(...samples))} MB at the most`;
      t.diagnostic(figures);
      if (minutes >= minutesUntilFlat) assert.ok(late < 1.15 * early + 20 * 2 ** 20, figures);
    }
  });
});
