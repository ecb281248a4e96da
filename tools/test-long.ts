/**
 * The tests that use more footage and more rounds here than in `npm test`, and those that take too
 * long for it (`*.suite.ts`). Prints `N passed, M failed` at the end.
 */
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { suites } from './suites.ts';

await countedRun((signal) =>
  runSuite(chosenFiles(suites['long']!.files), { TEST_LONG: '1' }, signal),
);
