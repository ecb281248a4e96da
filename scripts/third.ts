/**
 * A third of the sites, which the hash of a commit chooses. The slow ones, with a type check, come
 * first, so that each third has as many of them.
 */
export function third(
  sites: readonly { readonly name: string; readonly types: boolean }[],
  hash: string,
): { readonly number: number; readonly names: string[] } {
  const ordered = sites.toSorted(
    (a, b) => Number(b.types) - Number(a.types) || (a.name < b.name ? -1 : 1),
  );
  const remainder = parseInt(hash.slice(0, 8), 16) % 3;
  const names = ordered.filter((_, index) => index % 3 === remainder).map(({ name }) => name);
  return { number: remainder + 1, names };
}
