/**
 * Runs the service as on several machines: Postgres, PgBouncer, Swift with its S3 API, two API
 * processes behind nginx, and workers with separate disks. The tests start these themselves, as
 * they also stop them. The suite `chaos` brings random faults on them; `npm run test:cluster --
 * chaos` runs only that one. Prints `N passed, M failed` at the end.
 */
import { testWithServers } from './server-tests.ts';
import { suites } from './suites.ts';

await testWithServers([], suites['cluster']!.files);
