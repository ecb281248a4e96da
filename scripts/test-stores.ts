/**
 * Runs the tests of the host's stores against their own Postgres and Redis servers. Prints `N
 * passed, M failed` at the end.
 */
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { testWithServers } from './server-tests.ts';

const suites = ['store-users.test', 'store-attempts.test', 'attempts.test', 'store-processes.test'];
const only = process.argv.slice(2);
await testWithServers(
  [startPostgres, startRedis],
  only.length ? only : [...suites, 'store-servers.suite'].map((name) => `test/host/${name}.ts`),
);
