import {
  type ExportQuality,
  type Style,
  changesNothing,
  restyled,
  type Edit,
  renderSize,
  lookWork,
  renderWork,
} from 'clip-engine';
import type { Db, KeptSource, ProjectRow } from '../db/schema.ts';
import { readTask } from '../db/tasks.ts';

/** Bits a second of a kept source. */
const bitRateOf = ({ bytes, media }: KeptSource): number =>
  (bytes * 8) / Math.max(1, media.duration);

/** The work of looking at the clip first, where it has not been seen yet. */
const firstLook = (edit: Edit, source: KeptSource): number => lookWork(edit, bitRateOf(source));

/** The work of a clip's preview, with a look at the clip before. */
export const previewWork = (edit: Edit, source: KeptSource): number =>
  firstLook(edit, source) +
  renderWork({
    edit,
    size: renderSize(edit, 'preview'),
    watermark: false,
    sourceBitRate: bitRateOf(source),
  });

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

/** How much work an export of the clip is, and whether it will be a copy. */
export async function exportWork(
  { db, exportQuality }: { db: Db; exportQuality: ExportQuality },
  project: Pick<ProjectRow, 'edit' | 'task_id'>,
  { style, watermark }: { style?: Style | undefined; watermark: boolean },
): Promise<{ work: number; copied: boolean }> {
  const { source } = await readTask(db, project.task_id);
  const edit = style ? restyled(project.edit, style) : project.edit;
  const sourceBitRate = source ? bitRateOf(source) : 0;
  const size = renderSize(edit, 'export');
  const render = renderWork({ edit, size, watermark, exportQuality, sourceBitRate });
  return {
    work: render + (source ? firstLook(edit, source) : 0),
    copied: source !== null && !watermark && mayCopy(edit, source),
  };
}
