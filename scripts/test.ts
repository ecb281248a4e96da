/**
 * The README's test command, after the setup: every check that needs no other server, browser or
 * language. Runs all steps even if one fails, and prints the sum at the end: `N passed, M failed`.
 */
import { availableParallelism } from 'node:os';
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
}

const node = process.execPath;
const npm = (script: string): string[] => ['npm', 'run', '--silent', script];
const vite = 'node_modules/vite/bin/vite.js';
const tests = (concurrency: number, ...globs: string[]): string[] => [
  node,
  '--test',
  '--test-reporter=spec',
  `--test-concurrency=${concurrency}`,
  ...globs,
];
const every = availableParallelism();

/**
 * The rounds run one after the other. The lanes of a round run in parallel, each with its steps in
 * order.
 */
const rounds: readonly (readonly (readonly Step[])[])[] = [
  [
    // First: the service and the demo use the code and types of the built kit.
    [
      { name: 'build', command: npm('build') },
      {
        name: 'pages',
        command: [node, vite, 'build', '--logLevel', 'error', '--config', 'demo/vite.config.ts'],
      },
    ],
    [{ name: 'footage', command: [node, 'test/support/prepare.ts'] }],
  ],
  [
    // Lanes of about the same length. Each waits now and then for what a browser draws or for a
    // hold to end, so three of them keep two processors busy. Suites that need a server are not
    // named *.test.ts.
    [
      {
        name: 'demo',
        command: tests(1, 'test/e2e/**/*.test.ts', 'demo/test/**/*.test.ts'),
        runner: 'node',
      },
      { name: 'types', command: npm('typecheck') },
    ],
    [
      { name: 'service', command: tests(every, 'service/test/**/*.test.ts'), runner: 'node' },
      { name: 'kit', command: npm('test:unit'), runner: 'node' },
      { name: 'bytes', command: npm('size') },
      { name: 'manifest', command: [node, 'scripts/check-manifest.ts'] },
    ],
    [
      { name: 'engine', command: tests(every, 'engine/test/**/*.test.ts'), runner: 'node' },
      { name: 'elements', command: npm('test:elements'), runner: 'elements' },
      { name: 'lint', command: npm('lint') },
    ],
  ],
];

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
for (const lanes of rounds) {
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) {
        if (!only.length || only.includes(step.name)) await runStep(step);
      }
    }),
  );
}
if (signal.aborted) {
  sum.failed += 1;
  lines.push('interrupted');
}
console.log(
  `\n${[...failures, lines.join('\n')].join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`,
);
process.exitCode = sum.failed ? 1 : 0;
