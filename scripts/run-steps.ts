import { resolve } from 'node:path';
import { interruption } from './counted-run.ts';
import { linePrefixer } from './line-prefixer.ts';
import { stepTable, type StepResult } from './step-table.ts';
import { countTests, type Runner } from './test-count.ts';
import { runWatched } from './watched-command.ts';

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the step's tests are counted; a step without a runner is one check. */
  readonly runner?: Runner;
}

// The compile cache of Node is shared by all processes.
const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node') };

/**
 * Runs all steps, even if one fails. The rounds run one after the other. A round's steps begin in
 * their order, as many at the same time as there are slots, so the longest are first. Each line of
 * the output starts with its step. Prints the failures again at the end, then a table of the steps,
 * then the sum: `N passed, M failed`.
 */
export async function runSteps(rounds: readonly (readonly Step[])[], slots: number): Promise<void> {
  const signal = interruption();
  const began = performance.now();
  const results: StepResult[] = [];
  const failures: string[] = [];

  const runStep = async ({ name, command, runner }: Step): Promise<void> => {
    if (signal.aborted) return;
    const say = linePrefixer(name, (text) => process.stdout.write(text));
    say('begins\n');
    const stepBegan = performance.now();
    const { code, output } = await runWatched(command, { signal, say, env });
    const result = { name, ...countTests(runner, code, output), ms: performance.now() - stepBegan };
    results.push(result);
    say(`\nends: ${result.passed} passed, ${result.failed} failed\n`);
    if (result.failed) {
      const from = Math.max(0, output.lastIndexOf('✖ failing tests:'));
      failures.push(`== ${name}\n${output.slice(from)}\n`);
    }
  };

  for (const steps of rounds) {
    const waiting = [...steps];
    const work = async (): Promise<void> => {
      for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step);
    };
    await Promise.all(Array.from({ length: slots }, work));
  }
  if (signal.aborted) results.push({ name: 'interrupted', passed: 0, failed: 1, ms: 0 });
  const passed = results.reduce((sum, one) => sum + one.passed, 0);
  const failed = results.reduce((sum, one) => sum + one.failed, 0);
  const table = stepTable(results, performance.now() - began);
  console.log(`\n${failures.join('\n')}${table}\n\n${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
