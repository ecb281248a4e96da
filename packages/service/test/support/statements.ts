import { PGlite, type Transaction } from '@electric-sql/pglite';
import { mock } from 'node:test';

/** The statements that built-in databases are asked from now on, with those of transactions. */
export function watchStatements(): { texts: string[]; stop: () => void } {
  const texts: string[] = [];
  const prototype = Object.getPrototypeOf(PGlite.prototype) as PGlite;
  const { query, exec, transaction } = prototype;
  const recorded = (trx: Transaction): Transaction => {
    const toldQuery: typeof trx.query = (...asked) => {
      texts.push(asked[0]);
      return trx.query(...asked);
    };
    return Object.create(trx, { query: { value: toldQuery } }) as Transaction;
  };
  const watched = [
    mock.method(prototype, 'query', function (this: PGlite, ...asked: Parameters<typeof query>) {
      texts.push(asked[0]);
      return query.apply(this, asked);
    }),
    mock.method(prototype, 'exec', function (this: PGlite, ...asked: Parameters<typeof exec>) {
      texts.push(asked[0]);
      return exec.apply(this, asked);
    }),
    mock.method(
      prototype,
      'transaction',
      async function (this: PGlite, work: (trx: Transaction) => Promise<unknown>) {
        texts.push('begin');
        const done = await transaction.call(this, (trx) => work(recorded(trx)));
        texts.push('commit');
        return done;
      },
    ),
  ];
  return { texts, stop: () => watched.forEach((method) => method.mock.restore()) };
}
