/**
 * Tests what the service does when programs and the service itself are killed in every stage, and
 * when a disk is really full (which needs the right to mount one). Prints `N passed, M failed` at
 * the end.
 */
import { countedRun, runSuite } from './counted-run.ts';

const suites = [
  'service-process',
  'drain',
  'killed-service',
  'killed-edits',
  'killed-uploads',
  'open-uploads',
  'killed-programs',
  'full-disk',
].map((name) => `service/test/safety/${name}.suite.ts`);

await countedRun((signal) => runSuite(suites, {}, signal));
