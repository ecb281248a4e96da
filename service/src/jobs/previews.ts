import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceContext } from '../context.ts';
import type { KeptSource } from '../db/schema.ts';
import type { Plan } from '../media/plan.ts';
import { machineFault } from '../machine-fault.ts';
import { errorText } from '../media/error-text.ts';
import { render, renderPoster } from '../media/render.ts';
import { previewWork } from '../export-work.ts';
import { framed } from './framing.ts';
import { WorkFailure } from './run-job.ts';

const unguessable = (): string => randomBytes(24).toString('base64url').replace(/^-/, '_');

/**
 * The share of a preview's work that looking at its pictures is. Measured for 20 seconds of 720p on two processors: 1.2 s of looking (no
 * face finder) before 2.6 s of render. It moves the bar and nothing else.
 */
const looking = 0.25;

const renderOne = async (
  service: ServiceContext,
  project: { id: string; task_id: string; plan: Plan },
  { path: source, kept }: { path: string; kept: KeptSource },
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> => {
  const directory = join(service.workDirectory, `preview-${project.id}`);
  await mkdir(directory, { recursive: true });
  try {
    const { value: plan } = await service.rate.during(() =>
      framed(service, project, source, {
        signal,
        onProgress: (share) => onProgress(share * looking),
      }),
    );
    const poster = join(directory, 'poster.jpg');
    const preview = join(directory, 'preview.mp4');
    await renderPoster(plan, { source, output: poster, signal });
    const { value, seconds, concurrency } = await service.rate.during(() =>
      render(plan, {
        source,
        output: preview,
        quality: 'preview',
        signal,
        onProgress: (share) => onProgress(looking + share * (1 - looking)),
      }),
    );
    await service.storage.remove(`previews/${project.id}`); // An earlier attempt may have got this far.
    const posterKey = `previews/${project.id}/${unguessable()}.jpg`;
    const previewKey = `previews/${project.id}/${unguessable()}.mp4`;
    await service.storage.put(posterKey, poster);
    await service.storage.put(previewKey, preview);
    await service.db
      .updateTable('projects')
      .set({ preview: 'ready', preview_key: previewKey, poster_key: posterKey })
      .where('id', '=', project.id)
      .execute();
    service.changes.announce();
    await service.rate.measured({
      ...{ source: project.task_id, quality: 'preview', work: previewWork(plan, kept) },
      ...{ cpu: value.cpuSeconds, seconds, concurrency },
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/**
 * Renders the preview and the poster of every project of the task that has none yet, each published when it is done.
 * One that fails is marked so and the others go on; where all fail, the task does. Rejects where the machine is to blame (`machineFault`),
 * with the previews that are done kept: the next attempt reads the plans anew and goes on behind them. Tells at once how much is there already.
 */
export const renderPreviews = async (
  service: ServiceContext,
  taskId: string,
  kept: KeptSource,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> => {
  const projects = await service.db
    .selectFrom('projects')
    .select(['id', 'task_id', 'plan', 'preview'])
    .where('task_id', '=', taskId)
    .orderBy('position')
    .execute();
  const source = await service.storage.localPath(kept.key);
  const secondsOf = (some: typeof projects): number =>
    some.reduce((sum, project) => sum + project.plan.duration, 0);
  const seconds = secondsOf(projects);
  const waiting = projects.filter(({ preview }) => preview === 'preparing');
  let before = seconds - secondsOf(waiting);
  let ready = projects.filter(({ preview }) => preview === 'ready').length;
  onProgress(before / seconds);
  for (const project of waiting) {
    const duration = project.plan.duration;
    try {
      await renderOne(service, project, { path: source, kept }, signal, (share) =>
        onProgress((before + share * duration) / seconds),
      );
      ready += 1;
    } catch (error) {
      // Where the machine is to blame and not the clip, the job tries again or gives up; what is there is kept for it.
      if (signal.aborted || machineFault(error)) throw error;
      const message = errorText(error);
      service.log({ event: 'preview-failed', id: project.id, message });
      await service.db
        .updateTable('projects')
        .set({ preview: 'failed' })
        .where('id', '=', project.id)
        .execute();
    }
    before += duration;
  }
  if (ready === 0) {
    throw new WorkFailure('render-failed', 'None of the previews could be rendered.');
  }
};
