import type { figuresOf } from './figures.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Prints the figures of a choice of clips in a line. */
export function printFigures(name: string, figures: ReturnType<typeof figuresOf>): void {
  const { lift, low, high } = figures;
  console.log(
    [
      `${name}: lift ${lift.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`,
      `leaning ${percent(figures.leaning)}`,
      `cut ${percent(figures.cut)}`,
      `answered ${percent(figures.answered)}`,
      `substance ${percent(figures.substance)}`,
      `alone ${percent(figures.alone)}`,
      `spread ${figures.spread.toFixed(2)}`,
    ].join(', '),
  );
}
