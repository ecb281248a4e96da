import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { languages } from './locales/languages.ts';

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  etag: string;
}

/** Written by `npm run build`: the script and its languages. */
const built = new URL('../../dist/pages/', import.meta.url);

const files: ReadonlyMap<string, URL> = new Map([
  ['player.css', new URL('./browser/player.css', import.meta.url)],
  ['page.js', new URL('page.js', built)],
  ...languages
    .filter((language) => language !== 'en')
    .map((language) => [`${language}.js`, new URL(`${language}.js`, built)] as const),
]);

async function read(name: string, path: URL): Promise<Asset> {
  const bytes = new Uint8Array(await readFile(path));
  return {
    bytes,
    type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

const cache = new Map<string, Promise<Asset>>();

/** One of the pages' files; null for any other name. */
export async function readAsset(name: string): Promise<Asset | null> {
  const path = files.get(name);
  if (!path) return null;
  const known = cache.get(name);
  if (known) return known;
  const fresh = read(name, path);
  cache.set(name, fresh);
  fresh.catch(() => cache.delete(name));
  return fresh;
}
