/**
 * The tests that use more footage and more rounds here than in `npm test`. Prints `N passed, M
 * failed` at the end.
 */
import { countedRun, runSuite } from './counted-run.ts';

const files = [
  'engine/test/captions/hostile-text.test.ts',
  'engine/test/framing/sources.test.ts',
  'engine/test/moments/dense-words.test.ts',
  'engine/test/moments/moments.test.ts',
  'engine/test/moments/candidates.test.ts',
  'engine/test/render/silences-chain.test.ts',
  'engine/test/render/watermark-place.test.ts',
  'test/client/start-model.test.ts',
  'test/e2e/leftovers.test.ts',
  'test/e2e/tabs.test.ts',
];

await countedRun((signal) => runSuite(files, { TEST_LONG: '1' }, signal));
