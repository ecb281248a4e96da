import { join } from 'node:path';
import { renderPreview, runUrgently } from 'clip-engine';
import type { Db } from '../db/schema.ts';
import { finishProxy } from '../edits/queries.ts';
import type { Begun } from '../queue/attempt-queries.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { openClip } from './clip-source.ts';
import { ownRows, type RowKind } from './run-job.ts';
import type { RowProgress } from './progress.ts';
import { makeAttemptFileName, publish } from './publish.ts';

export const proxyRows: RowKind<'proxy'> = {
  ...ownRows,
  kind: 'proxy',
  logName: 'proxy',
  doneEvent: 'proxy-ready',
  unknownFailure: {
    code: 'render-failed',
    message: 'The video for the editor could not be made. Try again.',
  },
};

/** Renders the media that the editor shows of a clip's source. */
export async function makeProxy(
  service: Files & { db: Db },
  { attempt, row }: Begun<'proxy'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const { id } = attempt;
  progress.report('proxy', 0);
  const keyOf = (extension: string) => `proxies/${id}/${makeAttemptFileName(attempt, extension)}`;
  const [videoKey, stripKey] = [keyOf('mp4'), keyOf('jpg')];
  const work = async (directory: string, localPath: (key: string) => Promise<string>) => {
    const [video, strip] = [join(directory, 'proxy.mp4'), join(directory, 'strip.jpg')];
    const whole = { ...row.edit, ranges: [row.span] };
    const file = await openClip(localPath, { ...row, edit: whole });
    const { source, ranges } = file.on(whole);
    const made = await renderPreview(source, ranges[0]!, {
      source: file.path,
      video,
      strip,
      signal,
      onProgress: (share) => progress.report('proxy', share),
    });
    await progress.settled();
    await publish(service.storage, { [videoKey]: video, [stripKey]: strip }, () =>
      finishProxy(service.db, attempt, { videoKey, stripKey, ...made }),
    );
  };
  // The editor that waits for it is open.
  await runUrgently(() =>
    withLocalFiles(service.storage, signal, (localPath) =>
      withWorkDirectory(service, `proxy-${id}-${attempt.number}`, (directory) =>
        work(directory, localPath),
      ),
    ),
  );
}
