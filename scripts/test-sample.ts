/** The walk through the demo on the sample as `npm start` makes it, two minutes in full size. Closes with `N passed, M failed`. */
import { countedRun, runSuite } from './counted-run.ts';

await countedRun((signal) => runSuite(['test/e2e/walk.test.ts'], { SAMPLE: 'whole' }, signal));
