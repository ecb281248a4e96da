/**
 * The file name at the end of a source's address, without its query, which may hold a signature;
 * `source.mp4` if the address ends in none.
 */
export function sourceName(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1)!;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Signs that stand for no text stay as they are.
  }
  return /^[^/\\]+\.[A-Za-z0-9]{2,5}$/.test(name) ? name : 'source.mp4';
}
