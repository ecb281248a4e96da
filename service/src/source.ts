import { mkdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ServiceContext } from './context.ts';
import type { KeptSource } from './db/schema.ts';
import { ingest, type IngestedSource } from './media/ingest.ts';

/**
 * Downloads and checks a task's source and moves it into the store under the task's id.
 * Whatever goes wrong, nothing stays behind. Throws SourceError, or the signal's reason.
 */
export const fetchSource = async (
  service: ServiceContext,
  taskId: string,
  url: string,
  options: { maxSeconds: number; signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<KeptSource> => {
  const directory = join(service.workDirectory, `source-${taskId}`);
  await mkdir(directory, { recursive: true });
  try {
    const ingested = await ingest(url, {
      directory,
      allowPrivate: service.allowPrivateSources,
      ...options,
      maxSeconds: Math.min(options.maxSeconds, service.maxSourceSeconds),
    });
    return await keep(service, taskId, ingested);
  } catch (error) {
    await service.storage.remove(`sources/${taskId}`);
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const keyFor = (taskId: string, name: string, path: string): string => {
  const extension = extname(path).toLowerCase();
  return `sources/${taskId}/${name}${/^\.[a-z0-9]{1,8}$/.test(extension) ? extension : ''}`;
};

const keep = async (
  service: ServiceContext,
  taskId: string,
  { path, transcriptPath, ...facts }: IngestedSource,
): Promise<KeptSource> => {
  const key = keyFor(taskId, 'source', path);
  await service.storage.put(key, path);
  const transcriptKey = transcriptPath ? keyFor(taskId, 'transcript', transcriptPath) : null;
  if (transcriptPath && transcriptKey) await service.storage.put(transcriptKey, transcriptPath);
  return { ...facts, key, transcriptKey };
};

/** The kept source with paths that the engine can read. */
export const openSource = async (
  service: Pick<ServiceContext, 'storage'>,
  { key, transcriptKey, ...facts }: KeptSource,
): Promise<IngestedSource> => ({
  ...facts,
  path: await service.storage.localPath(key),
  transcriptPath: transcriptKey ? await service.storage.localPath(transcriptKey) : null,
});
