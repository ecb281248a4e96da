import { join } from 'node:path';
import {
  listDrawingNotes,
  findDrawingTools,
  render,
  renderCover,
  restyleEdit,
  type ExportQuality,
  type Finders,
} from 'clip-engine';
import { findMediaFiles } from '../appearance/media-queries.ts';
import { findOwnFonts, mediaPlaces } from '../appearance/queries.ts';
import type { Log } from '../config/config.ts';
import type { Db, ExportRow } from '../db/schema.ts';
import { finishExport, markEncoded } from '../exports/queries.ts';
import type { Begun } from '../queue/attempt-queries.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { frameClip, openClip } from './clip-source.ts';
import { ownRows, type RowKind } from './run-job.ts';
import type { RowProgress } from './progress.ts';
import { makeAttemptFileName, publish } from './publish.ts';

export const exportRows: RowKind<'export'> = {
  ...ownRows,
  kind: 'export',
  logName: 'export',
  doneEvent: 'export-ready',
  unknownFailure: {
    code: 'render-failed',
    message: 'The render failed. Start a new export to try again.',
  },
};

/** Returns the watermark of a render, with the path of its picture. */
async function placeWatermark(
  { key, pos_x, pos_y, scale }: NonNullable<ExportRow['watermark']>,
  localPath: (key: string) => Promise<string>,
) {
  return { path: await localPath(key), pos_x, pos_y, scale };
}

/** Renders an export, publishes the file and marks the row ready. */
export async function exportClip(
  service: Files & { db: Db; exportQuality: ExportQuality; finders: Finders; log: Log },
  { attempt, row }: Begun<'export'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const { id } = attempt;
  const { watermark, style } = row;
  const work = async (directory: string, localPath: (key: string) => Promise<string>) => {
    const output = join(directory, 'clip.mp4');
    const file = await openClip(localPath, row);
    const clip = { id: row.project_id, edit: row.edit };
    const own = await frameClip(service, clip, file, { signal });
    const edit = style ? restyleEdit(own, style) : own;
    const named = edit.style ? [edit.style] : [];
    const { author_id: author, created_at: at } = row;
    const fonts = await findOwnFonts(service.db, author, named, { at, localPath });
    // Fonts may have come and gone since the clip was planned, and another style has another one.
    const notes = listDrawingNotes([edit], await findDrawingTools([edit], signal, fonts));
    for (const { code, message } of notes) service.log({ event: 'note', id, code, message });
    const placed = watermark && (await placeWatermark(watermark, localPath));
    const source = file.path;
    const cover = edit.cover ? join(directory, 'cover.jpg') : undefined;
    const paths = fonts.map(({ path }) => path);
    if (cover) await renderCover(file.on(edit), { source, output: cover, fonts: paths, signal });
    const { music, ...bumpers } = await findMediaFiles(service.db, edit, mediaPlaces, localPath);
    const began = performance.now();
    await render(file.on(edit), {
      source,
      music,
      bumpers,
      cover,
      output,
      quality: 'export',
      exportQuality: service.exportQuality,
      fonts: paths,
      ...(placed && { watermark: placed }),
      signal,
      onProgress: (share) => progress.report('render', share),
      // It cannot be copied after all: estimates must not go on as if it were.
      ...(row.copied && {
        onEncode: async () => void (await markEncoded(service.db, attempt)),
      }),
    });
    const ratio = (performance.now() - began) / 1000 / row.duration;
    service.log({ event: 'rendered', level: 'debug', id, quality: 'export', ratio });
    await progress.settled();
    const keyOf = (extension: string) => `exports/${id}/${makeAttemptFileName(attempt, extension)}`;
    const [fileKey, coverKey] = [keyOf('mp4'), cover ? keyOf('jpg') : null];
    const files = { [fileKey]: output, ...(coverKey && cover && { [coverKey]: cover }) };
    await publish(service.storage, files, () =>
      finishExport(service.db, attempt, { fileKey, coverKey, notes }),
    );
  };
  await withLocalFiles(service.storage, signal, (localPath) =>
    withWorkDirectory(service, `export-${id}-${attempt.number}`, (directory) =>
      work(directory, localPath),
    ),
  );
}
