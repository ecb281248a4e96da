/**
 * What the service does when programs and the service itself are killed in every stage, and when a disk is really full (which
 * takes the right to mount one). Closes with `N passed, M failed`.
 */
import { countedRun, runSuite } from './counted-run.ts';

const suites = ['killed-service', 'killed-programs', 'full-disk'].map(
  (name) => `service/test/safety/${name}.suite.ts`,
);

await countedRun((signal) => runSuite(suites, {}, signal));
