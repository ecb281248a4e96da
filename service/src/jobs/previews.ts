import { join } from 'node:path';
import { type Edit, errorText, render, renderPoster } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { machineFault } from '../db/machine-fault.ts';
import { listClips, notePreview } from '../db/projects.ts';
import type { KeptSource, ProjectRow } from '../db/schema.ts';
import { AttemptLost, type Attempt } from '../db/worked-rows.ts';
import { previewWork } from '../estimates/estimates.ts';
import { withLocalFiles } from '../storage/local-files.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { WorkFailure } from '../tasks/work-failure.ts';
import { framed } from './framing.ts';
import { attemptFileName, publish } from './publish.ts';

/**
 * The share of a preview's work that looking at its pictures is; it only moves the bar. Measured
 * for 20 seconds of 720p on two processors: 1.2 s of looking (no face finder), 2.6 s of render.
 */
const lookShare = 0.25;

/** What the work on the clips of a task has in common. */
interface Previews {
  attempt: Attempt;
  source: { path: string; kept: KeptSource };
  signal: AbortSignal;
  onProgress: (id: string, share: number) => void;
}

/** Looks at a clip. Never rejects: the clip may not be rendered before long. */
async function look(
  service: ServiceContext,
  project: ProjectRow,
  { source, signal, onProgress }: Previews,
): Promise<PromiseSettledResult<Edit>> {
  const looking = service.estimates.during(() =>
    framed(service, project, source.path, {
      signal,
      onProgress: (share) => onProgress(project.id, share * lookShare),
    }),
  );
  const [looked] = await Promise.allSettled([looking.then(({ value }) => value)]);
  return looked;
}

async function renderOne(
  service: ServiceContext,
  project: ProjectRow,
  edit: Edit,
  { attempt, source: { path: source, kept }, signal, onProgress }: Previews,
): Promise<void> {
  const name = `task-${attempt.id}-${attempt.number}-${project.id}`;
  await inWorkDirectory(service, name, async (directory) => {
    const poster = join(directory, 'poster.jpg');
    const preview = join(directory, 'preview.mp4');
    await renderPoster(edit, { source, output: poster, signal });
    const { value, seconds, concurrency } = await service.estimates.during(() =>
      render(edit, {
        source,
        output: preview,
        quality: 'preview',
        signal,
        onProgress: (share) => onProgress(project.id, lookShare + share * (1 - lookShare)),
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

/** Tells the share of the clips that are done, by their length. */
function sharesOf(clips: readonly ProjectRow[], onProgress: (share: number) => void) {
  const seconds = clips.reduce((sum, { edit }) => sum + edit.duration, 0);
  const shares = new Map(clips.map(({ id, preview }) => [id, Number(preview !== 'preparing')]));
  const tell = (): void =>
    onProgress(
      clips.reduce((sum, { id, edit }) => sum + shares.get(id)! * edit.duration, 0) / seconds,
    );
  tell();
  return (id: string, share: number): void => {
    shares.set(id, share);
    tell();
  };
}

/**
 * Renders the preview and the poster of every clip of the task that has none yet, each published
 * when it is done. The next clip is looked at while one is rendered: neither keeps all processors
 * busy. If one fails, the others go on; if all fail, the task does. Rejects if the machine is to
 * blame (`machineFault`): the next attempt keeps the previews that are done.
 */
export const renderPreviews = (
  service: ServiceContext,
  attempt: Attempt,
  kept: KeptSource,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> =>
  withLocalFiles(service.storage, signal, async (localPath) => {
    const source = { path: await localPath(kept.key), kept };
    await renderFrom(service, attempt, source, signal, onProgress);
  });

async function renderFrom(
  service: ServiceContext,
  attempt: Attempt,
  source: Previews['source'],
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const projects = await listClips(service.db, attempt.id);
  const stop = new AbortController();
  const work: Previews = {
    attempt,
    source,
    signal: AbortSignal.any([signal, stop.signal]),
    onProgress: sharesOf(projects, onProgress),
  };
  let ready = projects.filter(({ preview }) => preview === 'ready').length;
  const waiting = projects.filter(({ preview }) => preview === 'preparing');
  const lookAt = (index: number) =>
    waiting[index] ? look(service, waiting[index], work) : Promise.resolve(null);
  let next = lookAt(0);
  try {
    for (const [index, project] of waiting.entries()) {
      const looked = await next;
      next = lookAt(index + 1);
      try {
        if (looked?.status === 'rejected') throw looked.reason;
        await renderOne(service, project, looked!.value, work);
        ready += 1;
      } catch (error) {
        if (signal.aborted || error instanceof AttemptLost || machineFault(error)) throw error;
        const message = errorText(error);
        await notePreview(service.db, attempt, project.id, { preview: 'failed' });
        service.log({ event: 'preview-failed', id: project.id, message });
      }
      work.onProgress(project.id, 1);
    }
  } finally {
    stop.abort();
    await next;
  }
  if (ready === 0) {
    throw new WorkFailure('render-failed', 'None of the previews could be rendered.');
  }
}
