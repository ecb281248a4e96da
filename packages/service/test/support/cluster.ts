import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../tools/free-port.ts';
import { startNginx } from '../../../../tools/nginx-server.ts';
import { startPgBouncer } from '../../../../tools/pgbouncer-server.ts';
import { makePostgresCluster, type PostgresCluster } from '../../../../tools/postgres-server.ts';
import { makeSwift } from '../../../../tools/swift-server.ts';
import type { S3Config } from '../../src/config/config.ts';
import { Bucket } from '../../src/storage/s3/bucket.ts';
import { startChild, type ChildService } from './child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';

const apiKey = 'key-of-the-test-cluster';

/** A server that can be stopped and started again. */
interface Restartable {
  start(): Promise<() => Promise<void>>;
}

class Part {
  readonly #start: Restartable['start'];
  #stop: (() => Promise<void>) | null = null;

  constructor({ start }: Restartable) {
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#stop ??= await this.#start();
  }

  async stop(): Promise<void> {
    const stop = this.#stop;
    this.#stop = null;
    await stop?.();
  }
}

/** One process of the service, which can be ended and started again. */
export class Member {
  readonly environment: Readonly<Record<string, string>>;
  /** All processes that it has been, the last one last. */
  readonly lives: ChildService[] = [];

  constructor(environment: Readonly<Record<string, string>>) {
    this.environment = environment;
  }

  async start(): Promise<void> {
    this.lives.push(await startChild({ ...this.environment }));
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.lives.at(-1);
    if (child && child.process.exitCode === null && child.process.signalCode === null) {
      await child.end(signal);
    }
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.lives.at(-1)?.process.kill(name);
  }

  log() {
    return this.lives.flatMap((life) => life.log());
  }
}

/**
 * The service as on several machines: Postgres and PgBouncer, an S3 store, API processes behind a
 * proxy, and workers, each with a disk of its own.
 */
export class Cluster {
  readonly url: string;
  readonly sources: SourceServer;
  readonly s3: S3Config;
  readonly postgres: Part;
  /** Without PgBouncer, for the tests. */
  readonly databaseUrl: string;
  readonly swift: Part;
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly #cleanup: (() => Promise<unknown>)[];

  private constructor(
    values: Pick<
      Cluster,
      'url' | 'sources' | 's3' | 'postgres' | 'databaseUrl' | 'swift' | 'apis' | 'workers'
    >,
    cleanup: (() => Promise<unknown>)[],
  ) {
    this.url = values.url;
    this.sources = values.sources;
    this.s3 = values.s3;
    this.postgres = values.postgres;
    this.databaseUrl = values.databaseUrl;
    this.swift = values.swift;
    this.apis = values.apis;
    this.workers = values.workers;
    this.#cleanup = cleanup;
  }

  static async start(counts: { apis: number; workers: number }): Promise<Cluster> {
    const cleanup: (() => Promise<unknown>)[] = [];
    try {
      return await Cluster.#start(counts, cleanup);
    } catch (error) {
      await undo(cleanup);
      throw error;
    }
  }

  static async #start(
    counts: { apis: number; workers: number },
    cleanup: (() => Promise<unknown>)[],
  ): Promise<Cluster> {
    const root = await mkdtemp(join(tmpdir(), 'clip-cluster-'));
    cleanup.push(() => rm(root, { recursive: true, force: true }));
    const place = async (name: string): Promise<string> => {
      const directory = join(root, name);
      await mkdir(directory);
      return directory;
    };
    // The servers run as users of their own.
    await chmod(root, 0o755);
    const server: PostgresCluster = await makePostgresCluster(await place('postgres'));
    const store = await makeSwift(await place('swift'));
    const [postgres, swift] = [new Part(server), new Part(store)];
    cleanup.push(() => Promise.all([postgres.stop(), swift.stop()]));
    const footage = await place('footage');
    await Promise.all([postgres.start(), swift.start(), makeFootage(footage)]);
    const bouncer = await startPgBouncer(await place('pgbouncer'), server.url);
    cleanup.push(bouncer.stop);
    const sources = await startSourceServer(footage);
    cleanup.push(() => sources.close());
    const s3: S3Config = {
      endpoint: store.env.TEST_S3_ENDPOINT,
      bucket: 'clips',
      region: 'us-east-1',
      accessKeyId: store.env.TEST_S3_ACCESS_KEY_ID,
      secretAccessKey: store.env.TEST_S3_SECRET_ACCESS_KEY,
    };
    await new Bucket(s3).call('PUT', '');

    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const shared = {
      PUBLIC_URL: url,
      STORAGE: 's3',
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      DATABASE_URL: bouncer.url,
      DATABASE_LISTEN_URL: server.url,
      CLIP_ALLOW_PRIVATE_SOURCES: '1',
      CLIP_CONCURRENCY: '1',
    };
    const apis: Member[] = [];
    for (let index = 0; index < counts.apis; index += 1) {
      const environment = {
        ...shared,
        ROLE: 'api',
        PORT: String(await freePort()),
        METRICS_PORT: String(await freePort()),
        DATA_DIR: join(root, `api-${index}`),
        CLIP_API_KEY: apiKey,
      };
      apis.push(new Member(environment));
    }
    const workers: Member[] = [];
    for (let index = 0; index < counts.workers; index += 1) {
      const environment = {
        ...shared,
        ROLE: 'worker',
        METRICS_PORT: String(await freePort()),
        DATA_DIR: join(root, `worker-${index}`),
      };
      workers.push(new Member(environment));
    }
    cleanup.push(() => Promise.all([...apis, ...workers].map((member) => member.end('SIGKILL'))));
    // All at once, as an orchestrator does: the first of them sets up the database.
    await Promise.all([...apis, ...workers].map((member) => member.start()));
    const ports = apis.map(({ environment }) => Number(environment['PORT']));
    cleanup.push(await startNginx(await place('nginx'), port, ports));
    const { url: databaseUrl } = server;
    return new Cluster({ url, sources, s3, postgres, databaseUrl, swift, apis, workers }, cleanup);
  }

  /** Calls the API through the proxy; `as`: the managed user that the call is made for. */
  async call(
    method: string,
    path: string,
    { body, as, headers }: { body?: unknown; as?: string; headers?: Record<string, string> } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads out of an answer is the test
  ): Promise<{ status: number; body: any; request: string | null }> {
    const answer = await fetch(`${this.url}/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(as !== undefined && { 'X-On-Behalf-Of': as }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('json');
    const request = answer.headers.get('x-request-id');
    return { status: answer.status, body: json ? JSON.parse(text) : text, request };
  }

  async close(): Promise<void> {
    await undo(this.#cleanup);
  }
}

/** The last first; every step is taken even if one fails. */
async function undo(steps: (() => Promise<unknown>)[]): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) await step().catch(console.error);
}
