import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Path of an installed font. */
export async function fontPath(pattern: string): Promise<string> {
  const { stdout } = await promisify(execFile)('fc-match', ['-f', '%{file}', pattern]);
  return stdout;
}

/** An installed font with another name, as if it were not installed. Both have the same length. */
export async function renamedFont(pattern: string, from: string, to: string): Promise<Buffer> {
  const bytes = await readFile(await fontPath(pattern));
  for (const encode of [
    (text: string) => Buffer.from(text, 'latin1'),
    (text: string) => Buffer.from(text, 'utf16le').swap16(),
  ]) {
    const [old, fresh] = [encode(from), encode(to)];
    for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at)) fresh.copy(bytes, at);
  }
  return bytes;
}

/** A family that no machine has: DejaVu Serif in other words. */
export const brandFont = (): Promise<Buffer> =>
  renamedFont('DejaVu Serif:style=Book', 'DejaVu Serif', 'Marken Serif');
