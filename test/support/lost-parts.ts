/**
 * More copies of the kit's sources, each below its own URL (`/lost/{name}/src/...`): modules that a
 * page has not loaded yet. The file in the URL (`/lost/{name}/{file}/{times}/src/...`) is not
 * answered for the first requests.
 */
const asked = new Map<string, number>();

const address = /^\/lost\/([\w-]+)\/([\w.-]+)\/(\d+)(\/.+)$/;

/** The path without the copy's part, and whether the request must fail; null for other requests. */
export function lostPart(path: string): { readonly path: string; readonly lost: boolean } | null {
  const found = address.exec(path);
  if (!found) return null;
  const [, name, file, times, rest] = found;
  const key = `${name}/${file}`;
  if (!rest!.endsWith(`/${file}`)) return { path: rest!, lost: false };
  const before = asked.get(key) ?? 0;
  asked.set(key, before + 1);
  return { path: rest!, lost: before < Number(times) };
}
