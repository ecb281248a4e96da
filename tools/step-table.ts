import type { Count } from './test-count.ts';

export interface StepResult extends Count {
  readonly name: string;
  readonly ms: number;
  /** Files of it that passed only when they were run again. */
  readonly flaky?: number;
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The steps in the order in which they ended, their sum, and the minutes of all together. */
export function stepTable(results: readonly StepResult[], ms: number): string {
  const sum = (of: (one: StepResult) => number): number =>
    results.reduce((all, one) => all + of(one), 0);
  const lines: (string | number)[][] = [
    ['step', 'passed', 'failed', 'flaky', 'minutes'],
    ...results.map((one) => [one.name, one.passed, one.failed, one.flaky ?? 0, minutes(one.ms)]),
    [
      'sum',
      sum((one) => one.passed),
      sum((one) => one.failed),
      sum((one) => one.flaky ?? 0),
      minutes(sum((one) => one.ms)),
    ],
    ['together', '', '', '', minutes(ms)],
  ];
  return lines
    .map(([name = '', ...cells]) =>
      [String(name).padEnd(12), ...cells.map((cell) => String(cell).padStart(8))].join(''),
    )
    .join('\n');
}
