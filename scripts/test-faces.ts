/** Framing by faces, with OpenCV and its cascades. Prints `N passed, M failed` at the end. */
import { countedRun, runSuite } from './counted-run.ts';

await countedRun((signal) => runSuite(['engine/test/faces/faces.suite.ts'], {}, signal));
