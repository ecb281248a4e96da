import {
  type ExportQuality,
  type Style,
  changesNothing,
  restyled,
  type Edit,
  renderSize,
  lookWork,
  renderWork,
  scanWork,
} from 'clip-engine';
import type { Db, KeptSource, ProjectRow, TaskRequest } from '../db/schema.ts';
import { readTask } from '../db/tasks.ts';

/** Bits a second of a kept source. */
const bitRateOf = ({ bytes, media }: Pick<KeptSource, 'bytes' | 'media'>): number =>
  (bytes * 8) / Math.max(1, media.duration);

/** The work of a preview. */
export const previewWork = (
  edit: Edit,
  source: Pick<KeptSource, 'bytes' | 'media'> | null,
): number =>
  renderWork({
    edit,
    size: renderSize(edit, 'preview'),
    watermark: false,
    sourceBitRate: source ? bitRateOf(source) : 0,
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

/**
 * Whether the clip is likely to be copied. The file is not read for that: it may be far away. A
 * copy begins with a keyframe, which is certain only at the source's start. If an export turns out
 * to be an encode, its job notes that.
 */
const mayCopy = (edit: Edit, { media }: KeptSource): boolean =>
  changesNothing(edit) &&
  edit.ranges[0]?.start === 0 &&
  media.videoCodec === 'h264' &&
  media.audioCodec === 'aac';

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
  service: { db: Db; exportQuality: ExportQuality },
  project: Pick<ProjectRow, 'edit' | 'task_id'>,
  options: { style?: Style | undefined; watermark: boolean },
): Promise<{ work: number; copied: boolean }> {
  const { source } = await readTask(service.db, project.task_id);
  const edit = options.style ? restyled(project.edit, options.style) : project.edit;
  const work =
    exportRenderWork(edit, source, options.watermark, service.exportQuality) +
    (source ? firstLook(edit, source) : 0);
  const copied = source !== null && !options.watermark && mayCopy(edit, source);
  return { work, copied };
}
