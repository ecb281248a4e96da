import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  analyse,
  type Analysis,
  cutSegment,
  drawingNotes,
  drawingTools,
  type Edit,
  hasFillers,
  type IngestedSource,
  makeClips,
  makeEdit,
  pickCandidatesAsync,
  renderFirstPosters,
  sentencesWithin,
  type ProviderFailure,
  sourceNotes,
  type Span,
  type Style,
  subtitleFile,
  wholeInputs,
} from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import { presetsOfAuthor } from '../appearance/queries.ts';
import type { ServiceContext } from '../context.ts';
import type { NewProject } from '../clips/queries.ts';
import type { StoredSegment, StoredSource, TaskRow } from '../db/schema.ts';
import { addClips, readFurtherAnalysis, readTakenSpans } from './queries.ts';
import type { Attempt, Begun } from '../queue/attempt-queries.ts';
import { previewWork, unknownPreset } from '../clips/rules.ts';
import { inWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { AnalysisProgress } from './analysis-progress.ts';
import { modelChoice, transcribeOnce, translated } from './providers.ts';
import { openSource } from './source.ts';
import { taskShare, unknownTaskFailure } from './rules.ts';
import { WorkFailure } from '../queue/queue.ts';
import { ownRows, type RowKind } from '../queue/run-job.ts';
import type { RowProgress } from '../queue/progress.ts';
import { attemptFileName, publish } from '../queue/publish.ts';

type Dependencies = Pick<
  ServiceContext,
  | 'db'
  | 'finders'
  | 'log'
  | 'presets'
  | 'queue'
  | 'ranking'
  | 'recognisesSpeech'
  | 'storage'
  | 'segments'
  | 'transcribers'
  | 'translator'
  | 'workDirectory'
>;

/** The style that the task names. The preset may have been removed since. */
async function styleOf(
  service: Pick<ServiceContext, 'db' | 'presets'>,
  { author_id, request }: TaskRow,
): Promise<Style | undefined> {
  const id = request.style_preset_id;
  if (id === undefined) return undefined;
  const presets = await presetsOfAuthor(service, author_id);
  const preset = presets.get(id);
  if (preset) return preset.style;
  const text = unknownPreset(presets, id);
  throw new WorkFailure('preset-unknown', `The style preset has been removed: ${text}.`);
}

/**
 * Shorter clips say little. The specification's own minimum is one second; clips are only shorter
 * than this if the source would otherwise have too few.
 */
const preferredMinSeconds = 8;

/** Seconds before and after a clip that are translated too, so that it can be made longer. */
const beside = 15;

/** A clip that has no poster yet. */
type UnshownProject = Omit<NewProject, 'posterKey' | 'segment' | 'work'>;

/** The range of a request in a source that may end a little earlier than it. */
const rangeIn = ({ start, end }: Span, { media: { duration } }: IngestedSource): Span => ({
  start,
  end: Math.min(end, duration),
});

/** The clips of a task, and what could not be done as it was asked. */
async function makeProjects(
  service: Dependencies,
  task: TaskRow,
  source: NonNullable<TaskRow['source']>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<{ projects: UnshownProject[]; notes: Note[]; analysis: Analysis | null }> {
  const { request } = task;
  progress.report('scan', taskShare('scan', 0));
  const failed: ProviderFailure[] = [];
  const reported = new AnalysisProgress(progress);
  const analysis = request.further
    ? await readFurtherAnalysis(service.db, task)
    : await withLocalFiles(service.storage, signal, async (localPath) => {
        const opened = await openSource(localPath, source);
        return analyse(opened, {
          ...(request.language !== undefined && { language: request.language }),
          ...(request.transcription_context !== undefined && {
            context: request.transcription_context,
          }),
          ...(request.source_range && { range: rangeIn(request.source_range, opened) }),
          transcribe: async (job) => {
            const result = await transcribeOnce(service, task.id, reported.watch(job));
            failed.push(...result.failures);
            return result;
          },
          signal,
          onProgress: (share) => reported.report(share),
        });
      });
  progress.report('candidates', taskShare('candidates', 0));
  const wanted = {
    editing: request.editing_options,
    dimensions: request.dimensions,
    style: await styleOf(service, task),
  };
  const inTarget = (spans: readonly Span[]): Promise<Analysis> =>
    request.translate_to === undefined
      ? Promise.resolve(analysis)
      : translated(service, analysis, { taskId: task.id, to: request.translate_to, spans, signal });
  const { captions, intro_title, remove_fillers } = request.editing_options;
  const language = analysis.transcript?.language ?? null;
  const notesOf = (
    spans: readonly Span[],
    rankingFailed: boolean,
    chosen: Pick<WordsMade, 'topicsWithout' | 'strong'> = { topicsWithout: [], strong: null },
  ): Note[] => [
    ...sourceNotes(analysis.media),
    ...taskNotes({
      ...chosen,
      failed,
      recognises: service.recognisesSpeech,
      words: analysis.transcript !== null,
      wanted: captions || intro_title,
      translateTo: request.translate_to,
      spoken: !!analysis.transcript && sentencesWithin(analysis.transcript, spans).length > 0,
      rankingFailed,
      fillersOf: remove_fillers && language !== null && !hasFillers(language) ? language : null,
    }),
  ];
  if (request.type === 'video-to-video') {
    const span = analysis.scanned ?? { start: 0, end: analysis.duration };
    const inputs = wholeInputs(await inTarget([span]), { ...wanted, title: request.name });
    const named = { id: task.output_id, name: request.name, score: null, explanation: null };
    const whole = [{ ...named, inputs, edit: makeEdit(inputs) }];
    const noted = await withNotes(whole, notesOf([span], false), signal);
    return { ...noted, analysis: null };
  }
  const without = request.further ? await readTakenSpans(service.db, task) : [];
  const count = Math.min(request.target_clip_count, request.max_clip_count);
  // A clip about a topic is what was asked for, also if it is weak.
  const minCount = request.topics ? count : Math.min(count, request.min_clip_count ?? 1);
  const options = {
    count,
    minCount,
    min: request.min_duration,
    max: request.max_duration,
    target: request.target_duration,
    topics: request.topics,
    without,
    language: request.translate_to ?? request.language,
  };
  let rankingFailed = false;
  // The model does not know of the clips that there are, and may choose the same again.
  const question = { ...options, count: options.count + without.length };
  const favoured = await modelChoice(service, task.id, analysis, question, signal, () => {
    rankingFailed = true;
  });
  // Moments are found in the source's own words; what is shown of them is translated.
  const asked = { ...options, ...(favoured && { favoured }) };
  const longer =
    options.min === 1 && options.max >= preferredMinSeconds
      ? await pickCandidatesAsync(analysis, { ...asked, min: preferredMinSeconds }, signal)
      : [];
  // A sentence that mentions a topic is no clip about it.
  const isEnough = longer.length >= (options.topics ? 1 : minCount);
  const candidates = isEnough ? longer : await pickCandidatesAsync(analysis, asked, signal);
  const topicsWithout = (request.topics ?? []).filter(
    (one) => !candidates.some(({ topic }) => topic === one),
  );
  if (candidates.length === 0 && request.topics) {
    throw new WorkFailure('topics-not-found', noClipAbout(topicsWithout, analysis));
  }
  const shown = await inTarget(
    candidates.map(({ start, end }) => ({ start: start - beside, end: end + beside })),
  );
  const clips = makeClips(
    candidates,
    { source: analysis, shown },
    { ...wanted, minSeconds: request.min_duration, name: request.name },
  );
  const projects = clips.map(({ title, ...clip }) => ({ ...clip, id: randomUUID(), name: title }));
  const isFewer =
    !!request.asks_count && candidates.length >= minCount && candidates.length < count;
  const strong = isFewer ? { count: candidates.length, of: count } : null;
  const notes = notesOf(candidates, rankingFailed, { topicsWithout, strong });
  const noted = await withNotes(projects, notes, signal);
  return { ...noted, analysis };
}

export const scanRows: RowKind<'scan'> = {
  ...ownRows,
  kind: 'scan',
  logName: 'task',
  doneEvent: 'task-scanned',
  unknownFailure: unknownTaskFailure,
};

/** Makes the clips of a task out of its source, and leaves their previews to jobs of their own. */
export async function scanSource(
  service: Dependencies,
  { attempt, row: task }: Begun<'scan'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const { source } = task;
  if (!source) throw new Error('The task has no source.');
  const { projects, notes, analysis } = await makeProjects(service, task, source, progress, signal);
  if (projects.length === 0 && task.request.further) {
    throw new WorkFailure(
      'no-further-clips',
      'What is left of this video makes no clip of the durations asked for.',
    );
  }
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
  await recordWithPosters(service, attempt, source, clips, signal, (shown) =>
    addClips(service.db, service.queue, attempt, task, { projects: shown, notes, analysis }),
  );
}

/**
 * The clips, each with notes of what of it cannot be drawn here, and `notes` with those of all
 * clips.
 * Throws only the signal's reason.
 */
async function withNotes<Clip extends { edit: Edit }>(
  clips: readonly Clip[],
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<{ projects: (Clip & { notes: Note[] })[]; notes: Note[] }> {
  const edits = clips.map(({ edit }) => edit);
  const tools = await drawingTools(edits, signal);
  return {
    projects: clips.map((clip) => ({ ...clip, notes: drawingNotes([clip.edit], tools) })),
    notes: [...notes, ...drawingNotes(edits, tools)],
  };
}

const quoted = (topics: readonly string[]): string =>
  topics.map((topic) => `“${topic}”`).join(', ');

const noClipAbout = (topics: readonly string[], { transcript }: Analysis): string =>
  transcript
    ? `Nothing in this video is about ${quoted(topics)} for long enough. Use other topics, shorter clips, or none.`
    : `No words are known of this video, so nothing can be found about ${quoted(topics)}. Add subtitles, or leave the topics out.`;

/** How the words of a source came about, and what was to be done with them. */
interface WordsMade {
  /** The topics that no clip is about. */
  topicsWithout: readonly string[];
  /** How many clips were made of how many that were asked for; null if that is not fewer. */
  strong: { count: number; of: number } | null;
  /** The providers of words that failed. */
  failed: readonly ProviderFailure[];
  /** Whether the service recognises speech. */
  recognises: boolean;
  /** Whether something is said, as far as is known. */
  words: boolean;
  /** Whether captions or a title of the own words were asked for. */
  wanted: boolean;
  translateTo: string | undefined;
  /** Whether there was speech in what is shown, to be translated. */
  spoken: boolean;
  rankingFailed: boolean;
  /** The language whose fillers were to be removed, and are not known. */
  fillersOf: string | null;
}

/** Whether the speech model could not be downloaded or read. */
const isOfModel = ({ error }: ProviderFailure): boolean => error === 'SpeechModelError';

/** What recognises speech, by the names of the transcribers. */
const recognisers: Readonly<Record<string, string>> = {
  'speech-server': 'the speech server',
  'speech-model': 'the speech model of the service',
};

const withoutModel =
  'The service could not download or read its speech model, so speech was not recognised. Recognise it later, or add subtitles. For the service’s operator: the log says what failed. Set SPEECH_MODEL_URL to a mirror, SPEECH_MODEL to a folder that has the model, or SPEECH_URL to a speech server.';
const withoutSpeech =
  'No speech was recognised in it. If there is some, add subtitles, or put a subtitle file beside it (the same address, ending in .vtt or .srt).';
const withoutRecognition =
  'Put a subtitle file beside it (the same address, ending in .vtt or .srt). The service does not recognise speech: its operator can switch that on with SPEECH_MODEL or SPEECH_URL.';

/** What of a task could not be done as it was asked. */
function taskNotes(made: WordsMade): Note[] {
  const {
    failed,
    recognises,
    words,
    wanted,
    translateTo,
    spoken,
    topicsWithout,
    strong,
    rankingFailed,
    fillersOf,
  } = made;
  const noteIf = (is: boolean, code: Note['code'], message: string): Note[] =>
    is ? [{ code, message }] : [];
  const lacksModel = failed.some(isOfModel);
  return [
    ...failed.flatMap((failure) =>
      failure.provider === subtitleFile.name
        ? noteIf(
            true,
            'subtitles-unusable',
            'The subtitle file beside this video was not used: it has no words with times that can be read. Use an SRT, WebVTT, ASS, SBV or TTML file in UTF-8.',
          )
        : noteIf(
            !isOfModel(failure) || words || !wanted,
            'transcriber-failed',
            `Speech recognition failed (${recognisers[failure.provider] ?? failure.provider}). The service’s log says why. Recognise speech once more, or add subtitles.`,
          ),
    ),
    ...noteIf(
      !words && wanted,
      'no-words',
      `No words are known of this video, so it has no captions and no title of its own. ${
        lacksModel ? withoutModel : recognises ? withoutSpeech : withoutRecognition
      }`,
    ),
    ...noteIf(
      translateTo !== undefined && !spoken,
      'nothing-to-translate',
      `Nothing was translated to ${translateTo}, as no words are known of what is shown.`,
    ),
    ...noteIf(
      topicsWithout.length > 0,
      'topic-not-found',
      `No clip is about ${quoted(topicsWithout)}: nothing in this video is, for long enough.`,
    ),
    ...noteIf(
      strong !== null,
      'fewer-clips',
      `${strong?.count} of ${strong?.of} clips were made: what is left of this video is too weak or too short.`,
    ),
    ...noteIf(
      fillersOf !== null,
      'fillers-unknown',
      `No filler words were removed: those of this language (${fillersOf}) are not known.`,
    ),
    ...noteIf(
      rankingFailed,
      'ranking-failed',
      'The language model that helps to choose clips failed, so the engine chose them alone. The service’s log says why.',
    ),
  ];
}

/**
 * Draws a first poster for each clip of a task, cuts its segment out of the source, and records the
 * clips with the keys of these files, so no listed clip is without a poster. They are stored under
 * the task's id: until the clips are recorded, only the task can find them.
 */
async function recordWithPosters(
  service: Pick<ServiceContext, 'finders' | 'log' | 'storage' | 'segments' | 'workDirectory'>,
  attempt: Attempt,
  source: StoredSource,
  clips: readonly Omit<NewProject, 'posterKey' | 'segment'>[],
  signal: AbortSignal,
  note: (clips: NewProject[]) => Promise<unknown>,
): Promise<void> {
  if (clips.some(({ edit }) => edit.needsAnalysis)) service.finders.prepare();
  const name = `task-${attempt.id}-${attempt.number}-posters`;
  await inWorkDirectory(service, name, async (directory) => {
    const posters = clips.map((clip) => ({
      clip,
      key: `posters/${attempt.id}/${attemptFileName(attempt, 'jpg')}`,
      edit: clip.edit,
      output: join(directory, `${clip.id}.jpg`),
    }));
    const cut = await withLocalFiles(service.storage, signal, async (localPath) => {
      const path = await localPath(source.key);
      await renderFirstPosters(posters, { source: path, signal });
      return cutSegments(service, attempt, clips, { source: path, directory, signal });
    });
    const files = Object.fromEntries(posters.map(({ key, output }) => [key, output]));
    await publish(service.storage, { ...files, ...cut.files }, () =>
      note(
        posters.map(({ clip, key }) => ({
          ...clip,
          posterKey: key,
          segment: cut.segments.get(clip.id) ?? null,
        })),
      ),
    );
  });
}

/**
 * Cuts each clip's own piece out of the source, so that its renders need no more of it. A clip
 * whose segment would not be exact is rendered from the source. Returns the segments by the clips'
 * ids, and their files by storage key.
 */
async function cutSegments(
  service: Pick<ServiceContext, 'log' | 'segments'>,
  attempt: Attempt,
  clips: readonly Pick<NewProject, 'id' | 'edit'>[],
  { source, directory, signal }: { source: string; directory: string; signal: AbortSignal },
): Promise<{ segments: Map<string, StoredSegment>; files: Record<string, string> }> {
  const segments = new Map<string, StoredSegment>();
  const files: Record<string, string> = {};
  if (!service.segments) return { segments, files };
  for (const { id, edit } of clips) {
    const output = join(directory, `${id}.segment`);
    const cut = await cutSegment(edit, { source, output, signal });
    if (!cut) {
      service.log({ event: 'no-segment', id });
      continue;
    }
    // Under the task's id, as the posters: until the clips are recorded, only the task finds them.
    const key = `segments/${attempt.id}/${attemptFileName(attempt, 'video')}`;
    segments.set(id, { key, ...cut });
    files[key] = output;
  }
  return { segments, files };
}
