import { join } from 'node:path';
import { render, renderPoster } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { readPreview, settlePreview } from '../db/previews.ts';
import type { Attempt } from '../db/worked-rows.ts';
import { previewWork } from '../estimates/estimates.ts';
import { withLocalFiles } from '../storage/local-files.ts';
import { inWorkDirectory } from '../storage/work-directory.ts';
import { WorkFailure } from '../tasks/work-failure.ts';
import { afterPreview, noPreview } from './after-preview.ts';
import { framed } from './framing.ts';
import type { RowProgress } from './progress.ts';
import { attemptFileName, noteStored, store } from './publish.ts';

/**
 * The share of a preview's work that looking at its pictures is; it only moves the bar. Measured
 * for 20 seconds of 720p on two processors: 1.2 s of looking (no face finder), 2.6 s of render.
 */
const lookShare = 0.25;

/**
 * Looks at a clip, makes its preview and its poster, and publishes them. With the last of its
 * previews a task is ready.
 */
export async function makePreview(
  service: ServiceContext,
  attempt: Attempt,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const clip = await readPreview(service.db, attempt.id);
  const kept = clip.source;
  if (!kept) throw new WorkFailure('source-gone', 'The source of this clip is no longer kept.');
  progress.report('preview', 0);
  const { keys, files, measured } = await withLocalFiles(
    service.storage,
    signal,
    async (localPath) => {
      const source = await localPath(kept.key);
      const { value: edit } = await service.estimates.during(() =>
        framed(service, clip, source, {
          signal,
          onProgress: (share) => progress.report('preview', share * lookShare),
        }),
      );
      const name = `preview-${clip.id}-${attempt.number}`;
      return inWorkDirectory(service, name, async (directory) => {
        const poster = join(directory, 'poster.jpg');
        const preview = join(directory, 'preview.mp4');
        await renderPoster(edit, { source, output: poster, signal });
        const { value, seconds, concurrency } = await service.estimates.during(() =>
          render(edit, {
            source,
            output: preview,
            quality: 'preview',
            signal,
            onProgress: (share) => progress.report('preview', lookShare + share * (1 - lookShare)),
          }),
        );
        await progress.settled();
        const ratio = seconds / edit.duration;
        const told = { id: clip.id, quality: 'preview', ratio };
        service.log({ event: 'rendered', level: 'debug', ...told });
        const keys = { preview_key: keyOf(attempt, 'mp4'), poster_key: keyOf(attempt, 'jpg') };
        const files = { [keys.poster_key]: poster, [keys.preview_key]: preview };
        await store(service.storage, files);
        return {
          keys,
          files,
          measured: { work: previewWork(edit, kept), cpu: value.cpuSeconds, seconds, concurrency },
        };
      });
    },
  );
  const settled = await noteStored(service.storage, files, () =>
    settlePreview(service.db, attempt, { preview: 'ready', ...keys }, noPreview),
  );
  await afterPreview(service, settled);
  await service.estimates.measured({ source: clip.task_id, quality: 'preview', ...measured });
}

const keyOf = (attempt: Attempt, extension: string): string =>
  `previews/${attempt.id}/${attemptFileName(attempt, extension)}`;
