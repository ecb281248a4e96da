/**
 * Runs the tests of the host's stores against their own Postgres and Redis servers, and D1 in
 * workerd. Prints `N passed, M failed` at the end.
 */
import { installMiniflare } from './miniflare.ts';
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { testWithServers } from './server-tests.ts';
import { suites } from './suites.ts';

await testWithServers([startPostgres, startRedis, installMiniflare], suites['stores']!.files);
