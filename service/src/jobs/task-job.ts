import { randomUUID } from 'node:crypto';
import { maxInputSeconds } from 'clip-kit/contract';
import type { ServiceContext } from '../context.ts';
import type { TaskRow } from '../objects.ts';
import { analyse, type Analysis, type Span } from '../media/analysis.ts';
import { pickCandidates } from '../media/candidates.ts';
import { installedLetters, missingLetters } from '../media/letters.ts';
import { titleOf } from '../media/title.ts';
import { sentencesWithin } from '../media/translation/translated-transcript.ts';
import { planShort, planWhole, type Plan } from '../media/plan.ts';
import type { Style } from '../media/style.ts';
import { unknownPreset } from '../presets.ts';
import { modelFavour } from '../ranking.ts';
import { fetchSource, openSource } from '../source.ts';
import { transcribeOnce } from '../transcription.ts';
import { translated } from '../translation.ts';
import { renderPreviews } from './previews.ts';
import type { RowProgress } from './progress.ts';
import { WorkFailure } from './run-job.ts';

interface PlannedProject {
  id: string;
  name: string;
  score: number | null;
  explanation: string | null;
  plan: Plan;
}

/** The share of a task's work that is done before each stage begins. */
const begins = { ingest: 0, scan: 0.2, preview: 0.5 } as const;

const ingestAgain = async (
  service: ServiceContext,
  task: TaskRow,
  progress: RowProgress,
  signal: AbortSignal,
) => {
  const source = await fetchSource(service, task.id, task.request.source_video_url, {
    maxSeconds: maxInputSeconds[task.type],
    signal,
    onProgress: (share) => progress.report('ingest', share * begins.scan),
  });
  await service.db
    .updateTable('tasks')
    .set({ source: JSON.stringify(source) })
    .where('id', '=', task.id)
    .execute();
  return source;
};

/** The style that the task named when it was made. An operator may have taken the preset away since. */
const styleOf = (service: ServiceContext, id: string | undefined): Style | undefined => {
  if (id === undefined) return undefined;
  const preset = service.presets.get(id);
  if (preset) return preset.style;
  const { message } = unknownPreset(service.presets, 'style_preset_id', id);
  throw new WorkFailure('preset-unknown', `The style preset has been removed: ${message}.`);
};

const planProjects = async (
  service: ServiceContext,
  task: TaskRow,
  source: NonNullable<TaskRow['source']>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<PlannedProject[]> => {
  const { request } = task;
  progress.report('scan', begins.scan);
  const analysis = await analyse(await openSource(service, source), {
    ...(request.language !== undefined && { language: request.language }),
    ...(request.transcription_context !== undefined && { context: request.transcription_context }),
    transcribe: (job) => transcribeOnce(service, task.id, job),
    signal,
    onProgress: (share) =>
      progress.report('scan', begins.scan + share * (begins.preview - begins.scan)),
  });
  const wanted = {
    editing: request.editing_options,
    dimensions: request.dimensions,
    style: styleOf(service, request.style_preset_id),
  };
  const inTarget = (spans: readonly Span[]): Promise<Analysis> =>
    request.translate_to === undefined
      ? Promise.resolve(analysis)
      : translated(service, analysis, { taskId: task.id, to: request.translate_to, spans, signal });
  if (request.type === 'video-to-video') {
    const whole = await inTarget([{ start: 0, end: analysis.duration }]);
    const plan = planWhole(whole, { ...wanted, title: request.name });
    return [{ id: task.output_id, name: request.name, score: null, explanation: null, plan }];
  }
  const wish = {
    count: Math.min(request.target_clip_count, request.max_clip_count),
    min: request.min_duration,
    max: request.max_duration,
    target: request.target_duration,
    language: request.translate_to ?? request.language,
  };
  const favour = await modelFavour(service, task.id, analysis, wish, signal);
  // Moments are found in the source's own words; what is shown of them is translated.
  const candidates = pickCandidates(analysis, { ...wish, ...(favour && { favour }) });
  const shown = await inTarget(candidates);
  return candidates.map((candidate) => {
    const title = shown === analysis ? null : titleIn(shown, candidate);
    const named = title === null ? candidate : { ...candidate, title };
    return {
      id: randomUUID(),
      name: named.title,
      score: Math.min(1, Math.max(0, candidate.score)),
      explanation: candidate.explanation,
      plan: planShort(shown, named, {
        ...wanted,
        least: request.min_duration,
        name: request.name,
      }),
    };
  });
};

/** A title of the translated words of a clip; null where there are none. */
const titleIn = ({ transcript }: Analysis, clip: Span): string | null =>
  transcript &&
  titleOf(sentencesWithin(transcript, [clip]), {
    language: transcript.language,
    start: clip.start,
  });

/** Says in the log which letters will be boxes, as no installed font has them. */
const reportMissingLetters = async (
  service: ServiceContext,
  taskId: string,
  projects: readonly PlannedProject[],
  signal: AbortSignal,
): Promise<void> => {
  if (!projects.some(({ plan }) => plan.captions.length > 0 || plan.title)) return;
  const installed = await installedLetters(signal);
  if (!installed) return;
  const letters = new Set(projects.flatMap(({ plan }) => missingLetters(plan, installed)));
  if (letters.size === 0) return;
  service.log({
    event: 'letters-missing',
    id: taskId,
    letters: [...letters].slice(0, 20).join(''),
    message:
      'No installed font has these letters of captions or titles, so they are drawn as boxes. Install one that has them, such as fonts-noto-core or fonts-noto-cjk.',
  });
};

const insertProjects = (
  service: ServiceContext,
  task: TaskRow,
  projects: readonly PlannedProject[],
): Promise<unknown> =>
  service.db
    .insertInto('projects')
    .values(
      projects.map((project, position) => ({
        id: project.id,
        author_id: task.author_id,
        task_id: task.id,
        folder_id: task.output_type === 'folder' ? task.output_id : null,
        position,
        name: project.name,
        virality_score: project.score,
        virality_score_explanation: project.explanation,
        plan: JSON.stringify(project.plan),
        preview: 'preparing' as const,
      })),
    )
    .execute();

/**
 * Works a task through: source, scan, plans, previews. Each step that an earlier attempt has finished is left as it is.
 */
export const workTask = async (
  service: ServiceContext,
  id: string,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> => {
  const task = await service.db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const source = task.source ?? (await ingestAgain(service, task, progress, signal));
  const planned = await service.db
    .selectFrom('projects')
    .select('id')
    .where('task_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (!planned) {
    const projects = await planProjects(service, task, source, progress, signal);
    if (projects.length === 0) {
      throw new WorkFailure(
        'no-clips',
        'No part of the source fits the durations asked for. Allow a shorter min_duration, or take a longer source.',
      );
    }
    await reportMissingLetters(service, id, projects, signal);
    signal.throwIfAborted();
    await insertProjects(service, task, projects);
    service.changes.announce();
  }
  await renderPreviews(service, id, source, signal, (share) =>
    progress.report('preview', begins.preview + share * (1 - begins.preview)),
  );
  await progress.settled();
  await service.db
    .updateTable('tasks')
    .set({ status: 'ready', share: 1, finished_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
};
