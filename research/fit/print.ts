import type { Claims } from './claims.ts';
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

/** Prints what the explanations claim, and each claim that is wrong. */
export function printClaims({ clips, titles, named, wrong, commonest }: Claims): void {
  const share = (count: number) => `${count} of ${clips}`;
  console.log(
    `  titles of their own words ${share(titles)}, explanations that name a topic ${share(named)}, wrong claims ${wrong.length}, commonest sentence ${percent(commonest)}`,
  );
  for (const claim of wrong) console.log(`    ${claim}`);
}
