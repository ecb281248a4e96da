import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
