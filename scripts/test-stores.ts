/**
 * Runs the tests of the host's stores against their own Postgres and Redis servers. Prints `N
 * passed, M failed` at the end.
 */
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { testWithServers } from './server-tests.ts';

const suites = [
  'attempts/paid-starts.test',
  'stores/store-attempts.test',
  'stores/store-processes.test',
  'stores/store-servers.suite',
  'stores/store-tasks.test',
  'stores/store-users.test',
];
const only = process.argv.slice(2);
await testWithServers(
  [startPostgres, startRedis],
  only.length ? only : suites.map((name) => `test/host/${name}.ts`),
);
