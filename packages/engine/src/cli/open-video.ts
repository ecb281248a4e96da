import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SourceFile } from '../facts.ts';
import { downloadSource, openLocal } from '../source/ingest.ts';

/** Maximum length of a video: the same as in the service. */
const maxSeconds = 5 * 60 * 60;

/** Whether a video is to be downloaded. */
export const isAddress = (input: string): boolean => /^https?:\/\//i.test(input);

/** Opens a local file, or downloads an address to `directory`. */
export const openVideo = (
  input: string,
  options: {
    directory: string;
    allowPrivate: boolean;
    language?: string | null;
    signal: AbortSignal;
    onProgress?: (share: number) => void;
  },
): Promise<SourceFile> =>
  isAddress(input)
    ? downloadSource(input, { ...options, maxSeconds })
    : // An absolute path, so that no name looks like an option or a protocol of ffmpeg.
      openLocal(resolve(input), { ...options, maxSeconds });

/** Runs work with a temporary directory, which is removed afterwards. */
export async function withTemporaryDirectory<T>(
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-engine-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
