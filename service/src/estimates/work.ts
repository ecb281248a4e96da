import {
  type ExportQuality,
  type Style,
  changesNothing,
  ProcessError,
  restyled,
  type Edit,
  renderSize,
  lookWork,
  renderWork,
  scanWork,
  canCopy,
} from 'clip-engine';
import type { Db, KeptSource, ProjectRow, TaskRequest } from '../db/schema.ts';
import { readTask } from '../db/tasks.ts';
import { withLocalFiles } from '../storage/local-files.ts';
import type { Storage } from '../storage/storage.ts';

/** Bits a second of a kept source. */
const bitRateOf = ({ bytes, media }: Pick<KeptSource, 'bytes' | 'media'>): number =>
  (bytes * 8) / Math.max(1, media.duration);

/** The work of a preview. */
export const previewWork = (edit: Edit, source: KeptSource): number =>
  renderWork({
    edit,
    size: renderSize(edit, 'preview'),
    watermark: false,
    sourceBitRate: bitRateOf(source),
  });

/** The work of a task before its clips are known: the scan, and previews of the asked length. */
export function taskWork(request: TaskRequest, source: KeptSource): number {
  const { media } = source;
  const seconds =
    request.type === 'video-to-video'
      ? media.duration
      : Math.min(
          media.duration,
          Math.min(request.target_clip_count, request.max_clip_count) * request.target_duration,
        );
  const preview = 0.05 + ((media.width * media.height * media.frameRate) / 1e6) * 0.003;
  return scanWork(media) + seconds * preview;
}

/** The work of looking at the clip first, where it has not been seen yet. */
export const firstLook = (edit: Edit, source: KeptSource): number =>
  lookWork(edit, bitRateOf(source));

/** Whether the clip will be copied. A file that cannot be read here fails in the export itself. */
async function willCopy(
  service: { storage: Storage },
  edit: Edit,
  source: KeptSource,
  signal: AbortSignal,
): Promise<boolean> {
  if (!changesNothing(edit)) return false;
  try {
    return await withLocalFiles(service.storage, signal, async (localPath) =>
      canCopy(edit, { source: await localPath(source.key), signal }),
    );
  } catch (error) {
    if (error instanceof ProcessError) return false;
    throw error;
  }
}

/** The work of an export's render alone: without a look at the clip before it. */
export const exportRenderWork = (
  edit: Edit,
  source: Pick<KeptSource, 'bytes' | 'media'> | null,
  watermark: boolean,
  exportQuality: ExportQuality,
): number =>
  renderWork({
    edit,
    size: renderSize(edit, 'export'),
    watermark,
    exportQuality,
    sourceBitRate: source ? bitRateOf(source) : 0,
  });

/** How much work an export of the clip is, and whether it will be a copy. */
export async function exportWork(
  service: { db: Db; storage: Storage; exportQuality: ExportQuality },
  project: Pick<ProjectRow, 'edit' | 'task_id'>,
  options: { style?: Style | undefined; watermark: boolean; signal: AbortSignal },
): Promise<{ work: number; copied: boolean }> {
  const { source } = await readTask(service.db, project.task_id);
  const edit = options.style ? restyled(project.edit, options.style) : project.edit;
  const work =
    exportRenderWork(edit, source, options.watermark, service.exportQuality) +
    (source ? firstLook(edit, source) : 0);
  const copied =
    source !== null &&
    !options.watermark &&
    (await willCopy(service, edit, source, options.signal));
  return { work, copied };
}
