/**
 * The end-to-end tests of the demo with the sample as `npm start` makes it, two minutes in full
 * size, and of its gallery. Prints `N passed, M failed` at the end.
 */
import { countedRun, runSuite } from './counted-run.ts';

const files = ['test/e2e/walk.test.ts', 'test/e2e/gallery.suite.ts'];

await countedRun((signal) => runSuite(files, { SAMPLE: 'whole' }, signal));
