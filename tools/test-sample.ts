/**
 * The end-to-end tests of the demo with the sample as `npm start` makes it, two minutes in full
 * size, and of its gallery. Prints `N passed, M failed` at the end.
 */
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { suites } from './suites.ts';

await countedRun((signal) =>
  runSuite(chosenFiles(suites['sample']!.files), { SAMPLE: 'whole' }, signal),
);
