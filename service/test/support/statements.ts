import { PGlite } from '@electric-sql/pglite';
import { mock } from 'node:test';

/** The statements that built-in databases are asked from now on, also in transactions. */
export function watchStatements(): { texts: string[]; stop: () => void } {
  const texts: string[] = [];
  const prototype = Object.getPrototypeOf(PGlite.prototype) as PGlite;
  const { query, exec } = prototype;
  const watched = [
    mock.method(prototype, 'query', function (this: PGlite, ...asked: Parameters<typeof query>) {
      texts.push(asked[0]);
      return query.apply(this, asked);
    }),
    mock.method(prototype, 'exec', function (this: PGlite, ...asked: Parameters<typeof exec>) {
      texts.push(asked[0]);
      return exec.apply(this, asked);
    }),
  ];
  return { texts, stop: () => watched.forEach((method) => method.mock.restore()) };
}
