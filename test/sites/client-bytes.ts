import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Scripts and style sheets of a built client, in bytes with brotli. */
export async function clientBytes(directories: readonly string[]): Promise<number> {
  let sum = 0;
  for (const directory of directories) {
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(m?js|css)$/.test(entry.name)) continue;
      sum += brotliCompressSync(await readFile(join(entry.parentPath, entry.name))).length;
    }
  }
  return sum;
}

/** Scripts and style sheets that a built page names, in bytes with brotli. */
export async function pageBytes(page: string): Promise<number> {
  const html = await readFile(page, 'utf8');
  let sum = 0;
  for (const [, path] of html.matchAll(/ (?:src|href)="([^":]+\.(?:m?js|css))"/g)) {
    sum += brotliCompressSync(await readFile(join(dirname(page), path!))).length;
  }
  return sum;
}
