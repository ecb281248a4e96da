import { join } from 'node:path';
import type { Updateable } from 'kysely';
import type { ServiceContext } from '../context.ts';
import type { ExportTable } from '../db/schema.ts';
import { drawingNotes, drawingTools, render, restyled } from 'clip-engine';
import { exportRenderWork } from '../estimates/export-work.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { attemptFileName, publish } from './publish.ts';
import { writeAs, type Attempt } from '../db/worked-rows.ts';
import { framed } from './framing.ts';
import type { RowProgress } from './progress.ts';
import { WorkFailure } from '../tasks/work-failure.ts';

const load = (service: ServiceContext, id: string) =>
  service.db
    .selectFrom('exports')
    .innerJoin('projects', 'projects.id', 'exports.project_id')
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .select([
      'exports.watermark',
      'exports.style',
      'exports.project_id',
      'exports.copied',
      'projects.edit',
      'projects.task_id',
      'tasks.source',
    ])
    .where('exports.id', '=', id)
    .executeTakeFirstOrThrow();

/** Changes the row of the attempt. */
const update = (
  service: ServiceContext,
  attempt: Attempt,
  values: Updateable<ExportTable>,
): Promise<unknown> =>
  writeAs(service.db, attempt, (trx) =>
    trx.updateTable('exports').set(values).where('id', '=', attempt.id).execute(),
  );

/** Renders an export, publishes the file and marks the row ready. */
export const exportClip = async (
  service: ServiceContext,
  attempt: Attempt,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> => {
  const { id } = attempt;
  const { project_id, source, watermark, style, copied, task_id, ...project } = await load(
    service,
    id,
  );
  if (!source) throw new WorkFailure('source-gone', 'The source of this clip is no longer kept.');
  const rendering = { stage: 'render', share: 0, share_at: null, started_at: new Date() };
  await update(service, attempt, rendering);
  await inWorkDirectory(service, `export-${id}-${attempt.number}`, async (directory) => {
    const output = join(directory, 'clip.mp4');
    const path = await service.storage.localPath(source.key);
    const own = await framed(service, { id: project_id, edit: project.edit }, path, { signal });
    const edit = style ? restyled(own, style) : own;
    // Fonts may have come and gone since the clip was planned, and another style has another one.
    const notes = drawingNotes([edit], await drawingTools([edit], signal));
    for (const { code, message } of notes) service.log({ event: 'note', id, code, message });
    const watermarkPath = watermark && (await service.storage.localPath(watermark.key));
    const { value, seconds, concurrency } = await service.rate.during(() =>
      render(edit, {
        source: path,
        output,
        quality: 'export',
        ...(watermark &&
          watermarkPath && {
            watermark: {
              path: watermarkPath,
              pos_x: watermark.pos_x,
              pos_y: watermark.pos_y,
              scale: watermark.scale,
            },
          }),
        signal,
        onProgress: (share) => progress.report('render', share),
        // It was to be copied, and cannot be: what is told of its end must not go on as if it were.
        ...(copied && {
          onEncode: async () => {
            await update(service, attempt, { copied: false });
            service.changes.announce();
          },
        }),
      }),
    );
    await progress.settled();
    const key = `exports/${id}/${attemptFileName(attempt, 'mp4')}`;
    await publish(service, attempt, { [key]: output }, (trx) =>
      trx
        .updateTable('exports')
        .set({
          status: 'ready',
          file_key: key,
          share: 1,
          notes: JSON.stringify(notes),
          finished_at: new Date(),
        })
        .where('id', '=', id)
        .execute(),
    );
    // A copy says nothing of how fast this machine encodes.
    if (!value.copied) {
      // The clip may have been looked at since the export was started, and is another render then.
      const work = exportRenderWork(edit, source, watermark !== null);
      const cpu = value.cpuSeconds;
      await service.rate.measured({
        ...{ source: task_id, quality: 'export', work, cpu, seconds, concurrency },
      });
    }
  });
};
