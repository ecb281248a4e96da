import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from './terminal.ts';

/** Like `mkdir` with `recursive`, which never ends for a folder that /proc rejects. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path).then(
    () => null,
    (error: unknown) => error as NodeJS.ErrnoException,
  );
  if (!made) return;
  if (made.code === 'EEXIST' && (await stat(path)).isDirectory()) return;
  const parent = dirname(path);
  const missing = await stat(parent).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
  if (made.code !== 'ENOENT' || !missing) throw made;
  await makeFolder(parent);
  await mkdir(path);
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'It is a file, not a folder.',
  ENOTDIR: 'A part of the path is a file, not a folder.',
  EACCES: 'You do not have permission.',
  EPERM: 'The system does not permit it.',
  EROFS: 'The disk is read-only.',
  ENOSPC: 'The disk is full.',
  ENAMETOOLONG: 'The name is too long.',
};

/** Makes a folder, and proves that files can be written to it. Throws {@link CommandError}. */
export async function makeWritableFolder(path: string): Promise<void> {
  const proof = join(path, `.clip-engine-${process.pid}`);
  try {
    await makeFolder(path);
    await (await open(proof, 'wx')).close();
    await rm(proof);
  } catch (cause) {
    const why = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    throw new CommandError(
      `The clips cannot be written to ${path}.${why ? ` ${why}` : ''} Name another folder with --out.`,
      { cause },
    );
  }
}

/** Maximum length of a title in a file name, in characters. */
const maxTitleLength = 60;

/**
 * The file name of a clip: its number and its title, such as `01-why-we-sleep.mp4`. Letters of all
 * scripts stay. Characters that are special in a shell or a file system become a dash.
 */
export function makeClipFileName(place: number, title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxTitleLength)
    .replace(/^-+|(?<!-)-+$/g, '');
  return `${[String(place).padStart(2, '0'), words].filter(Boolean).join('-')}.mp4`;
}
