export interface Count {
  passed: number;
  failed: number;
}

function last(output: string, pattern: RegExp): number | null {
  const found = [...output.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

const colours = /\u001b\[[0-9;]*m/g;

/**
 * How many tests of a step passed and failed, read from its runner's output. A runner that failed
 * without a failed test, or that ran none, counts as one failure; a step without a runner is one
 * check.
 */
export function countTests(
  runner: 'node' | 'elements' | undefined,
  code: number,
  output: string,
): Count {
  if (!runner) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const text = output.replace(colours, '');
  const [passed, failed] =
    runner === 'node'
      ? [last(text, /^ℹ pass (\d+)$/gm), last(text, /^ℹ fail (\d+)$/gm)]
      : [
          last(text, /^elements: (\d+) passed, \d+ failed$/gm),
          last(text, /^elements: \d+ passed, (\d+) failed$/gm),
        ];
  const count = { passed: passed ?? 0, failed: failed ?? 0 };
  if (!count.failed && (code !== 0 || !count.passed)) count.failed = 1;
  return count;
}
