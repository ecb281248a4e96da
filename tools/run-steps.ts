import { resolve } from 'node:path';
import { interruption } from './counted-run.ts';
import { noteCommand, type MeasuredFile } from './failure-log.ts';
import { linePrefixer } from './line-prefixer.ts';
import { flakyLines, startLog } from './second-try.ts';
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
 * the output starts with its step. A failed file is run again at the end, alone. Prints the
 * failures again, then a table of the steps, the files that passed only at the second try, and the
 * sum: `N passed, M failed`. Returns the steps, and how long each file of their tests took.
 */
export async function runSteps(
  rounds: readonly (readonly Step[])[],
  slots: number,
): Promise<{ results: readonly StepResult[]; files: readonly MeasuredFile[] }> {
  const log = startLog();
  noteCommand();
  const signal = interruption();
  const began = performance.now();
  const results: StepResult[] = [];
  const failures: string[] = [];

  const runStep = async ({ name, command, runner }: Step): Promise<void> => {
    if (signal.aborted) return;
    const say = linePrefixer(name, (text) => process.stdout.write(text));
    say('begins\n');
    const stepBegan = performance.now();
    const { code, output } = await runWatched(command, {
      signal,
      say,
      env: log ? { ...env, TEST_STEP: name } : env,
    });
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
  const flaky = log && !signal.aborted ? await log.secondTry(signal) : [];
  for (const [at, result] of results.entries()) {
    const again = flaky.filter(({ step }) => step === result.name);
    const tests = Math.min(
      again.reduce((sum, one) => sum + one.tests, 0),
      result.failed,
    );
    const { passed, failed } = result;
    results[at] = {
      ...result,
      passed: passed + tests,
      failed: failed - tests,
      flaky: again.length,
    };
  }
  if (signal.aborted) results.push({ name: 'interrupted', passed: 0, failed: 1, ms: 0 });
  const passed = results.reduce((sum, one) => sum + one.passed, 0);
  const failed = results.reduce((sum, one) => sum + one.failed, 0);
  const table = stepTable(results, performance.now() - began);
  console.log(
    `\n${failures.join('\n')}${table}\n\n${flakyLines(flaky)}${passed} passed, ${failed} failed`,
  );
  process.exitCode = failed ? 1 : 0;
  return { results, files: log?.files() ?? [] };
}
