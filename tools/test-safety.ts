/**
 * Tests what the service does when programs and the service itself are killed in every stage, and
 * when a disk is really full (which needs the right to mount one). Prints `N passed, M failed` at
 * the end.
 */
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { suites } from './suites.ts';

await countedRun((signal) => runSuite(chosenFiles(suites['safety']!.files), {}, signal));
