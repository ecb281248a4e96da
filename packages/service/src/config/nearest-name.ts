/** How many letters must be added, removed or replaced to turn one name into the other. */
function distance(from: string, to: string): number {
  let row = [...to, ''].map((_, at) => at);
  for (const [taken, letter] of [...from].entries()) {
    const next = [taken + 1];
    for (const [at, wanted] of [...to].entries()) {
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + Number(letter !== wanted)));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** The name that is most like the given one. */
export const nearestName = (name: string, known: readonly string[]): string | undefined =>
  known.toSorted((a, b) => distance(name, a) - distance(name, b))[0];
