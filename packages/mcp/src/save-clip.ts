import { createWriteStream } from 'node:fs';
import { link, mkdir, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';
import { downloadFileName } from 'clip-kit/contract';

/** Names such as `talk-2.mp4`, until one is free. Gives the path. */
async function keepAs(directory: string, name: string, file: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const path = join(directory, number === 1 ? name : `${stem}-${number}${ext}`);
    try {
      // Unlike a rename, a link never replaces a file.
      await link(file, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Saves a clip whole or not at all, under a name of its own. Gives its path. */
export async function saveClip(
  directory: string,
  clipName: string,
  response: Response,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, `.${randomUUID()}.part`);
  try {
    await pipeline(
      Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(file, { flags: 'wx' }),
    );
    return await keepAs(directory, downloadFileName(clipName.slice(0, 100)), file);
  } finally {
    await rm(file, { force: true });
  }
}
