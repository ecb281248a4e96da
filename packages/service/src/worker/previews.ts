import { join } from 'node:path';
import {
  formatError,
  prepareRender,
  render,
  renderPoster,
  renderStoryboard,
  runUrgently,
  type Edit,
  type OwnFont,
  type Finders,
} from 'clip-engine';
import { findMediaFiles } from '../appearance/media-queries.ts';
import { findOwnFonts } from '../appearance/queries.ts';
import type { Log } from '../config/config.ts';
import {
  claimAnalysis,
  isPreviewLater,
  settlePreview,
  type SettledTask,
  writePreviewProgress,
  writeStream,
} from '../clips/preview-queries.ts';
import type { StoredSource, Db, ProjectRow } from '../db/schema.ts';
import {
  type JobAttempt,
  AttemptLost,
  type Begun,
  type Failure,
} from '../queue/attempt-queries.ts';
import { removeFilesLater } from '../storage/queries.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import type { RowKind } from './run-job.ts';
import {
  type ClipSource,
  frameClip,
  frameDraft,
  needsAnalysis,
  openClip,
  startDraft,
} from './clip-source.ts';
import type { RowProgress } from './progress.ts';
import { makeAttemptFileName, recordStored, store } from './publish.ts';

/** The failure of a task whose previews have all failed, if the machine is not to blame. */
const noPreview: Failure = {
  code: 'render-failed',
  message: 'None of the previews could be rendered.',
};

/** Logs the end of a task with the last of its previews. */
function logPreview(log: Log, { id, status }: SettledTask): void {
  if (status === 'processing' || status === null) return;
  if (status === 'ready') log({ event: 'task-ready', id });
  else log({ event: 'task-failed', id, code: noPreview.code });
}

export const previewRows: RowKind<'preview'> = {
  kind: 'preview',
  logName: 'preview',
  doneEvent: 'preview-ready',
  unknownFailure: noPreview,
  // The other previews of a task go on without one that failed.
  failsAtOnce: true,
  putBackReason: async (db, id) =>
    (await isPreviewLater(db, id)) ? 'The clip is still being changed' : null,
  fail: async ({ db, log }, attempt, failure) =>
    logPreview(log, await settlePreview(db, attempt, { preview: 'failed' }, failure)),
  writeProgress: writePreviewProgress,
};

/**
 * The analysis as a share of a preview's work; it only moves the progress bar. Measured for 20
 * seconds of 720p on two processors: 1.2 s of analysis (no face finder), 2.6 s of render.
 */
const analysisShare = 0.25;

/**
 * Analyses the next clip of the task while this one is rendered: neither keeps all processors busy.
 * Never rejects: if it fails, the clip's own job repeats the analysis.
 */
async function analyseNext(
  service: { db: Db; finders: Finders; log: Log },
  { task_id: taskId, source }: { task_id: string; source: StoredSource | null },
  localPath: (key: string) => Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const next = await claimAnalysis(service.db, taskId);
    if (!next) return;
    const file = await openClip(localPath, { ...next, source });
    await frameClip(service, next, file, { signal });
  } catch (error) {
    if (signal.aborted) return;
    service.log({ event: 'framing-failed', id: taskId, message: formatError(error) });
  }
}

/** Stores the segments of a preview while it is rendered, so that it can already be played. */
class SegmentStore {
  readonly #service: Files & { db: Db; log: Log };
  readonly #attempt: JobAttempt;
  readonly #keys: string[] = [];
  readonly #begun = Promise.withResolvers<void>();
  #isBroken = false;

  constructor(service: Files & { db: Db; log: Log }, attempt: JobAttempt) {
    this.#service = service;
    this.#attempt = attempt;
  }

  /** Resolves once a page can begin to play them. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  async add(path: string): Promise<void> {
    await this.#unlessBroken(async () => {
      const key = makeKey(this.#attempt, 'm4s');
      await this.#service.storage.put(key, path, { maxMs: 5000 });
      this.#keys.push(key);
      // The first is the initialization segment: there is nothing to play yet.
      if (this.#keys.length === 1) return;
      await this.#note(false);
      this.#begun.resolve();
    });
  }

  async complete(): Promise<void> {
    await this.#unlessBroken(async () => {
      await this.#note(true);
      await this.removeLater();
    });
  }

  /** A page that plays them may still have to load the last ones. */
  removeLater(): Promise<void> {
    return removeFilesLater(this.#service.db, this.#keys, { soon: false });
  }

  #note(isComplete: boolean): Promise<void> {
    return writeStream(this.#service.db, this.#attempt, { keys: this.#keys, isComplete });
  }

  /** The preview itself does not need the segments. */
  async #unlessBroken(work: () => Promise<void>): Promise<void> {
    if (this.#isBroken) return;
    try {
      await work();
    } catch (error) {
      if (error instanceof AttemptLost) throw error;
      this.#isBroken = true;
      const { id } = this.#attempt;
      this.#service.log({ event: 'segment-not-stored', id, message: formatError(error) });
    }
  }
}

/**
 * The priority of a preview that no user waits for: other renders get three times as much processor
 * time.
 */
const quietNiceness = 15;

interface PreviewWork {
  edit: Edit;
  file: ClipSource;
  fonts: readonly OwnFont[];
  music: string | undefined;
  isUrgent: boolean;
}

/** Renders preview and poster of an analysed clip, and publishes them. */
async function renderClip(
  service: Files & { db: Db; log: Log },
  attempt: JobAttempt,
  { edit, file, fonts, music, isUrgent }: PreviewWork,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const [cut, source] = [file.on(edit), file.path];
  const keys = { preview_key: makeKey(attempt, 'mp4'), poster_key: makeKey(attempt, 'jpg') };
  const name = `preview-${attempt.id}-${attempt.number}`;
  const storyboardKey = makeKey(attempt, 'jpg');
  const { files, strip } = await withWorkDirectory(service, name, async (directory) => {
    const poster = join(directory, 'poster.jpg');
    const preview = join(directory, 'preview.mp4');
    const storyboard = join(directory, 'storyboard.jpg');
    const segments = isUrgent ? new SegmentStore(service, attempt) : null;
    const paths = fonts.map(({ path }) => path);
    const began = performance.now();
    await render(cut, {
      source,
      music,
      output: preview,
      quality: 'preview',
      fonts: paths,
      niceness: quietNiceness,
      signal,
      onSegment: segments ? (path) => segments.add(path) : undefined,
      onProgress: (share) =>
        progress.report('preview', analysisShare + share * (1 - analysisShare)),
    });
    const ratio = (performance.now() - began) / 1000 / edit.duration;
    await segments?.complete();
    await renderPoster(cut, { source, output: poster, fonts: paths, signal });
    const strip = await renderStoryboard(edit, { clip: preview, output: storyboard, signal });
    await progress.settled();
    const fields = { id: attempt.id, quality: 'preview', ratio };
    service.log({ event: 'rendered', level: 'debug', ...fields });
    const files = {
      [keys.poster_key]: poster,
      [keys.preview_key]: preview,
      [storyboardKey]: storyboard,
    };
    await store(service.storage, files);
    return { files, strip };
  });
  const storyboard = JSON.stringify({ ...strip, key: storyboardKey });
  const settled = await recordStored(service.storage, files, () =>
    settlePreview(service.db, attempt, { preview: 'ready', ...keys, storyboard }, noPreview),
  );
  logPreview(service.log, settled);
}

/**
 * Renders a clip only to be played meanwhile: as a few of its pictures frame it, while all of them
 * are analysed and its preview is made. `begun` resolves once it can be played, and `ended` when
 * all of it can be; both also if it fails, as the preview does not need it.
 */
function streamDraft(
  service: Files & { db: Db; finders: Finders; log: Log },
  attempt: JobAttempt,
  {
    clip,
    file,
    music,
    findFonts,
  }: { clip: ProjectRow; file: ClipSource; music: string | undefined; findFonts: FindFonts },
  signal: AbortSignal,
): { begun: Promise<void>; ended: Promise<void> } {
  const segments = new SegmentStore(service, attempt);
  const { id, number } = attempt;
  const source = file.path;
  const ended = withWorkDirectory(service, `draft-${id}-${number}`, async (directory) => {
    const prepared = prepareRender(file.on(clip.edit), { source, music, directory, signal });
    prepared.catch(() => {});
    const edit = await frameDraft(service, clip, file, signal);
    const fonts = await findFonts(edit);
    await render(file.on(edit), {
      source,
      output: join(directory, 'draft.mp4'),
      quality: 'preview',
      fonts: fonts.map(({ path }) => path),
      prepared,
      signal,
      onSegment: (path) => segments.add(path),
    });
    await segments.complete();
  }).catch(async (error: unknown) => {
    // What these have left is removed with the attempt.
    if (signal.aborted || error instanceof AttemptLost) return;
    service.log({ event: 'draft-failed', id, message: formatError(error) });
    await segments.removeLater();
  });
  return { begun: Promise.race([segments.begun, ended]), ended };
}

type FindFonts = (edit: Edit) => Promise<readonly OwnFont[]>;

/**
 * Analyses a clip and renders its preview. With the last of its previews a task is ready. If a
 * person waits for it, a draft can be played first.
 */
export async function makePreview(
  service: Files & { db: Db; finders: Finders; log: Log },
  { attempt, row: clip, isUrgent }: Begun<'preview'> & { isUrgent: boolean },
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  progress.report('preview', 0);
  await withLocalFiles(service.storage, signal, async (localPath) => {
    const file = await openClip(localPath, clip);
    const findFonts: FindFonts = ({ style }) =>
      findOwnFonts(service.db, clip.author_id, style ? [style] : [], { at: null, localPath });
    const { music } = await findMediaFiles(service.db, clip.edit, ['music'], localPath);
    const stop = new AbortController();
    const besideSignal = AbortSignal.any([signal, stop.signal]);
    let beside: Promise<void> | null = null;
    try {
      const isDrafted = isUrgent && (await needsAnalysis(service, clip));
      if (isDrafted) {
        const work = { clip, file, music, findFonts };
        await startDraft(() => {
          const { begun, ended } = streamDraft(service, attempt, work, besideSignal);
          beside = ended;
          return begun;
        });
      }
      const edit = await frameClip(service, clip, file, {
        signal,
        onProgress: (share) => progress.report('preview', share * analysisShare),
      });
      const fonts = await findFonts(edit);
      // A person who waits for this clip waits for no other one.
      if (!isUrgent) beside = analyseNext(service, clip, localPath, besideSignal);
      const isAwaited = isUrgent && !isDrafted;
      const work = { edit, file, fonts, music, isUrgent: isAwaited };
      const make = () => renderClip(service, attempt, work, progress, signal);
      await (isAwaited ? runUrgently(make) : make());
    } catch (error) {
      stop.abort();
      throw error;
    } finally {
      await beside;
    }
  });
}

const makeKey = (attempt: JobAttempt, extension: string): string =>
  `previews/${attempt.id}/${makeAttemptFileName(attempt, extension)}`;
