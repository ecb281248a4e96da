/**
 * The name of an uploaded file, or the one at the end of a source's address, without its query,
 * which may hold a signature; `source.mp4` if there is none.
 */
export function sourceName(address: string, fileName: string | null = null): string {
  if (fileName !== null) return fitting(fileName);
  const last = new URL(address).pathname.split('/').at(-1)!;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Signs that stand for no text stay as they are.
  }
  return fitting(name);
}

const fitting = (name: string): string =>
  /^[^/\\]+\.[A-Za-z0-9]{2,5}$/.test(name) ? name : 'source.mp4';
