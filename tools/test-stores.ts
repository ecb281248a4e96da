/**
 * Runs the tests of the host's stores against their own Postgres and Redis servers. Prints `N
 * passed, M failed` at the end.
 */
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { testWithServers } from './server-tests.ts';
import { suites } from './suites.ts';

await testWithServers([startPostgres, startRedis], suites['stores']!.files);
