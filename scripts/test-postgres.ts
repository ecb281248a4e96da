/** Runs the service's Postgres tests against a server of their own. Closes with `N passed, M failed`. */
import { startPostgres } from './postgres-server.ts';
import { testWithServers } from './server-tests.ts';

await testWithServers([startPostgres], ['service/test/postgres/postgres.suite.ts']);
