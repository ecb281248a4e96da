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

/** Resolves after the time, or when the signal aborts. */
const pauseUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });

type Notify = (channel: string, text: string) => Promise<unknown>;

/** Listens on a connection until it ends. Resolves to whether anything was received. */
async function listenOnce(
  client: Client,
  notify: Notify,
  listener: ChangeListener,
  stopped: AbortSignal,
): Promise<boolean> {
  /** Only this connection listens to it. */
  const proofChannel = `clip_proof_${randomUUID().replaceAll('-', '')}`;
  const broken = new AbortController();
  const end = (): void => broken.abort();
  client.on('error', end);
  client.on('end', end);
  const ended = AbortSignal.any([broken.signal, stopped]);
  let proof = '';
  let proved = false;
  try {
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === changesChannel) return void listener.notify(payload);
      if (payload !== proof) return;
      proof = '';
      if (!proved && !ended.aborted) listener.listening(true);
      proved = true;
    });
    await client.query(`listen ${changesChannel}; listen ${proofChannel}`);
    while (!ended.aborted && proof === '') {
      proof = randomUUID();
      // Not waited for: if it cannot be sent, it does not arrive either.
      notify(proofChannel, proof).catch(() => {});
      await pauseUntil(proved ? proofIntervalMs : firstProofMs, ended);
    }
    return proved;
  } finally {
    broken.abort();
    listener.listening(false);
    // Not waited for: a connection that was cut in silence does not answer.
    const left = client.query('unlisten *').finally(() => client.end());
    left.catch(() => {});
  }
}

/**
 * Listens on a connection of its own, and connects again when it breaks. That notices arrive is
 * proved by one that is sent over another connection: behind PgBouncer in transaction mode LISTEN
 * succeeds, and nothing ever arrives.
 */
export function listenOnServer(
  connect: () => Promise<Client>,
  notify: Notify,
  listener: ChangeListener,
): StopListening {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function listen(): Promise<void> {
    listener.listening(false);
    let deaf = 0;
    while (!signal.aborted) {
      const received = await connect()
        .then((client) => listenOnce(client, notify, listener, signal))
        .catch(() => true);
      deaf = received ? 0 : deaf + 1;
      const ms = received ? reconnectMs : Math.min(deafMs.first * 4 ** (deaf - 1), deafMs.most);
      await pauseUntil(ms, signal);
    }
  }
  const done = listen();
  return () => {
    stopped.abort();
    return done;
  };
}
