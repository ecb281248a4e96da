import {
  type ExportQuality,
  type Style,
  changesNothing,
  restyled,
  type Edit,
  renderSize,
  framingWork,
  renderWork,
} from 'clip-engine';
import type { Clip } from './queries.ts';
import type { KeptSource } from '../db/schema.ts';

/** A look at the clip, where it has not been seen yet, and a render. */
function clipWork(
  edit: Edit,
  source: KeptSource | null,
  quality: 'preview' | 'export',
  wish: { watermark: boolean; exportQuality?: ExportQuality },
): number {
  const sourceBitRate = source ? (source.bytes * 8) / Math.max(1, source.media.duration) : 0;
  const size = renderSize(edit, quality);
  return framingWork(edit, sourceBitRate) + renderWork({ edit, size, sourceBitRate, ...wish });
}

/** A look and a preview of a clip. */
export const previewWork = (edit: Edit, source: KeptSource | null): number =>
  clipWork(edit, source, 'preview', { watermark: false });

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
export function exportWork(
  { edit: own, source }: Pick<Clip, 'edit' | 'source'>,
  {
    style,
    ...wish
  }: { style: Style | undefined; watermark: boolean; exportQuality: ExportQuality },
): { work: number; copied: boolean } {
  const edit = style ? restyled(own, style) : own;
  return {
    work: clipWork(edit, source, 'export', wish),
    copied: source !== null && !wish.watermark && mayCopy(edit, source),
  };
}
