import type { PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from './unavailable.ts';

/** A statement that takes longer is given up: its connection is taken to be dead. */
const statementMs = 8_000;

/**
 * The connections of a pool. One may go silent, as when a firewall forgets it: then nothing comes
 * back, not even an error. After the first that does, all that were opened before are replaced.
 */
export class Connections {
  readonly #pool: Pool;
  #limited = false;
  /** Connections that were opened before the last silent one are not used again. */
  #generation = 0;
  readonly #generations = new WeakMap<PoolClient, number>();

  constructor(pool: Pool) {
    this.#pool = pool;
    // A broken connection is replaced, and its query fails. Unhandled events would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      this.#generations.set(client, this.#generation);
    });
  }

  /** From now on a statement that takes long means that its connection is dead. */
  limitStatements(): void {
    this.#limited = true;
  }

  /** Throws {@link DatabaseUnavailable}. */
  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause: unknown) => {
        throw new DatabaseUnavailable('The database gives no connection.', { cause });
      });
      if (this.#generations.get(client) === this.#generation) return this.#watched(client);
      client.release(true);
    }
  }

  #watched(client: PoolClient): PostgresPoolClient {
    let silent = false;
    const silence = new DatabaseUnavailable(
      `The database has not answered for ${statementMs / 1000} s.`,
    );
    return {
      query: async (text: string, values: readonly unknown[]) => {
        // What follows in a transaction would only wait behind the first.
        if (silent) throw silence;
        const answer = client.query(text, [...values]);
        if (!this.#limited) return answer;
        const { promise: late, reject } = Promise.withResolvers<never>();
        const timer = setTimeout(() => {
          silent = true;
          this.#generation += 1;
          reject(silence);
        }, statementMs);
        answer.catch(() => {});
        try {
          return await Promise.race([answer, late]);
        } finally {
          clearTimeout(timer);
        }
      },
      release: () => client.release(silent),
      // Of a connection, Kysely uses these two.
    } as unknown as PostgresPoolClient;
  }
}
