/** Framing by faces, where OpenCV and its cascades are installed. Closes with `N passed, M failed`. */
import { countedRun, runSuite } from './counted-run.ts';

await countedRun((signal) => runSuite(['engine/test/faces/faces.suite.ts'], {}, signal));
