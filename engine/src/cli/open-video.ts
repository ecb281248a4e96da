import { resolve } from 'node:path';
import type { SourceFile } from '../facts.ts';
import { ingest } from '../source/ingest.ts';
import { openLocal } from '../source/local-source.ts';

/** The longest video, in seconds, as in the service. */
const maxSeconds = 5 * 60 * 60;

/** Opens a file, or downloads an address to `directory`. */
export const openVideo = (
  input: string,
  options: {
    directory: string;
    allowPrivate: boolean;
    signal: AbortSignal;
    onProgress?: (share: number) => void;
  },
): Promise<SourceFile> =>
  /^https?:\/\//i.test(input)
    ? ingest(input, { ...options, maxSeconds })
    : // Absolute, so that no name can be an option or a protocol of ffmpeg.
      openLocal(resolve(input), { ...options, maxSeconds });
