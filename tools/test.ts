/**
 * The README's test command, after the setup: every check that needs no other server, browser or
 * language. With names of steps only these; with files of tests only these, for example
 * `node tools/test.ts --repeat 20 test/elements/focus.test.ts`, which runs a file twenty times
 * while something else keeps all processors busy, and stops at the first failure.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { countedRun, nodeTests, runSuite, runTests } from './counted-run.ts';
import { runSteps, type Step } from './run-steps.ts';
import type { Count } from './test-count.ts';

const node = process.execPath;
const npm = (script: string): string[] => ['npm', 'run', '--silent', script];
const tests = (...args: string[]): string[] => [...nodeTests, ...args];
/**
 * Files that leave nothing behind in their process: to start one for each takes longer. The process
 * ends with the last test, whatever a test has left open.
 */
const inOneProcess = (...globs: string[]): string[] =>
  tests('--test-isolation=none', '--test-force-exit', ...globs);

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
      // Most open a database: in one process its program is compiled once.
      name: 'service',
      command: inOneProcess('packages/service/test/!(api)/**/*.test.ts'),
      runner: 'node',
    },
    {
      // In one process: one browser.
      name: 'player',
      command: inOneProcess('packages/player/test/**/*.test.ts'),
      runner: 'node',
    },
    // Beside the others: it often waits for the jobs of its own service.
    {
      name: 'api',
      command: inOneProcess('packages/service/test/api/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'demo',
      command: tests(
        'test/e2e/**/*.test.ts',
        'demo/test/**/*.test.ts',
        'packages/mcp/test/**/*.test.ts',
      ),
      runner: 'node',
    },
    {
      name: 'pictures',
      command: inOneProcess('packages/engine/test/{captions,render,safety}/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'engine',
      command: inOneProcess('packages/engine/test/!(captions|render|safety)/**/*.test.ts'),
      runner: 'node',
    },
    { name: 'client', command: tests('test/client/**/*.test.ts'), runner: 'node' },
    { name: 'kit', command: inOneProcess('test/{docs,package}/**/*.test.ts'), runner: 'node' },
    {
      name: 'rules',
      command: inOneProcess('test/{contract,define,flow,locales,research,tools}/**/*.test.ts'),
      runner: 'node',
    },
    { name: 'host', command: inOneProcess('packages/host/test/**/*.test.ts'), runner: 'node' },
    { name: 'manifest', command: [node, 'tools/check-manifest.ts'] },
    { name: 'bytes', command: npm('size') },
    { name: 'lint', command: npm('lint'), named: true },
    { name: 'types', command: npm('typecheck'), named: true },
  ],
];

// Node's test runner leaves one processor free, and tests wait now and then for what a browser
// draws or for a hold to end: five steps keep two processors busy.
const slots = 5;

/** Runs the files, each with the runner that it is written for. */
async function runFiles(files: readonly string[], signal: AbortSignal): Promise<Count> {
  const inBrowser = (file: string): boolean => /^test\/elements\/|\.browser\.test\.ts$/.test(file);
  const elements = files.filter(inBrowser).flatMap((file) => ['--files', file]);
  const others = files.filter((file) => !inBrowser(file));
  const sum: Count = { passed: 0, failed: 0 };
  const add = ({ passed, failed }: Count): void => {
    sum.passed += passed;
    sum.failed += failed;
  };
  const wtr = [node, 'node_modules/@web/test-runner/dist/bin.js', ...elements];
  if (elements.length) add(await runTests({ runner: 'elements', command: wtr, signal }));
  if (others.length) add(await runSuite(others, {}, signal));
  return sum;
}

/** Runs the files again and again beside programs that keep all processors busy. */
async function repeat(
  times: number,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Count> {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(node, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    const sum: Count = { passed: 0, failed: 0 };
    for (let at = 1; at <= times && !sum.failed && !signal.aborted; at++) {
      console.log(`\nRound ${at} of ${times}`);
      const { passed, failed } = await runFiles(files, signal);
      sum.passed += passed;
      sum.failed += failed;
    }
    return sum;
  } finally {
    for (const program of busy) program.kill();
  }
}

// A page of the smaller browser takes a third less processor time. The other commands use the full
// one where it is there.
process.env['CHROME_PATH'] ||=
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'chromium-headless-shell'))
    .find(existsSync) ?? '';

const args = process.argv.slice(2);
if (args[0] === '--repeat') {
  // A second try would hide what this looks for.
  process.env['TEST_LOG'] = '/dev/null';
  await countedRun((signal) => repeat(Number(args[1]), args.slice(2), signal));
} else if (args.some((arg) => arg.endsWith('.ts'))) {
  await countedRun((signal) => runFiles(args, signal));
} else {
  await runSteps(
    rounds.map((steps) =>
      steps.filter(({ name, named }) => (args.length ? args.includes(name) : !named)),
    ),
    slots,
  );
}
