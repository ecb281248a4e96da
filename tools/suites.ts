import { readdirSync } from 'node:fs';
import { engineDifferences } from './engine-differences.ts';

const named = (directory: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${directory}/${name}.suite.ts`);

const differences = Object.keys(engineDifferences).map((name) => `test/elements/${name}.test.ts`);
const pages = [
  ...named('packages/player/test', 'one-click', 'preview-stream', 'editor/other-engines'),
  ...named('test/e2e', 'signed-sites'),
];

/** A test command beside `npm test`: `npm run test:NAME`, `tools/test-NAME.ts`. */
export interface Suite {
  readonly files: readonly string[];
  /** What its tests run without importing it: the beginnings of paths. */
  readonly runs: readonly string[];
  /** The arguments before the names of files. */
  readonly script?: readonly string[];
}

const service = [
  'packages/service/src/',
  'packages/player/src/',
  'packages/engine/src/',
  'packages/engine/presets/',
];

/** The longest first. */
export const suites: Readonly<Record<string, Suite>> = {
  long: {
    files: [
      'packages/engine/test/captions/captions-scripts.suite.ts',
      'packages/engine/test/captions/hostile-text.test.ts',
      'packages/engine/test/cli/main.suite.ts',
      'packages/engine/test/editing/make-edit.test.ts',
      'packages/engine/test/editing/first-picture.test.ts',
      'packages/engine/test/editing/analyse-framing.test.ts',
      'packages/engine/test/editing/make-inputs.test.ts',
      'packages/engine/test/framing/faces.test.ts',
      'packages/engine/test/framing/saliency.test.ts',
      'packages/engine/test/framing/source-captions.suite.ts',
      'packages/engine/test/framing/sources.suite.ts',
      'packages/engine/test/framing/speakers/analyse-speakers.suite.ts',
      'packages/engine/test/framing/text.suite.ts',
      'packages/engine/test/framing/webcams.suite.ts',
      'packages/engine/test/moments/candidates.test.ts',
      'packages/engine/test/moments/dense-words.suite.ts',
      'packages/engine/test/moments/moments.test.ts',
      'packages/engine/test/program/new-ffmpeg.suite.ts',
      'packages/engine/test/render/encoding.test.ts',
      'packages/engine/test/render/loudness.suite.ts',
      'packages/engine/test/render/poster.test.ts',
      'packages/engine/test/render/render.test.ts',
      'packages/engine/test/render/silences-chain.suite.ts',
      'packages/engine/test/render/source-segment.suite.ts',
      'packages/engine/test/render/watermark-place.suite.ts',
      'packages/engine/test/safety/hostile-files.suite.ts',
      'packages/engine/test/source/open-source.test.ts',
      'packages/engine/test/source/platform-link.suite.ts',
      'packages/engine/test/transcribers/speech-recognition.suite.ts',
      'packages/engine/test/words/spoken-talk.suite.ts',
      'packages/mcp/test/agent.suite.ts',
      'packages/service/test/operations/commands.suite.ts',
      'packages/service/test/tasks/deletion.suite.ts',
      'packages/service/test/operations/file-removal.test.ts',
      'packages/service/test/operations/operating.suite.ts',
      'packages/service/test/clips/own-clips.suite.ts',
      'packages/service/test/clips/player.suite.ts',
      'packages/service/test/tasks/task-list.suite.ts',
      'packages/service/test/edits/edited-clip.suite.ts',
      'packages/service/test/queue/fairness.suite.ts',
      'packages/service/test/queue/jobs.suite.ts',
      'packages/service/test/tasks/segments.suite.ts',
      'packages/service/test/operations/migrate.suite.ts',
      'packages/player/test/editor/editor.suite.ts',
      'packages/player/test/editor/killed-tab.suite.ts',
      'packages/player/test/editor/opening.suite.ts',
      'packages/player/test/framed.suite.ts',
      'packages/player/test/pages.test.ts',
      'packages/player/test/preview-stream.suite.ts',
      'packages/service/test/tasks/providers.suite.ts',
      'packages/service/test/operations/tracing.suite.ts',
      'packages/service/test/webhooks/service.suite.ts',
      'test/client/start-model.test.ts',
      'packages/host/test/stores/store-processes.test.ts',
      'test/e2e/frameworks.suite.ts',
      'test/e2e/leftovers.suite.ts',
      'test/e2e/quiet.suite.ts',
      'test/e2e/react-props.suite.ts',
      'test/e2e/recognition.suite.ts',
      'test/e2e/return.suite.ts',
      'test/e2e/signed-sites.suite.ts',
      'test/e2e/studio-docs.suite.ts',
      'test/e2e/tabs.test.ts',
      'test/package/tarball.test.ts',
    ],
    runs: [],
  },
  sites: {
    files: readdirSync('test/sites', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `test/sites/${name}/site.ts`),
    runs: ['src/', 'docs/start', 'docs/hosts', 'docs/sign-in', 'integrations/'],
  },
  cluster: {
    files: named('packages/service/test/cluster', 'whole', 'chaos', 'soak'),
    runs: service,
  },
  sample: {
    files: ['test/e2e/walk.test.ts', 'test/e2e/gallery.suite.ts'],
    runs: [...service, 'src/', 'demo/'],
  },
  postgres: {
    files: [
      'packages/service/test/api/appearance.test.ts',
      ...named(
        'packages/service/test/postgres',
        ...['postgres', 'stopped-worker', 'killed-worker', 'database-gone', 'held', 'long-queue'],
        ...['silent', 'deletion-races', 'clock', 'roles', 'uploads', 'versions', 'commands'],
        ...['connections', 'query-plans', 'restore', 'rights'],
      ),
    ],
    runs: service,
  },
  safety: {
    files: named(
      'packages/service/test/safety',
      ...['service-process', 'drain', 'killed-service', 'killed-edits', 'killed-uploads'],
      ...['open-uploads', 'killed-programs', 'full-disk'],
    ),
    runs: service,
  },
  firefox: {
    files: [...differences, ...pages],
    runs: ['src/', 'packages/player/src/'],
    script: ['tools/test-browser.ts', 'firefox'],
  },
  frameworks: { files: ['test/frameworks/frameworks.suite.ts'], runs: ['examples/', 'src/'] },
  docs: { files: ['test/docs/docs-site.suite.ts'], runs: ['docs/', 'tools/site/'] },
  webkit: {
    files: [...differences, ...pages],
    runs: ['src/', 'packages/player/src/'],
    script: ['tools/test-browser.ts', 'webkit'],
  },
  stores: {
    files: [
      'attempts/paid-starts.test',
      'stores/store-attempts.test',
      'stores/store-processes.test',
      'stores/store-servers.suite',
      'stores/store-tasks.test',
      'stores/store-users.test',
    ].map((name) => `packages/host/test/${name}.ts`),
    runs: [],
  },
  s3: {
    files: [...named('packages/service/test/storage', 's3', 's3-away', 'service-on-s3')],
    runs: service,
  },
  runtimes: {
    files: ['test/runtimes/runtimes.suite.ts'],
    runs: ['packages/host/src/', 'src/contract/'],
  },
  wordpress: {
    files: named('test/wordpress', 'wordpress', 'picker'),
    runs: ['integrations/', 'src/'],
  },
  'sign-in': {
    files: named('test/sign-in', 'sign-in'),
    runs: ['docs/sign-in', 'test/sign-in/', 'test/sites/', 'packages/host/sign-in'],
  },
};
