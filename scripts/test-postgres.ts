/**
 * Runs the service's Postgres tests against a server of their own. Prints `N passed, M failed` at
 * the end.
 */
import { startPostgres } from './postgres-server.ts';
import { testWithServers } from './server-tests.ts';

const named = process.argv.slice(2);
const all = [
  'postgres',
  'stopped-worker',
  'killed-worker',
  'database-gone',
  'held',
  'long-queue',
  'silent',
  'deletion-races',
  'clock',
  'roles',
  'uploads',
  'versions',
  'commands',
  'connections',
  'query-plans',
];
const suites = (named.length > 0 ? named : all).map(
  (name) => `service/test/postgres/${name}.suite.ts`,
);

await testWithServers([startPostgres], suites);
