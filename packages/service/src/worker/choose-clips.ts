import { randomUUID } from 'node:crypto';
import {
  type Analysis,
  type Candidate,
  makeClips,
  type MutedWords,
  pickCandidatesAsync,
  type Span,
  type Style,
  type Presets,
} from 'clip-engine';
import { listPresets, readMutedWords } from '../appearance/queries.ts';
import { describeUnknownPreset } from '../clips/rules.ts';
import type { UnsavedClip } from '../clips/queries.ts';
import type { TaskRequest, TaskRow, Db } from '../db/schema.ts';
import { WorkFailure } from '../queue/queue.ts';
import { askModel, translateSpans } from '../tasks/providers.ts';
import { findUser } from '../users/queries.ts';

type Dependencies = Parameters<typeof askModel>[0] &
  Parameters<typeof translateSpans>[0] & { db: Db; presets: Presets };

/** The task of a request for clips. */
export type ShortsTask = TaskRow & { request: Extract<TaskRequest, { type: 'video-to-shorts' }> };

/** A clip that has no poster yet. */
export type UnshownClip = Omit<UnsavedClip, 'posterKey' | 'segment' | 'work' | 'notes'>;

/**
 * Finds what the organization sets for clips: the style that the task names, and the words that are
 * not heard. The preset may have been removed since.
 */
export async function findLook(
  service: { db: Db; presets: Presets },
  { author_id, request }: TaskRow,
): Promise<{ style?: Style | undefined; mutedWords?: MutedWords | undefined }> {
  const author = await findUser(service.db, author_id);
  if (!author) return {};
  const mutedWords = await readMutedWords(service.db, author.organization_id);
  const id = request.style_preset_id;
  if (id === undefined) return { mutedWords };
  const presets = await listPresets(service, author);
  const preset = presets.get(id);
  if (preset) return { style: preset.style, mutedWords };
  const text = describeUnknownPreset(presets, id);
  throw new WorkFailure('preset-unknown', `The style preset has been removed: ${text}.`);
}

/** The analysis in the language that the task asks for. */
export const translateAnalysis = (
  service: Dependencies,
  { id, request: { translate_to: to } }: TaskRow,
  analysis: Analysis,
  spans: readonly Span[],
  signal: AbortSignal,
): Promise<Analysis> =>
  to === undefined
    ? Promise.resolve(analysis)
    : translateSpans(service, analysis, { taskId: id, to, spans, signal });

/**
 * Shorter clips say little. The specification's own minimum is one second; clips are only shorter
 * than this if the source would otherwise have too few.
 */
const preferredMinSeconds = 8;

/** Seconds before and after a clip that are translated too, so that it can be made longer. */
const beside = 15;

interface ChosenClips {
  candidates: readonly Candidate[];
  clips: UnshownClip[];
  rankingFailed: boolean;
}

/** Chooses the clips of a task: up to `count`, weak ones only to have `minCount`. */
export async function chooseClips(
  service: Dependencies,
  task: ShortsTask,
  analysis: Analysis,
  wanted: { count: number; minCount: number; without: readonly Span[] },
  signal: AbortSignal,
): Promise<ChosenClips> {
  if (wanted.count <= 0) return { candidates: [], clips: [], rankingFailed: false };
  const { request } = task;
  const look = await findLook(service, task);
  const options = {
    ...wanted,
    min: request.min_duration,
    max: request.max_duration,
    target: request.target_duration,
    topics: request.topics,
    language: request.translate_to ?? request.language,
  };
  let rankingFailed = false;
  // The model does not know of the clips that there are, and may choose the same again.
  const question = { ...options, count: options.count + wanted.without.length };
  const favoured = await askModel(service, task.id, analysis, question, signal, () => {
    rankingFailed = true;
  });
  // Moments are found in the source's own words; what is shown of them is translated.
  const asked = { ...options, ...(favoured && { favoured }) };
  const longer =
    options.min === 1 && options.max >= preferredMinSeconds
      ? await pickCandidatesAsync(analysis, { ...asked, min: preferredMinSeconds }, signal)
      : [];
  // A sentence that mentions a topic is no clip about it.
  const isEnough = longer.length >= (options.topics ? 1 : wanted.minCount);
  const candidates =
    isEnough && longer.length > 0 ? longer : await pickCandidatesAsync(analysis, asked, signal);
  const spans = candidates.map(({ start, end }) => ({ start: start - beside, end: end + beside }));
  const clips = makeClips(
    candidates,
    { source: analysis, shown: await translateAnalysis(service, task, analysis, spans, signal) },
    {
      editing: request.editing_options,
      dimensions: request.dimensions,
      ...look,
      minSeconds: request.min_duration,
      name: request.name,
    },
  );
  return {
    candidates,
    clips: clips.map(({ title, ...clip }) => ({ ...clip, id: randomUUID(), name: title })),
    rankingFailed,
  };
}
