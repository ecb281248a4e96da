import { join } from 'node:path';
import { cutSegment, renderFirstPosters } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import type { NewProject } from '../clips/queries.ts';
import type { StoredSource, StoredSegment } from '../db/schema.ts';
import type { Attempt } from '../queue/attempt-queries.ts';
import { inWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { attemptFileName, publish } from '../queue/publish.ts';

/**
 * Draws a first poster for each clip of a task, cuts its segment out of the source, and records the
 * clips with the keys of these files, so no listed clip is without a poster. They are stored under
 * the task's id: until the clips are recorded, only the task can find them.
 */
export async function recordWithPosters(
  service: Pick<ServiceContext, 'finders' | 'log' | 'storage' | 'segments' | 'workDirectory'>,
  attempt: Attempt,
  source: StoredSource,
  clips: readonly Omit<NewProject, 'posterKey' | 'segment'>[],
  signal: AbortSignal,
  note: (clips: NewProject[]) => Promise<unknown>,
): Promise<void> {
  if (clips.some(({ edit }) => edit.needsAnalysis)) service.finders.prepare();
  const name = `task-${attempt.id}-${attempt.number}-posters`;
  await inWorkDirectory(service, name, async (directory) => {
    const posters = clips.map((clip) => ({
      clip,
      key: `posters/${attempt.id}/${attemptFileName(attempt, 'jpg')}`,
      edit: clip.edit,
      output: join(directory, `${clip.id}.jpg`),
    }));
    const cut = await withLocalFiles(service.storage, signal, async (localPath) => {
      const path = await localPath(source.key);
      await renderFirstPosters(posters, { source: path, signal });
      return cutSegments(service, attempt, clips, { source: path, directory, signal });
    });
    const files = Object.fromEntries(posters.map(({ key, output }) => [key, output]));
    await publish(service.storage, { ...files, ...cut.files }, () =>
      note(
        posters.map(({ clip, key }) => ({
          ...clip,
          posterKey: key,
          segment: cut.segments.get(clip.id) ?? null,
        })),
      ),
    );
  });
}

/**
 * Cuts each clip's own piece out of the source, so that its renders need no more of it. A clip
 * whose segment would not be exact is rendered from the source. Returns the segments by the clips'
 * ids, and their files by storage key.
 */
async function cutSegments(
  service: Pick<ServiceContext, 'log' | 'segments'>,
  attempt: Attempt,
  clips: readonly Pick<NewProject, 'id' | 'edit'>[],
  { source, directory, signal }: { source: string; directory: string; signal: AbortSignal },
): Promise<{ segments: Map<string, StoredSegment>; files: Record<string, string> }> {
  const segments = new Map<string, StoredSegment>();
  const files: Record<string, string> = {};
  if (!service.segments) return { segments, files };
  for (const { id, edit } of clips) {
    const output = join(directory, `${id}.segment`);
    const cut = await cutSegment(edit, { source, output, signal });
    if (!cut) {
      service.log({ event: 'no-segment', id });
      continue;
    }
    // Under the task's id, as the posters: until the clips are recorded, only the task finds them.
    const key = `segments/${attempt.id}/${attemptFileName(attempt, 'video')}`;
    segments.set(id, { key, ...cut });
    files[key] = output;
  }
  return { segments, files };
}
