import { extname } from 'node:path';
import { ingest, type IngestedSource } from 'clip-engine';
import type { KeptSource } from '../db/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { inWorkDirectory, type Files } from '../storage/work-directory.ts';

/**
 * Downloads and checks a task's source and moves it into the store, for an attempt at the task.
 * Whatever goes wrong, nothing stays behind. Throws SourceError, or the signal's reason.
 */
export const fetchSource = (
  service: Files & {
    allowPrivateSources: boolean;
    maxSourceSeconds: number;
    downloadMs: number;
  },
  { id, number }: { id: string; number: number },
  url: string,
  options: {
    maxSeconds: number;
    language?: string | undefined;
    signal: AbortSignal;
    onProgress?: (share: number) => void;
  },
): Promise<KeptSource> =>
  inWorkDirectory(service, `task-${id}-${number}-source`, async (directory) => {
    const ingested = await ingest(url, {
      directory,
      allowPrivate: service.allowPrivateSources,
      downloadMs: service.downloadMs,
      ...options,
      maxSeconds: Math.min(options.maxSeconds, service.maxSourceSeconds),
    });
    return keep(service.storage, `sources/${id}/${number}`, ingested);
  });

function keyFor(start: string, name: string, path: string): string {
  const extension = extname(path).toLowerCase();
  return `${start}-${name}${/^\.[a-z0-9]{1,8}$/.test(extension) ? extension : ''}`;
}

async function keep(
  storage: Storage,
  keyStart: string,
  { path, transcriptPath, ...facts }: IngestedSource,
): Promise<KeptSource> {
  const kept: KeptSource = {
    ...facts,
    key: keyFor(keyStart, 'source', path),
    transcriptKey: transcriptPath ? keyFor(keyStart, 'transcript', transcriptPath) : null,
  };
  try {
    await storage.put(kept.key, path, { keepLocal: true });
    if (transcriptPath && kept.transcriptKey) await storage.put(kept.transcriptKey, transcriptPath);
  } catch (error) {
    await discardSource(storage, kept);
    throw error;
  }
  return kept;
}

/** Removes a source that no task has taken. */
export async function discardSource(
  storage: Pick<Storage, 'remove'>,
  { key, transcriptKey }: KeptSource,
): Promise<void> {
  await storage.remove(key);
  if (transcriptKey) await storage.remove(transcriptKey);
}

/** The kept source with paths that the engine can read. */
export const openSource = async (
  localPath: (key: string) => Promise<string>,
  { key, transcriptKey, ...facts }: KeptSource,
): Promise<IngestedSource> => ({
  ...facts,
  path: await localPath(key),
  transcriptPath: transcriptKey ? await localPath(transcriptKey) : null,
});
