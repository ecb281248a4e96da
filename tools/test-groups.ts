/** The groups of tests that `tools/test.ts` runs, each under the name of an `npm run test:NAME`. */
import { globSync, readFileSync } from 'node:fs';
import { installMiniflare } from './miniflare.ts';
import type { OwnServer } from './own-server.ts';
import { startPostgres } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';
import { startSwift } from './swift-server.ts';
import { startWebKit } from './webkit.ts';

/** Starts a server with its data in an empty directory, which is removed afterwards. */
type StartServer = (directory: string, signal: AbortSignal) => Promise<OwnServer>;

export interface Group {
  /** A command that is one check. */
  readonly command?: readonly string[];
  /** Globs of files for Node's test runner. */
  readonly files?: readonly string[];
  /**
   * The files leave nothing behind in their process: to start one for each takes longer. The
   * process ends with the last test, whatever a test has left open.
   */
  readonly inOneProcess?: true;
  /** Globs of files for the runner of `web-test-runner.config.mjs`. */
  readonly elements?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly servers?: readonly StartServer[];
  /** The most that a test may take, with all tests in it. By default 20 minutes. */
  readonly minutes?: number;
  /** Files that `.ci/run` runs; by default none, but for the groups of `npm test` all. */
  readonly inCi?: readonly string[];
}

const runNpm = (script: string): readonly string[] => ['npm', 'run', '--silent', script];

/** The first two make what the others use: the built kit, and fixtures of many files. */
export const builds: Readonly<Record<string, Group>> = {
  build: { command: runNpm('build') },
  footage: { command: [process.execPath, 'test/support/prepare.ts'] },
  pages: { command: runNpm('build:demo') },
};

/** `npm test`, the longest first. Suites that need more are not named `*.test.ts`. */
export const quick: Readonly<Record<string, Group>> = {
  elements: { elements: ['test/elements/**/*.test.ts', 'test/define/**/*.browser.test.ts'] },
  // Most open a database: in one process its program is compiled once.
  service: { files: ['packages/service/test/!(api)/**/*.test.ts'], inOneProcess: true },
  // In one process: one browser.
  player: { files: ['packages/player/test/**/*.test.ts'], inOneProcess: true },
  // Beside the others: it often waits for the jobs of its own service.
  api: { files: ['packages/service/test/api/**/*.test.ts'], inOneProcess: true },
  demo: {
    files: ['test/e2e/**/*.test.ts', 'demo/test/**/*.test.ts', 'packages/mcp/test/**/*.test.ts'],
  },
  pictures: {
    files: ['packages/engine/test/{captions,render,safety}/**/*.test.ts'],
    inOneProcess: true,
  },
  engine: {
    files: ['packages/engine/test/!(captions|render|safety)/**/*.test.ts'],
    inOneProcess: true,
  },
  client: { files: ['test/client/**/*.test.ts'] },
  kit: { files: ['test/{docs,package}/**/*.test.ts'], inOneProcess: true },
  rules: {
    files: ['test/{bench,contract,define,flow,locales,tools}/**/*.test.ts'],
    inOneProcess: true,
  },
  host: { files: ['packages/host/test/**/*.test.ts'], inOneProcess: true },
  manifest: { command: [process.execPath, 'tools/check-manifest.ts'] },
  bytes: { command: runNpm('size') },
};

export const checks: Readonly<Record<string, Group>> = {
  lint: { command: runNpm('lint') },
  types: { command: runNpm('typecheck') },
};

/** Tests that do more if {@link long} runs them. */
const longerTests = globSync('{packages/*/,}test/**/*.test.ts', {
  exclude: ['**/node_modules/**'],
}).filter((file) => readFileSync(file, 'utf8').includes('clip-testkit/long-run'));

const playerPages = [
  'packages/player/test/{one-click,preview-stream,editor/other-engines}.suite.ts',
  'test/e2e/signed-sites.suite.ts',
];
/** Tests of what differs between browsers: frames, locks, storage, policies, focus. */
const inOtherBrowsers = ['clip-preview', 'one-paid-start', 'strict-policy', 'focus', 'one-click'];

/** Suites that need more than `npm test`: time, servers, browsers, languages. */
export const suites: Readonly<Record<string, Group>> = {
  long: {
    files: [
      'packages/{engine,mcp,player}/test/**/*.suite.ts',
      'packages/service/test/!(cluster|postgres|safety|storage)/**/*.suite.ts',
      'test/e2e/!(newcomer|printed-commands).suite.ts',
      ...longerTests,
    ],
    env: { TEST_LONG: '1' },
    inCi: ['main', 'loudness', 'killed-tab', 'edited-clip', 'tracing', 'hostile-files'],
  },
  sites: {
    files: ['test/sites/sites.suite.ts'],
    minutes: 90,
    inCi: ['sites'],
  },
  cluster: {
    files: ['packages/service/test/cluster/*.suite.ts'],
    minutes: 90,
    inCi: ['whole'],
  },
  postgres: {
    files: [
      'packages/service/test/postgres/*.suite.ts',
      'packages/service/test/api/appearance.test.ts',
    ],
    servers: [startPostgres],
    inCi: ['postgres', 'killed-worker', 'rights'],
  },
  safety: { files: ['packages/service/test/safety/*.suite.ts'], inCi: ['killed-service'] },
  firefox: {
    elements: quick['elements']!.elements!,
    files: playerPages,
    env: { TEST_BROWSER: 'firefox' },
    inCi: inOtherBrowsers,
  },
  webkit: {
    elements: quick['elements']!.elements!,
    files: playerPages,
    env: { TEST_BROWSER: 'webkit' },
    servers: [startWebKit],
    inCi: inOtherBrowsers,
  },
  frameworks: {
    files: ['test/frameworks/frameworks.suite.ts'],
    inCi: ['frameworks'],
  },
  docs: {
    files: ['test/docs/docs-site.suite.ts'],
  },
  stores: {
    files: ['packages/host/test/stores/store-*.ts'],
    servers: [startPostgres, startRedis, installMiniflare],
    inCi: ['store-servers'],
  },
  s3: {
    files: ['packages/service/test/storage/*.suite.ts'],
    servers: [startSwift],
    inCi: ['s3'],
  },
  runtimes: {
    files: ['test/runtimes/runtimes.suite.ts'],
    inCi: ['runtimes'],
  },
  wordpress: {
    files: ['test/wordpress/*.suite.ts'],
    inCi: ['wordpress'],
  },
  'sign-in': {
    files: ['test/sign-in/sign-in.suite.ts'],
    inCi: ['sign-in'],
  },
};
