import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { LogEntry } from '../../src/config/config.ts';
import { tables } from '../../src/queue/attempt-queries.ts';
import type { WorkKind } from '../../src/queue/queue.ts';
import { startChild, type ChildService } from './child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { testDatabase } from './test-database.ts';

const key = 'key-of-the-stopped-workers';

/** Waits for what another process does; it fails when the test's own time is over. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await setTimeout(20);
  }
}

/** One of the processes, with programs that only it runs. */
interface Worker {
  service: ChildService;
  programs: HeldPrograms;
  /** As the API has it. */
  call(
    method: string,
    path: string,
    body?: unknown,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads out of an answer is the test
  ): Promise<{ status: number; body: any }>;
}

const stateOf = (pid: number): string =>
  /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';

/**
 * Processes of the service on one Postgres database and one data directory, started one after the
 * other.
 */
export class WorkerPair {
  readonly directory: string;
  readonly dataDir: string;
  readonly sql: pg.Client;
  readonly #database: Awaited<ReturnType<typeof testDatabase>>;
  readonly #supervisor: PgBoss;
  readonly #workers: Worker[] = [];

  private constructor(
    directory: string,
    database: Awaited<ReturnType<typeof testDatabase>>,
    sql: pg.Client,
  ) {
    this.directory = directory;
    this.dataDir = join(directory, 'data');
    this.sql = sql;
    this.#database = database;
    this.#supervisor = new PgBoss({
      connectionString: database.url,
      schedule: false,
      supervise: false,
      migrate: false,
      monitorIntervalSeconds: 1,
    });
    this.#supervisor.on('error', () => {});
  }

  static async open(): Promise<WorkerPair> {
    const directory = await mkdtemp(join(tmpdir(), 'clip-stopped-'));
    await mkdir(join(directory, 'footage'));
    const database = await testDatabase();
    const sql = new pg.Client(database.url);
    await Promise.all([sql.connect(), makeFootage(join(directory, 'footage'))]);
    return new WorkerPair(directory, database, sql);
  }

  /** Starts another process. `program` runs in the place of the service's main file. */
  async start(program?: string): Promise<Worker> {
    const programs = await heldPrograms(join(this.directory, `programs-${this.#workers.length}`));
    const service = await startChild(
      {
        DATA_DIR: this.dataDir,
        DATABASE_URL: this.#database.url,
        CLIP_API_KEY: key,
        PATH: programs.path,
        CLIP_ALLOW_PRIVATE_SOURCES: '1',
        CLIP_CONCURRENCY: '1',
      },
      program,
    );
    const worker: Worker = {
      service,
      programs,
      async call(method, path, body) {
        const response = await fetch(`${service.url}/v2${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            'Content-Type': 'application/json',
            Prefer: 'wait=20',
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const json = response.headers.get('content-type')?.includes('json');
        const bytes = await response.arrayBuffer();
        const received = json ? JSON.parse(Buffer.from(bytes).toString()) : bytes.byteLength;
        return { status: response.status, body: received };
      },
    };
    this.#workers.push(worker);
    return worker;
  }

  /** As `kill -STOP`; it has taken place when this ends. */
  async stop({ service }: Worker): Promise<void> {
    service.process.kill('SIGSTOP');
    await until(() => stateOf(service.process.pid!) === 'T');
  }

  /**
   * Wakes it up and waits until it has done with the job of the row; gives what it said of it last.
   */
  async wake({ service }: Worker, kind: WorkKind, id: string): Promise<LogEntry> {
    service.process.kill('SIGCONT');
    const work = kind === 'ingest' || kind === 'scan' ? 'task' : kind;
    const ends = ['ready', 'fetched', 'scanned', 'failed', 'superseded'].map(
      (end) => `${work}-${end}`,
    );
    return until(() => {
      assert.equal(service.process.exitCode, null, 'it lives on');
      return service.log().find((entry) => entry['id'] === id && ends.includes(entry.event));
    });
  }

  /**
   * What a minute and more without a sign of life does: the row's job is given to another process,
   * which begins on it.
   */
  async takeOver(kind: WorkKind, id: string): Promise<void> {
    await this.#supervisor.start();
    await this.sql.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 day' where id = $1`,
      [id],
    );
    await until(async () => {
      await this.#supervisor.supervise(kind);
      return (await this.row(kind, id)).attempts === 2;
    });
    await this.#supervisor.stop({ graceful: false });
  }

  async row(kind: WorkKind, id: string) {
    const { rows } = await this.sql.query(`select * from ${tables[kind]} where id = $1`, [id]);
    return rows[0];
  }

  /** Keeps everyone from writing to the row, until the function that this gives is called. */
  async lock(kind: WorkKind, id: string): Promise<() => Promise<void>> {
    const client = new pg.Client(this.#database.url);
    await client.connect();
    await client.query(`begin; select 1 from ${tables[kind]} where id = '${id}' for update`);
    return () => client.end();
  }

  /** Names of what is kept below the data directory, at any depth, without directories. */
  async kept(path: string): Promise<string[]> {
    const found = await readdir(join(this.dataDir, path), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.dataDir.length + 1));
  }

  /** The row is ready, with its progress; asked of the worker. */
  async ready({ call }: Worker, path: string) {
    return until(async () => {
      const { status, body } = await call('GET', path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.notEqual(body.status, 'error', JSON.stringify(body.failure));
      return body.status === 'ready' ? body : null;
    });
  }

  async endAll(): Promise<void> {
    for (const { service } of this.#workers.splice(0)) {
      service.process.kill('SIGCONT');
      if (service.process.exitCode === null) await service.end('SIGKILL');
    }
  }

  async close(): Promise<void> {
    await this.endAll();
    await this.sql.end();
    await this.#database.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
