import { moveToSegment, segmentCovers, type Edit } from 'clip-engine';
import type { KeptSource, KeptStretch } from '../db/schema.ts';
import { WorkFailure } from '../queue/work-failure.ts';

/** What a clip is rendered from: its stretch or, without one, the source. */
export interface ClipSource {
  path: string;
  /** The edit for a render from this file. */
  on: (edit: Edit) => Edit;
}

/** Opens what an edit of a clip is rendered from. */
export async function openClip(
  localPath: (key: string) => Promise<string>,
  { stretch, source, edit }: { stretch: KeptStretch | null; source: KeptSource | null; edit: Edit },
): Promise<ClipSource> {
  if (stretch && segmentCovers(stretch, edit)) {
    return { path: await localPath(stretch.key), on: (one) => moveToSegment(one, stretch) };
  }
  if (!source) throw new WorkFailure('source-gone', 'The source of this clip is no longer kept.');
  return { path: await localPath(source.key), on: (one) => one };
}
