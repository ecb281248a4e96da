import { join } from 'node:path';
import type { ServiceContext } from '../context.ts';
import type { Transaction, Updateable } from 'kysely';
import type { Database, KeptSource, ProjectTable } from '../db/schema.ts';
import { type Edit, machineFault, errorText, render, renderPoster } from 'clip-engine';
import { previewWork } from '../estimates/export-work.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { attemptFileName, publish } from './publish.ts';
import { AttemptLost, writeAs, type Attempt } from '../db/worked-rows.ts';
import { framed } from './framing.ts';
import { WorkFailure } from '../tasks/work-failure.ts';

/**
 * The share of a preview's work that looking at its pictures is. Measured for 20 seconds of 720p on two processors: 1.2 s of looking (no
 * face finder) before 2.6 s of render. It moves the bar and nothing else.
 */
const looking = 0.25;

const setPreview = (
  trx: Transaction<Database>,
  id: string,
  values: Pick<Updateable<ProjectTable>, 'preview' | 'preview_key' | 'poster_key'>,
): Promise<unknown> => trx.updateTable('projects').set(values).where('id', '=', id).execute();

const renderOne = async (
  service: ServiceContext,
  attempt: Attempt,
  project: { id: string; task_id: string; edit: Edit },
  { path: source, kept }: { path: string; kept: KeptSource },
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> => {
  const name = `task-${attempt.id}-${attempt.number}-${project.id}`;
  await inWorkDirectory(service, name, async (directory) => {
    const { value: edit } = await service.rate.during(() =>
      framed(service, project, source, {
        signal,
        onProgress: (share) => onProgress(share * looking),
      }),
    );
    const poster = join(directory, 'poster.jpg');
    const preview = join(directory, 'preview.mp4');
    await renderPoster(edit, { source, output: poster, signal });
    const { value, seconds, concurrency } = await service.rate.during(() =>
      render(edit, {
        source,
        output: preview,
        quality: 'preview',
        signal,
        onProgress: (share) => onProgress(looking + share * (1 - looking)),
      }),
    );
    const posterKey = `previews/${project.id}/${attemptFileName(attempt, 'jpg')}`;
    const previewKey = `previews/${project.id}/${attemptFileName(attempt, 'mp4')}`;
    await publish(service, attempt, { [posterKey]: poster, [previewKey]: preview }, (trx) =>
      setPreview(trx, project.id, {
        ...{ preview: 'ready', preview_key: previewKey, poster_key: posterKey },
      }),
    );
    service.changes.announce();
    await service.rate.measured({
      ...{ source: project.task_id, quality: 'preview', work: previewWork(edit, kept) },
      ...{ cpu: value.cpuSeconds, seconds, concurrency },
    });
  });
};

/**
 * Renders the preview and the poster of every project of the task that has none yet, each published when it is done.
 * One that fails is marked so and the others go on; where all fail, the task does. Rejects where the machine is to blame (`machineFault`),
 * with the previews that are done kept: the next attempt reads the edits anew and goes on behind them. Tells at once how much is there already.
 */
export const renderPreviews = async (
  service: ServiceContext,
  attempt: Attempt,
  kept: KeptSource,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> => {
  const projects = await service.db
    .selectFrom('projects')
    .select(['id', 'task_id', 'edit', 'preview'])
    .where('task_id', '=', attempt.id)
    .orderBy('position')
    .execute();
  const source = await service.storage.localPath(kept.key);
  const secondsOf = (some: typeof projects): number =>
    some.reduce((sum, project) => sum + project.edit.duration, 0);
  const seconds = secondsOf(projects);
  const waiting = projects.filter(({ preview }) => preview === 'preparing');
  let before = seconds - secondsOf(waiting);
  let ready = projects.filter(({ preview }) => preview === 'ready').length;
  onProgress(before / seconds);
  for (const project of waiting) {
    const duration = project.edit.duration;
    try {
      await renderOne(service, attempt, project, { path: source, kept }, signal, (share) =>
        onProgress((before + share * duration) / seconds),
      );
      ready += 1;
    } catch (error) {
      // Where the machine is to blame and not the clip, the job tries again or gives up; what is there is kept for it.
      if (signal.aborted || error instanceof AttemptLost || machineFault(error)) throw error;
      const message = errorText(error);
      await writeAs(service.db, attempt, (trx) =>
        setPreview(trx, project.id, { preview: 'failed' }),
      );
      service.log({ event: 'preview-failed', id: project.id, message });
    }
    before += duration;
  }
  if (ready === 0) {
    throw new WorkFailure('render-failed', 'None of the previews could be rendered.');
  }
};
