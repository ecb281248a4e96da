/**
 * The tests that use more footage and more rounds here than in `npm test`, and those that take too
 * long for it (`*.suite.ts`). Prints `N passed, M failed` at the end.
 */
import { countedRun, runSuite } from './counted-run.ts';

const files = [
  'engine/test/captions/captions-scripts.suite.ts',
  'engine/test/captions/hostile-text.test.ts',
  'engine/test/editing/edit-of.suite.ts',
  'engine/test/editing/edit-of.test.ts',
  'engine/test/editing/make-edit.test.ts',
  'engine/test/framing/saliency.test.ts',
  'engine/test/framing/source-captions.suite.ts',
  'engine/test/framing/sources.suite.ts',
  'engine/test/framing/speakers/read-talks.suite.ts',
  'engine/test/framing/webcams.suite.ts',
  'engine/test/moments/dense-words.test.ts',
  'engine/test/moments/moments.test.ts',
  'engine/test/moments/candidates.test.ts',
  'engine/test/program/new-ffmpeg.suite.ts',
  'engine/test/render/encoding.test.ts',
  'engine/test/render/loudness.test.ts',
  'engine/test/render/silences-chain.suite.ts',
  'engine/test/render/source-pictures.suite.ts',
  'engine/test/render/stretch.suite.ts',
  'engine/test/render/watermark-place.test.ts',
  'engine/test/safety/hostile-files.suite.ts',
  'engine/test/source/open-source.test.ts',
  'engine/test/words/spoken-talk.suite.ts',
  'service/test/commands/commands.suite.ts',
  'service/test/deletion/deletion.suite.ts',
  'service/test/http/operating.suite.ts',
  'service/test/http/own-clips.suite.ts',
  'service/test/http/random-edits.suite.ts',
  'service/test/jobs/fairness.suite.ts',
  'service/test/jobs/framing.suite.ts',
  'service/test/jobs/stretches.suite.ts',
  'service/test/pages/editor/editor.suite.ts',
  'service/test/pages/editor/killed-tab.suite.ts',
  'service/test/tasks/providers.suite.ts',
  'service/test/webhooks/service.suite.ts',
  'test/client/start-model.test.ts',
  'test/host/stores/store-processes.test.ts',
  'test/e2e/frameworks.suite.ts',
  'test/e2e/leftovers.suite.ts',
  'test/e2e/studio-docs.suite.ts',
  'test/e2e/tabs.test.ts',
];

await countedRun((signal) => runSuite(files, { TEST_LONG: '1' }, signal));
