/**
 * The README's test command, after the set-up: every check that needs no further server, browser or language. Runs all
 * steps even where one fails, and closes with the sum: `N passed, M failed`.
 */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { countTests, type Count } from './test-count.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the step's tests are counted; a step without a count is one check. */
  readonly runner?: 'node' | 'elements';
  /** The step beside which it runs, to be shown after it: one long story that leaves half of the machine idle. */
  readonly beside?: string;
}

const node = process.execPath;
const npm = (script: string): string[] => ['npm', 'run', '--silent', script];
const tests = (concurrency: number, ...globs: string[]): string[] => [
  node,
  '--test',
  '--test-reporter=spec',
  `--test-concurrency=${concurrency}`,
  ...globs,
];

const every = availableParallelism();

const steps: readonly Step[] = [
  // First of all: the service and the demo take the kit's types from what is built.
  { name: 'build', command: npm('build') },
  { name: 'types', command: npm('typecheck') },
  { name: 'lint', command: npm('lint') },
  { name: 'bytes', command: npm('size') },
  {
    name: 'kit',
    command: tests(
      every,
      'test/{bench,client,contract,define,docs,flow,host,host-check,locales,package,scripts}/**/*.test.ts',
    ),
    runner: 'node',
  },
  { name: 'elements', command: npm('test:elements'), runner: 'elements' },
  // The suite against a Postgres server is no *.test.ts, and so not among them.
  { name: 'service', command: tests(every, 'service/test/**/*.test.ts'), runner: 'node' },
  {
    name: 'demo',
    command: tests(every, 'demo/test/**/*.test.ts', 'test/e2e/**/*.test.ts'),
    runner: 'node',
    beside: 'service',
  },
];

interface Done {
  code: number;
  output: string;
  /** Seconds that it took. */
  seconds: number;
}

/** @param shown whether its output is written as it comes */
const run = (step: Step, shown = true): Promise<Done> =>
  new Promise((resolve) => {
    const began = performance.now();
    const end = (code: number, text: string) =>
      resolve({ code, output: text, seconds: (performance.now() - began) / 1000 });
    const [command = '', ...args] = step.command;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (shown) process.stdout.write(text);
      });
    }
    child.on('error', (error) => end(1, error.message));
    child.on('close', (code) => end(code ?? 1, output));
  });

/** The manifest is generated; a change of the sources that it does not show is a failure. */
const manifestDrift = async (): Promise<boolean> => {
  const before = await readFile('custom-elements.json', 'utf8');
  const { code } = await run({ name: 'manifest', command: npm('manifest') });
  const after = await readFile('custom-elements.json', 'utf8');
  if (before === after) return code !== 0;
  await writeFile('custom-elements.json', before);
  console.error('custom-elements.json is not what the sources say: run `npm run manifest`.');
  return true;
};

const only = process.argv.slice(2);
const sum: Count = { passed: 0, failed: 0 };
const lines: string[] = [];
const add = (name: string, count: Count, seconds: number): void => {
  sum.passed += count.passed;
  sum.failed += count.failed;
  lines.push(`${name}: ${count.passed} passed, ${count.failed} failed (${seconds.toFixed(1)} s)`);
};

const wanted = steps.filter(({ name }) => !only.length || only.includes(name));
const begun = new Map<Step, Promise<Done>>();
for (const step of wanted) {
  for (const other of wanted) {
    if (other.beside === step.name) begun.set(other, run(other, false));
  }
  console.log(`\n== ${step.name}`);
  const { code, output, seconds } = await (begun.get(step) ?? run(step));
  if (begun.has(step)) console.log(output);
  add(step.name, countTests(step.runner, code, output), seconds);
}
if (!only.length || only.includes('manifest')) {
  console.log('\n== manifest');
  const began = performance.now();
  const drift = await manifestDrift();
  const seconds = (performance.now() - began) / 1000;
  add('manifest', { passed: drift ? 0 : 1, failed: drift ? 1 : 0 }, seconds);
}
console.log(`\n${lines.join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
