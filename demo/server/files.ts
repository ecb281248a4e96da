import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
};

export interface SiteFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** True for a file with the hash of its content in its name. */
  readonly immutable: boolean;
}

/**
 * A built file of the site by the path of its URL; `/x/` is `/x/index.html`, or null.
 */
export async function readSiteFile(directory: string, pathname: string): Promise<SiteFile | null> {
  let path: string;
  try {
    path = normalize(decodeURIComponent(pathname));
  } catch {
    return null;
  }
  if (path.includes('\0') || path.split(sep).includes('..')) return null;
  if (path.endsWith('/')) path += 'index.html';
  const type = types[extname(path)];
  if (!type) return null;
  try {
    const bytes = new Uint8Array(await readFile(join(directory, path)));
    return { bytes, type, immutable: path.startsWith('/assets/') };
  } catch {
    return null;
  }
}
