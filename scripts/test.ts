/**
 * The README's test command, after the setup: every check that needs no other server, browser or
 * language. Runs all steps even if one fails, and prints the sum at the end: `N passed, M failed`.
 */
import { resolve } from 'node:path';
import { interruption } from './counted-run.ts';
import { linePrefixer } from './line-prefixer.ts';
import { countTests, type Count } from './test-count.ts';
import { runWatched } from './watched-command.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the step's tests are counted; a step without a count is one check. */
  readonly runner?: 'node' | 'elements';
  /** Whether it only runs when it is named: `npm run check` names these. */
  readonly named?: true;
}

const node = process.execPath;
const npm = (script: string): string[] => ['npm', 'run', '--silent', script];
const vite = 'node_modules/vite/bin/vite.js';
const tests = (...globs: string[]): string[] => [node, '--test', '--test-reporter=spec', ...globs];
/** Files that leave nothing behind in their process: to start one for each takes longer. */
const inOneProcess = (...globs: string[]): string[] => tests('--test-isolation=none', ...globs);

/**
 * The rounds run one after the other. A round's steps begin in this order, as many at the same time
 * as there are slots, so the longest are first.
 */
const rounds: readonly (readonly Step[])[] = [
  [
    // First: the service and the demo use the code and types of the built kit.
    { name: 'build', command: npm('build') },
    { name: 'footage', command: [node, 'test/support/prepare.ts'] },
  ],
  [
    {
      name: 'pages',
      command: [node, vite, 'build', '--logLevel', 'error', '--config', 'demo/vite.config.ts'],
    },
  ],
  [
    // Suites that need a server are not named *.test.ts.
    {
      name: 'service',
      command: tests('service/test/*.test.ts', 'service/test/!(pages|http|api)/**/*.test.ts'),
      runner: 'node',
    },
    // Beside the others: it often waits for the jobs of its own service.
    { name: 'api', command: tests('service/test/api/**/*.test.ts'), runner: 'node' },
    {
      name: 'demo',
      command: tests('test/e2e/**/*.test.ts', 'demo/test/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'pictures',
      command: inOneProcess('engine/test/{captions,render,safety}/**/*.test.ts'),
      runner: 'node',
    },
    {
      name: 'player',
      command: tests('service/test/{pages,http}/**/*.test.ts'),
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
    { name: 'elements', command: npm('test:elements'), runner: 'elements' },
    { name: 'manifest', command: [node, 'scripts/check-manifest.ts'] },
    { name: 'bytes', command: npm('size') },
    { name: 'lint', command: npm('lint'), named: true },
    { name: 'types', command: npm('typecheck'), named: true },
  ],
];

// Node's test runner leaves one processor free, and tests wait now and then for what a browser
// draws or for a hold to end: five steps keep two processors busy.
const slots = 5;

// The compile cache of Node is shared by all processes.
const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node') };

const signal = interruption();
const sum: Count = { passed: 0, failed: 0 };
const lines: string[] = [];
const failures: string[] = [];

async function runStep({ name, command, runner }: Step): Promise<void> {
  if (signal.aborted) return;
  const say = linePrefixer(name, (text) => process.stdout.write(text));
  say('begins\n');
  const began = performance.now();
  const { code, output } = await runWatched(command, { signal, say, env });
  const { passed, failed } = countTests(runner, code, output);
  sum.passed += passed;
  sum.failed += failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const line = `${name}: ${passed} passed, ${failed} failed (${seconds} s)`;
  say(`\n${line}\n`);
  lines.push(line);
  if (failed)
    failures.push(
      `== ${name}\n${output.slice(Math.max(0, output.lastIndexOf('✖ failing tests:')))}`,
    );
}

const only = process.argv.slice(2);
for (const steps of rounds) {
  const waiting = steps.filter(({ name, named }) => (only.length ? only.includes(name) : !named));
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step);
  };
  await Promise.all(Array.from({ length: slots }, work));
}
if (signal.aborted) {
  sum.failed += 1;
  lines.push('interrupted');
}
console.log(
  `\n${[...failures, lines.join('\n')].join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`,
);
process.exitCode = sum.failed ? 1 : 0;
