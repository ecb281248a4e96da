import { diskFull, findMachineFault as engineFault, type MachineFault } from 'clip-engine';
import type { PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** A statement that takes longer is given up: its connection is taken to be dead. */
const statementMs = 8_000;

/** The timeout of a trivial statement on another connection, in milliseconds. */
const proofMs = 1_000;

/**
 * The connections of a pool. One may go silent, as when a firewall forgets it: then nothing comes
 * back, not even an error. After the first that does, all that were opened before are replaced,
 * unless one of them still answers: then the statement was slow.
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
        throw new DatabaseUnavailable('No database connection is available.', { cause });
      });
      if (this.#generations.get(client) === this.#generation) return this.#watched(client);
      client.release(true);
    }
  }

  /** Whether an idle connection answers. */
  async #oneAnswers(): Promise<boolean> {
    if (this.#pool.idleCount === 0) return false;
    const client = await this.#pool.connect();
    const isOld = this.#generations.get(client) === this.#generation;
    const late = new Promise<false>((resolve) => setTimeout(resolve, proofMs, false).unref());
    const answer = client.query('select 1').then(
      () => isOld,
      () => false,
    );
    const answers = await Promise.race([answer, late]);
    client.release(!answers);
    return answers;
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
          void this.#oneAnswers()
            .catch(() => false)
            .then((answers) => {
              if (!answers) this.#generation += 1;
              reject(silence);
            });
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

/** No connection to the database server can be had. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/**
 * Codes of Postgres: shut down, crashed, starting, too many connections, a transaction that stood
 * still. Codes of the socket: cut off in the middle of a query.
 */
// prettier-ignore
const goneCodes: ReadonlySet<unknown> = new Set([
  '57P01', '57P02', '57P03', '53300', '25P03', 'ECONNRESET', 'EPIPE',
]);

/** pg has no code for a connection that ends while a query waits, or that ended before it. */
const lostConnection = /^Connection terminated|connection error and is not queryable/;

/** Whether an error, or its cause, means that the database server is away, maybe for a moment. */
export function isDatabaseGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // A number in errors of the web platform.
    const { code } = at as { code?: unknown };
    if (at instanceof DatabaseUnavailable || goneCodes.has(code)) return true;
    if (/^08/.test(String(code)) || lostConnection.test(at.message)) return true;
  }
  return false;
}

/**
 * Postgres' codes for a new row that names one which was deleted at the same moment, and for text
 * with a zero character, which no id has.
 */
const missingCodes: ReadonlySet<unknown> = new Set(['23503', '22021']);

/** Whether a statement has named a missing table or column. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof Error && missingCodes.has((error as NodeJS.ErrnoException).code);

/** Postgres' code for a full disk. */
const diskFullCode = '53100';

/**
 * Finds a problem of the machine in an error or its causes: of the engine, or of the database.
 * @returns null if it is not one
 */
export function findMachineFault(error: unknown): MachineFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as NodeJS.ErrnoException).code === diskFullCode) return diskFull;
  }
  return engineFault(error);
}
