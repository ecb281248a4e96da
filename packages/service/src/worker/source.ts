import { copyFile, link } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fetchSubtitles, downloadSource, readSourceFile, type IngestedSource } from 'clip-engine';
import type { StoredSource } from '../db/schema.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * The source or subtitles that a task names: an address, or the storage key of an upload that it
 * has taken.
 */
type Named = { url: string } | { key: string };

export interface NamedFiles {
  /**
   * Or the source of another task, without its subtitles. It is copied: that task may be removed
   * before this one.
   */
  video: Named | StoredSource;
  /** `find`: those beside or inside the video. */
  subtitles: Named | 'find' | 'none';
}

/**
 * Downloads and checks a task's source and moves it into the store, for an attempt at the task; an
 * upload stays where it is. Whatever goes wrong, nothing stays behind. Throws SourceError, or the
 * signal's reason.
 */
export const fetchSource = (
  service: Files & { allowPrivateSources: boolean; maxSourceSeconds: number },
  { id, number }: { id: string; number: number },
  { video, subtitles }: NamedFiles,
  options: {
    maxSeconds: number;
    language?: string | undefined;
    signal: AbortSignal;
    onProgress?: (share: number) => void;
  },
): Promise<StoredSource> =>
  withWorkDirectory(service, `task-${id}-${number}-source`, async (directory) => {
    const { storage } = service;
    const { signal } = options;
    const common = {
      directory,
      allowPrivate: service.allowPrivateSources,
      ...options,
      maxSeconds: Math.min(options.maxSeconds, service.maxSourceSeconds),
      ...(subtitles !== 'find' && {
        subtitles: subtitles !== 'none' && 'url' in subtitles ? subtitles.url : null,
      }),
    };
    const ingested =
      'url' in video
        ? await downloadSource(video.url, common)
        : await withLocalFiles(storage, signal, async (localPath) => {
            const path = await localPath(video.key);
            if (!('media' in video)) return readSourceFile(path, common);
            const copy = join(directory, `source${extname(path)}`);
            // A second name takes no room, where the file system is the same.
            await link(path, copy).catch(() => copyFile(path, copy));
            const { media, sha256, bytes } = video;
            return { path: copy, transcriptPath: null, media, sha256, bytes };
          });
    // Sound alone has got a picture, in a file of its own.
    const isUpload = 'key' in video && !('media' in video) && !ingested.media.soundAlone;
    return keep(storage, `sources/${id}/${number}`, ingested, {
      key: isUpload ? video.key : null,
      transcriptKey: typeof subtitles === 'object' && 'key' in subtitles ? subtitles.key : null,
    });
  });

/** Downloads subtitles for an attempt at a task. Returns their storage key. */
export const storeSubtitles = (
  service: Files & { allowPrivateSources: boolean },
  { id, number }: { id: string; number: number },
  url: string,
  signal: AbortSignal,
): Promise<string> =>
  withWorkDirectory(service, `task-${id}-${number}-subtitles`, async (directory) => {
    const allowPrivate = service.allowPrivateSources;
    const path = await fetchSubtitles(url, { directory, allowPrivate, signal });
    const key = makeFileKey(`sources/${id}/${number}`, 'transcript', path);
    await service.storage.put(key, path);
    return key;
  });

function makeFileKey(start: string, name: string, path: string): string {
  const extension = extname(path).toLowerCase();
  return `${start}-${name}${/^\.[a-z0-9]{1,8}$/.test(extension) ? extension : ''}`;
}

/** `uploaded`: the keys of the files that are already stored. */
async function keep(
  storage: Storage,
  keyStart: string,
  { path, transcriptPath, ...facts }: IngestedSource,
  uploaded: { key: string | null; transcriptKey: string | null },
): Promise<StoredSource> {
  const kept: StoredSource = {
    ...facts,
    key: uploaded.key ?? makeFileKey(keyStart, 'source', path),
    transcriptKey:
      uploaded.transcriptKey ??
      (transcriptPath ? makeFileKey(keyStart, 'transcript', transcriptPath) : null),
  };
  try {
    if (uploaded.key === null) await storage.put(kept.key, path, { keepLocal: true });
    if (transcriptPath && kept.transcriptKey) await storage.put(kept.transcriptKey, transcriptPath);
  } catch (error) {
    await discardSource(storage, kept);
    throw error;
  }
  return kept;
}

/** Removes a source that no task has taken. An upload goes with its own row. */
export async function discardSource(
  storage: Pick<Storage, 'remove'>,
  { key, transcriptKey }: StoredSource,
): Promise<void> {
  for (const one of [key, transcriptKey]) {
    if (one?.startsWith('sources/')) await storage.remove(one);
  }
}

/** The kept source with paths that the engine can read. */
export const openSource = async (
  localPath: (key: string) => Promise<string>,
  { key, transcriptKey, ...facts }: StoredSource,
): Promise<IngestedSource> => ({
  ...facts,
  path: await localPath(key),
  transcriptPath: transcriptKey ? await localPath(transcriptKey) : null,
});
