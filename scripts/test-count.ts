export interface Count {
  passed: number;
  failed: number;
}

function last(output: string, pattern: RegExp): number | null {
  const found = [...output.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

const colours = /\u001b\[[0-9;]*m/g;

const sums = {
  node: [/^ℹ pass (\d+)$/gm, /^ℹ fail (\d+)$/gm],
  elements: [/^elements: (\d+) passed, \d+ failed$/gm, /^elements: \d+ passed, (\d+) failed$/gm],
  // A test command of this project.
  command: [/^(\d+) passed, \d+ failed$/gm, /^\d+ passed, (\d+) failed$/gm],
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
  const [passed, failed] = sums[runner].map((pattern) => last(text, pattern));
  const count = { passed: passed ?? 0, failed: failed ?? 0 };
  if (!count.failed && (code !== 0 || !count.passed)) count.failed = 1;
  return count;
}
