export interface Count {
  passed: number;
  failed: number;
}

const last = (output: string, pattern: RegExp): number =>
  Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);

const colours = /\u001b\[[0-9;]*m/g;

const sums = {
  // A test that waits for what never comes is cancelled, and has not passed.
  node: { passed: [/^ℹ pass (\d+)$/gm], failed: [/^ℹ fail (\d+)$/gm, /^ℹ cancelled (\d+)$/gm] },
  elements: {
    passed: [/^elements: (\d+) passed, \d+ failed$/gm],
    failed: [/^elements: \d+ passed, (\d+) failed$/gm],
  },
  // A test command of this project.
  command: {
    passed: [/^(\d+) passed, \d+ failed$/gm],
    failed: [/^\d+ passed, (\d+) failed$/gm],
  },
} as const;

/** Whose output is counted. */
export type Runner = keyof typeof sums;

/**
 * How many tests of a step passed and failed, read from its runner's output. A runner that failed
 * without a failed test, or that ran none, counts as one failure; a step without a runner is one
 * check.
 */
export function countTests(runner: Runner | undefined, code: number, output: string): Count {
  if (!runner) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const text = output.replace(colours, '');
  const sum = (patterns: readonly RegExp[]): number =>
    patterns.reduce((all, pattern) => all + last(text, pattern), 0);
  const count = { passed: sum(sums[runner].passed), failed: sum(sums[runner].failed) };
  if (!count.failed && (code !== 0 || !count.passed)) count.failed = 1;
  return count;
}
