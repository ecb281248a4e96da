import { randomUUID } from 'node:crypto';
import type { Client, Pool } from 'pg';

/** The channel that the triggers of migration 12 write to. */
export const changesChannel = 'clip_changes';

/** Who hears of changes in the database. */
export interface Hearer {
  /** A notice: `kind id user`. */
  hear(notice: string): void;
  /** Whether every change is heard of from now on. */
  listening(state: boolean): void;
}

/** Stops to listen. */
export type StopListening = () => Promise<void>;

/** Time between two proofs that notices arrive: so long may a cut connection stay unknown. */
const proofIntervalMs = 10_000;
const reconnectMs = 1000;
/** After a connection that hears nothing: PgBouncer in transaction mode will not change soon. */
const deafMs = 300_000;

/**
 * Listens on a connection of its own, and connects again when it breaks. That notices arrive is
 * proved by one that is sent over another connection: behind PgBouncer in transaction mode LISTEN
 * succeeds, and nothing is ever heard.
 */
export function listenOnServer(
  connect: () => Promise<Client>,
  pool: Pick<Pool, 'query'>,
  hearer: Hearer,
): StopListening {
  const stopped = new AbortController();
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stopped.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      if (stopped.signal.aborted) done();
      else stopped.signal.addEventListener('abort', done);
    });

  /** Ends when the connection does; gives whether anything was heard. */
  async function session(): Promise<boolean> {
    const client = await connect();
    const broken = new AbortController();
    const end = (): void => broken.abort();
    client.on('error', end);
    client.on('end', end);
    stopped.signal.addEventListener('abort', end);
    let proof = '';
    let proved = false;
    try {
      client.on('notification', ({ payload = '' }) => {
        if (!payload.startsWith('proof ')) return void hearer.hear(payload);
        if (payload !== proof) return;
        proof = '';
        if (!proved && !broken.signal.aborted) hearer.listening(true);
        proved = true;
      });
      await client.query(`listen ${changesChannel}`);
      while (!broken.signal.aborted && proof === '') {
        proof = `proof ${randomUUID()}`;
        await pool.query('select pg_notify($1, $2)', [changesChannel, proof]);
        await Promise.race([
          pause(proofIntervalMs),
          new Promise((resolve) => broken.signal.addEventListener('abort', resolve)),
        ]);
      }
      return proved;
    } finally {
      broken.abort();
      hearer.listening(false);
      stopped.signal.removeEventListener('abort', end);
      // Not waited for: a connection that was cut in silence does not answer.
      const ended = client.query('unlisten *').finally(() => client.end());
      ended.catch(() => {});
    }
  }

  async function listen(): Promise<void> {
    hearer.listening(false);
    while (!stopped.signal.aborted) {
      const heard = await session().catch(() => true);
      await pause(heard ? reconnectMs : deafMs);
    }
  }
  const done = listen();
  return () => {
    stopped.abort();
    return done;
  };
}
