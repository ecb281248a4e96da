/**
 * The README's test command, after the setup: every check that needs no other server, browser or
 * language.
 */
import { runSteps, type Step } from './run-steps.ts';

const node = process.execPath;
const npm = (script: string): string[] => ['npm', 'run', '--silent', script];
const tests = (...globs: string[]): string[] => [node, '--test', '--test-reporter=spec', ...globs];
/** Files that wait for the jobs of a service: two at a time. */
const waiting = (...globs: string[]): string[] => tests('--test-concurrency=2', ...globs);
/** Files that leave nothing behind in their process: to start one for each takes longer. */
const inOneProcess = (...globs: string[]): string[] => tests('--test-isolation=none', ...globs);

/** `named`: the step only runs when it is named: `npm run check` names these. */
const rounds: readonly (readonly (Step & { readonly named?: true })[])[] = [
  [
    // First: the service and the demo use the code and types of the built kit.
    { name: 'build', command: npm('build') },
    { name: 'footage', command: [node, 'test/support/prepare.ts'] },
  ],
  [{ name: 'pages', command: npm('build:demo') }],
  [
    // The longest first.
    { name: 'elements', command: npm('test:elements'), runner: 'elements' },
    // Suites that need a server are not named *.test.ts.
    {
      name: 'service',
      command: waiting('service/test/*.test.ts', 'service/test/!(pages|http|api)/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'player',
      command: waiting('service/test/{pages,http}/**/*.test.ts'),
      runner: 'node',
    },
    // Beside the others: it often waits for the jobs of its own service.
    { name: 'api', command: tests('service/test/api/**/*.test.ts'), runner: 'node' },
    {
      name: 'demo',
      command: tests('test/e2e/**/*.test.ts', 'demo/test/**/*.test.ts', 'mcp/test/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'pictures',
      command: inOneProcess('engine/test/{captions,render,safety}/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'engine',
      command: inOneProcess('engine/test/!(captions|render|safety)/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'kit',
      command: tests(
        'test/{bench,client,contract,define,docs,flow,locales,package,scripts}/**/*.test.ts',
      ),
      runner: 'node',
    },
    { name: 'host', command: inOneProcess('test/{host,host-check}/**/*.test.ts'), runner: 'node' },
    { name: 'manifest', command: [node, 'scripts/check-manifest.ts'] },
    { name: 'bytes', command: npm('size') },
    { name: 'lint', command: npm('lint'), named: true },
    { name: 'types', command: npm('typecheck'), named: true },
  ],
];

// Node's test runner leaves one processor free, and tests wait now and then for what a browser
// draws or for a hold to end: five steps keep two processors busy.
const slots = 5;

const only = process.argv.slice(2);
await runSteps(
  rounds.map((steps) =>
    steps.filter(({ name, named }) => (only.length ? only.includes(name) : !named)),
  ),
  slots,
);
