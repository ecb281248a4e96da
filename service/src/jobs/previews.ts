import { join } from 'node:path';
import { type Edit, errorText, render, renderPoster } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { machineFault } from '../db/machine-fault.ts';
import { listClips, notePreview } from '../db/projects.ts';
import type { KeptSource } from '../db/schema.ts';
import { AttemptLost, type Attempt } from '../db/worked-rows.ts';
import { previewWork } from '../estimates/estimates.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { WorkFailure } from '../tasks/work-failure.ts';
import { framed } from './framing.ts';
import { attemptFileName, publish } from './publish.ts';

/**
 * The share of a preview's work that looking at its pictures is; it only moves the bar. Measured
 * for 20 seconds of 720p on two processors: 1.2 s of looking (no face finder), 2.6 s of render.
 */
const lookShare = 0.25;

async function renderOne(
  service: ServiceContext,
  attempt: Attempt,
  project: { id: string; task_id: string; edit: Edit },
  { path: source, kept }: { path: string; kept: KeptSource },
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const name = `task-${attempt.id}-${attempt.number}-${project.id}`;
  await inWorkDirectory(service, name, async (directory) => {
    const { value: edit } = await service.estimates.during(() =>
      framed(service, project, source, {
        signal,
        onProgress: (share) => onProgress(share * lookShare),
      }),
    );
    const poster = join(directory, 'poster.jpg');
    const preview = join(directory, 'preview.mp4');
    await renderPoster(edit, { source, output: poster, signal });
    const { value, seconds, concurrency } = await service.estimates.during(() =>
      render(edit, {
        source,
        output: preview,
        quality: 'preview',
        signal,
        onProgress: (share) => onProgress(lookShare + share * (1 - lookShare)),
      }),
    );
    const posterKey = `previews/${project.id}/${attemptFileName(attempt, 'jpg')}`;
    const previewKey = `previews/${project.id}/${attemptFileName(attempt, 'mp4')}`;
    await publish(service.storage, { [posterKey]: poster, [previewKey]: preview }, () =>
      notePreview(service.db, attempt, project.id, {
        preview: 'ready',
        preview_key: previewKey,
        poster_key: posterKey,
      }),
    );
    service.changes.announce();
    await service.estimates.measured({
      source: project.task_id,
      quality: 'preview',
      work: previewWork(edit, kept),
      cpu: value.cpuSeconds,
      seconds,
      concurrency,
    });
  });
}

/**
 * Renders the preview and the poster of every clip of the task that has none yet, each published
 * when it is done. If one fails, the others go on; if all fail, the task does. Rejects if the
 * machine is to blame (`machineFault`): the next attempt keeps the previews that are done.
 */
export async function renderPreviews(
  service: ServiceContext,
  attempt: Attempt,
  kept: KeptSource,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const projects = await listClips(service.db, attempt.id);
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
      if (signal.aborted || error instanceof AttemptLost || machineFault(error)) throw error;
      const message = errorText(error);
      await notePreview(service.db, attempt, project.id, { preview: 'failed' });
      service.log({ event: 'preview-failed', id: project.id, message });
    }
    before += duration;
  }
  if (ready === 0) {
    throw new WorkFailure('render-failed', 'None of the previews could be rendered.');
  }
}
