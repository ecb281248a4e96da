import { randomUUID } from 'node:crypto';
import {
  analyse,
  makeClips,
  makeEdit,
  pickCandidatesAsync,
  sentencesWithin,
  transcriptFrom,
  wholeInputs,
  type Analysis,
  type Span,
  type Style,
} from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import type { ServiceContext } from '../context.ts';
import type { NewProject } from '../clips/queries.ts';
import type { TaskRow } from '../db/schema.ts';
import { addClips } from './queries.ts';
import type { Begun } from '../queue/attempt-queries.ts';
import { previewWork } from '../clips/work.ts';
import { withLocalFiles } from '../storage/local-files.ts';
import { taskNotes, withNotes } from './notes.ts';
import { modelChoice } from './ranking.ts';
import { openSource } from './source.ts';
import { taskShare, type TaskStage } from './task-stages.ts';
import { transcribeOnce } from './transcription.ts';
import { translated } from './translation.ts';
import { unknownPreset } from '../clips/unknown-preset.ts';
import { WorkFailure } from '../queue/work-failure.ts';
import { noteWithPosters } from './first-posters.ts';
import type { RowProgress } from '../queue/progress.ts';

type Needs = Pick<
  ServiceContext,
  | 'db'
  | 'finders'
  | 'log'
  | 'presets'
  | 'queue'
  | 'ranking'
  | 'storage'
  | 'stretches'
  | 'transcribers'
  | 'translator'
  | 'workDirectory'
>;

/** Tells how far a stage is, 0 to 1. */
const tell = (progress: RowProgress, stage: TaskStage, share: number): void =>
  progress.report(stage, taskShare(stage, share));

/** Tells how far the analysis is: what is seen and heard first, then what is said. */
const tellAnalysed = (progress: RowProgress, share: number): void =>
  share < transcriptFrom
    ? tell(progress, 'scan', share / transcriptFrom)
    : tell(progress, 'transcript', (share - transcriptFrom) / (1 - transcriptFrom));

/** The style that the task names. The operator may have removed the preset since. */
function styleOf(
  service: Pick<ServiceContext, 'presets'>,
  id: string | undefined,
): Style | undefined {
  if (id === undefined) return undefined;
  const preset = service.presets.get(id);
  if (preset) return preset.style;
  const text = unknownPreset(service.presets, id);
  throw new WorkFailure('preset-unknown', `The style preset has been removed: ${text}.`);
}

/**
 * Shorter clips say little. The specification's own minimum is one second; clips are only shorter
 * than this if the source would otherwise have too few.
 */
const preferredMinSeconds = 8;

/** So many seconds before and after a clip are translated too, for who makes it longer. */
const beside = 15;

/** A clip that has no poster yet. */
type UnshownProject = Omit<NewProject, 'posterKey' | 'stretch' | 'work'>;

/** The clips of a task, and what could not be done as it was asked. */
async function makeProjects(
  service: Needs,
  task: TaskRow,
  source: NonNullable<TaskRow['source']>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<{ projects: UnshownProject[]; notes: Note[]; analysis: Analysis | null }> {
  const { request } = task;
  tell(progress, 'scan', 0);
  const failed: string[] = [];
  const analysis = await withLocalFiles(service.storage, signal, async (localPath) => {
    const opened = await openSource(localPath, source);
    return analyse(opened, {
      ...(request.language !== undefined && { language: request.language }),
      ...(request.transcription_context !== undefined && {
        context: request.transcription_context,
      }),
      transcribe: async (job) => {
        const result = await transcribeOnce(service, task.id, job);
        failed.push(...result.setbacks.map(({ provider }) => provider));
        return result;
      },
      signal,
      onProgress: (share) => tellAnalysed(progress, share),
    });
  });
  tell(progress, 'candidates', 0);
  const wanted = {
    editing: request.editing_options,
    dimensions: request.dimensions,
    style: styleOf(service, request.style_preset_id),
  };
  const inTarget = (spans: readonly Span[]): Promise<Analysis> =>
    request.translate_to === undefined
      ? Promise.resolve(analysis)
      : translated(service, analysis, { taskId: task.id, to: request.translate_to, spans, signal });
  const { captions, intro_title } = request.editing_options;
  const notesOf = (spans: readonly Span[], rankingFailed: boolean): Note[] =>
    taskNotes({
      failed,
      words: analysis.transcript !== null,
      wanted: captions || intro_title,
      translateTo: request.translate_to,
      spoken: !!analysis.transcript && sentencesWithin(analysis.transcript, spans).length > 0,
      rankingFailed,
    });
  if (request.type === 'video-to-video') {
    const span = { start: 0, end: analysis.duration };
    const basis = wholeInputs(await inTarget([span]), { ...wanted, title: request.name });
    const named = { id: task.output_id, name: request.name, score: null, explanation: null };
    const whole = [{ ...named, basis, edit: makeEdit(basis) }];
    const noted = await withNotes(whole, notesOf([span], false), signal);
    return { ...noted, analysis: null };
  }
  const wish = {
    count: Math.min(request.target_clip_count, request.max_clip_count),
    min: request.min_duration,
    max: request.max_duration,
    target: request.target_duration,
    language: request.translate_to ?? request.language,
  };
  let rankingFailed = false;
  const favoured = await modelChoice(service, task.id, analysis, wish, signal, () => {
    rankingFailed = true;
  });
  // Moments are found in the source's own words; what is shown of them is translated.
  const asked = { ...wish, ...(favoured && { favoured }) };
  const longer =
    wish.min === 1 && wish.max >= preferredMinSeconds
      ? await pickCandidatesAsync(analysis, { ...asked, min: preferredMinSeconds }, signal)
      : [];
  const candidates =
    longer.length === wish.count ? longer : await pickCandidatesAsync(analysis, asked, signal);
  const shown = await inTarget(
    candidates.map(({ start, end }) => ({ start: start - beside, end: end + beside })),
  );
  const clips = makeClips(
    candidates,
    { source: analysis, shown },
    { ...wanted, minSeconds: request.min_duration, name: request.name },
  );
  const projects = clips.map(({ title, ...clip }) => ({ ...clip, id: randomUUID(), name: title }));
  const noted = await withNotes(projects, notesOf(candidates, rankingFailed), signal);
  return { ...noted, analysis: { ...analysis, cuts: [], loudness: { step: 1, values: [] } } };
}

/** Makes the clips of a task out of its source, and leaves their previews to jobs of their own. */
export async function scanSource(
  service: Needs,
  { attempt, row: task }: Begun<'scan'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const { source } = task;
  if (!source) throw new Error('The task has no source.');
  const { projects, notes, analysis } = await makeProjects(service, task, source, progress, signal);
  if (projects.length === 0) {
    throw new WorkFailure(
      'no-clips',
      'No part of the source fits the durations asked for. Allow a shorter min_duration, or take a longer source.',
    );
  }
  for (const { code, message } of notes) {
    service.log({ event: 'note', id: attempt.id, code, message });
  }
  signal.throwIfAborted();
  const clips = projects.map((project) => ({
    ...project,
    work: previewWork(project.edit, source),
  }));
  await progress.settled();
  await noteWithPosters(service, attempt, source, clips, signal, (shown) =>
    addClips(service.db, service.queue, attempt, task, { projects: shown, notes, analysis }),
  );
}
