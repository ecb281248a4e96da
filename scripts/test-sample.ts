/**
 * The end-to-end test of the demo with the sample as `npm start` makes it, two minutes in full
 * size. Prints `N passed, M failed` at the end.
 */
import { countedRun, runSuite } from './counted-run.ts';

await countedRun((signal) => runSuite(['test/e2e/walk.test.ts'], { SAMPLE: 'whole' }, signal));
