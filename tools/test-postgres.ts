/**
 * Runs the service's Postgres tests against a server of their own. Prints `N passed, M failed` at
 * the end.
 */
import { startPostgres } from './postgres-server.ts';
import { testWithServers } from './server-tests.ts';
import { suites } from './suites.ts';

await testWithServers([startPostgres], suites['postgres']!.files);
