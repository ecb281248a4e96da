import {
  isUnchanged,
  type Edit,
  type ExportQuality,
  estimateFramingWork,
  type Presets,
  renderSize,
  renderWork,
  restyleEdit,
  type Style,
} from 'clip-engine';
import type { Project } from 'clip-kit/contract';
import type { ClipWithSource, WatchedClip } from './queries.ts';
import type { StoredSource, ProjectRow } from '../db/schema.ts';
import type { Addresses } from '../links/links.ts';

/** Project Object (2.2), and what a page needs to show the clip: its poster, size and length. */
export const makeProjectObject = (
  row: ProjectRow | WatchedClip,
  addresses: Addresses,
): Project => ({
  id: row.id,
  author_id: row.author_id,
  folder_id: row.folder_id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  virality_score: row.virality_score,
  virality_score_explanation: row.virality_score_explanation,
  ...(row.titles && { titles: row.titles }),
  ...(row.description !== null && { description: row.description }),
  ...(row.tags && { tags: row.tags }),
  ...(row.topic !== null && { topic: row.topic }),
  notes: row.notes ?? [],
  poster_url: addresses.poster(row.id),
  ...row.edit.dimensions,
  duration: row.edit.duration,
  revision: row.revision,
  ...('views' in row && { views: row.views }),
});

/** The work of a render, and of the analysis if the clip still needs it. */
function estimateClipWork(
  edit: Edit,
  source: StoredSource | null,
  quality: 'preview' | 'export',
  options: { bumperSeconds?: number; watermark: boolean; exportQuality?: ExportQuality },
): number {
  const sourceBitRate = source ? (source.bytes * 8) / Math.max(1, source.media.duration) : 0;
  const size = renderSize(edit, quality);
  return (
    estimateFramingWork(edit, sourceBitRate) + renderWork({ edit, size, sourceBitRate, ...options })
  );
}

/** The work of a clip's analysis and preview. */
export const estimatePreviewWork = (edit: Edit, source: StoredSource | null): number =>
  estimateClipWork(edit, source, 'preview', { watermark: false });

/**
 * Whether the clip is likely to be copied. The file is not read for that: it may be far away. A
 * copy begins with a keyframe, which is certain only at the source's start. If an export turns out
 * to be an encode, its job notes that.
 */
const mayCopy = (edit: Edit, { media }: StoredSource): boolean =>
  isUnchanged(edit) &&
  edit.ranges[0]?.start === 0 &&
  media.videoCodec === 'h264' &&
  media.audioCodec === 'aac';

/** Estimates the work of an export of the clip, and whether it will be a copy. */
export function exportWork(
  { edit: own, source }: Pick<ClipWithSource, 'edit' | 'source'>,
  {
    style,
    ...options
  }: {
    style: Style | undefined;
    bumperSeconds: number;
    watermark: boolean;
    exportQuality: ExportQuality;
  },
): { work: number; copied: boolean } {
  const edit = style ? restyleEdit(own, style) : own;
  return {
    work: estimateClipWork(edit, source, 'export', options),
    copied: source !== null && !options.watermark && mayCopy(edit, source),
  };
}

/**
 * The name of an uploaded file, or the one at the end of a source's address, without its query,
 * which may hold a signature; `source.mp4` if there is none.
 */
export function getSourceName(address: string, fileName: string | null = null): string {
  if (fileName !== null) return shortenName(fileName);
  const last = new URL(address).pathname.split('/').at(-1)!;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Signs that stand for no text stay as they are.
  }
  return shortenName(name);
}

const shortenName = (name: string): string =>
  /^[^/\\]+\.[A-Za-z0-9]{2,5}$/.test(name) ? name : 'source.mp4';

/** Describes the mistake of a preset that does not exist. */
export const describeUnknownPreset = (presets: Presets, id: string): string =>
  `there is no style preset "${id.slice(0, 64)}": use one of ${[...presets.keys()].join(', ')}`;
