import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  etag: string;
}

/** Every file that the pages load, by the name it is served under. */
const files: Readonly<Record<string, URL>> = {
  'player.css': new URL('./browser/player.css', import.meta.url),
  // Built by `npm run build`.
  'page.js': new URL('../../dist/pages/page.js', import.meta.url),
  // The package's single-file build: its other one is some hundred requests.
  'media-chrome.js': new URL('./iife/index.js', import.meta.resolve('media-chrome')),
};

async function read(name: string): Promise<Asset | null> {
  const path = Object.hasOwn(files, name) ? files[name] : undefined;
  if (path === undefined) return null;
  // A map is not served, so nothing must point at one.
  const text = (await readFile(path, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const bytes = new TextEncoder().encode(text);
  return {
    bytes,
    type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

const cache = new Map<string, Promise<Asset | null>>();

/** One of the pages' files; null for any other name. */
export function readAsset(name: string): Promise<Asset | null> {
  const known = cache.get(name);
  if (known) return known;
  if (!Object.hasOwn(files, name)) return Promise.resolve(null);
  const fresh = read(name);
  cache.set(name, fresh);
  fresh.catch(() => cache.delete(name));
  return fresh;
}
