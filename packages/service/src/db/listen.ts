import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** The channel that the triggers write to. */
export const changesChannel = 'clip_changes';

/** Listens to changes in the database. */
export interface ChangeListener {
  /** A notice: `kind id user`. */
  notify(notice: string): void;
  /** Whether every change is noticed from now on. */
  listening(state: boolean): void;
}

/** Stops to listen. */
export type StopListening = () => Promise<void>;

/** Time between two proofs that notices arrive: a silent connection is noticed after two. */
const proofIntervalMs = 2000;
/** The first may take longer. */
const firstProofMs = 10_000;
const reconnectMs = 1000;
/**
 * After a connection that receives nothing: a slow first proof has come by the next time. PgBouncer
 * in transaction mode will not change soon, so it is tried less and less often.
 */
const deafMs = { first: 1000, most: 300_000 };

/**
 * Listens on a connection of its own, and connects again when it breaks. That notices arrive is
 * proved by one that is sent over another connection: behind PgBouncer in transaction mode LISTEN
 * succeeds, and nothing ever arrives.
 */
export function listenOnServer(
  connect: () => Promise<Client>,
  notify: (channel: string, text: string) => Promise<unknown>,
  listener: ChangeListener,
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

  /** Only this process listens to it. */
  const proofChannel = `clip_proof_${randomUUID().replaceAll('-', '')}`;

  /** Resolves when the connection ends, to whether anything was received. */
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
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === changesChannel) return void listener.notify(payload);
        if (payload !== proof) return;
        proof = '';
        if (!proved && !broken.signal.aborted) listener.listening(true);
        proved = true;
      });
      await client.query(`listen ${changesChannel}; listen ${proofChannel}`);
      while (!broken.signal.aborted && proof === '') {
        proof = randomUUID();
        // Not waited for: if it cannot be sent, it does not arrive either.
        notify(proofChannel, proof).catch(() => {});
        await Promise.race([
          pause(proved ? proofIntervalMs : firstProofMs),
          new Promise((resolve) => broken.signal.addEventListener('abort', resolve)),
        ]);
      }
      return proved;
    } finally {
      broken.abort();
      listener.listening(false);
      stopped.signal.removeEventListener('abort', end);
      // Not waited for: a connection that was cut in silence does not answer.
      const ended = client.query('unlisten *').finally(() => client.end());
      ended.catch(() => {});
    }
  }

  async function listen(): Promise<void> {
    listener.listening(false);
    let deaf = 0;
    while (!stopped.signal.aborted) {
      const received = await session().catch(() => true);
      deaf = received ? 0 : deaf + 1;
      await pause(received ? reconnectMs : Math.min(deafMs.first * 4 ** (deaf - 1), deafMs.most));
    }
  }
  const done = listen();
  return () => {
    stopped.abort();
    return done;
  };
}
