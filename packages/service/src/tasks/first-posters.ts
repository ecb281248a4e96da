import { join } from 'node:path';
import { renderFirstPosters } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import type { NewProject } from '../clips/queries.ts';
import type { KeptSource } from '../db/schema.ts';
import type { Attempt } from '../queue/attempt-queries.ts';
import { withLocalFiles } from '../storage/local-files.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { attemptFileName, publish } from '../queue/publish.ts';
import { cutStretches } from './stretches.ts';

/**
 * Draws a first poster for each clip of a task, cuts its stretch out of the source, and records the
 * clips with the keys of these files, so no listed clip is without a poster. They are stored under
 * the task's id: until the clips are recorded, only the task can find them.
 */
export async function noteWithPosters(
  service: Pick<ServiceContext, 'finders' | 'log' | 'storage' | 'stretches' | 'workDirectory'>,
  attempt: Attempt,
  source: KeptSource,
  clips: readonly Omit<NewProject, 'posterKey' | 'stretch'>[],
  signal: AbortSignal,
  note: (clips: NewProject[]) => Promise<unknown>,
): Promise<void> {
  if (clips.some(({ edit }) => edit.unseen)) service.finders.prepare();
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
      return cutStretches(service, attempt, clips, { source: path, directory, signal });
    });
    const files = Object.fromEntries(posters.map(({ key, output }) => [key, output]));
    await publish(service.storage, { ...files, ...cut.files }, () =>
      note(
        posters.map(({ clip, key }) => ({
          ...clip,
          posterKey: key,
          stretch: cut.stretches.get(clip.id) ?? null,
        })),
      ),
    );
  });
}
