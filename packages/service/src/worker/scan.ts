import { join } from 'node:path';
import {
  analyse,
  type AnalyseOptions,
  type Analysis,
  cutSegment,
  listDrawingNotes,
  findDrawingTools,
  type Edit,
  formatError,
  frameOpening,
  hasFillers,
  type IngestedSource,
  makeEdit,
  renderFirstPosters,
  findSentencesWithin,
  type ProviderFailure,
  listSourceNotes,
  maskListedWords,
  type Span,
  subtitleFile,
  makeWholeInputs,
  runUrgently,
  type Finders,
} from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import type { Log } from '../config/config.ts';
import type { UnsavedClip } from '../clips/queries.ts';
import type { StoredSegment, StoredSource, TaskRow } from '../db/schema.ts';
import {
  chooseClips,
  translateAnalysis,
  type ShortsTask,
  findLook,
  type UnshownClip,
} from './choose-clips.ts';
import { addClips, addFirstClips, readFurtherAnalysis, readTakenSpans } from '../tasks/queries.ts';
import { failTask, replaceClips, withWords } from '../tasks/words-queries.ts';
import { type JobAttempt, type Begun, writeProgress } from '../queue/attempt-queries.ts';
import { estimatePreviewWork } from '../clips/rules.ts';
import { type Files, withWorkDirectory, withLocalFiles } from '../storage/work-directory.ts';
import { AnalysisProgress } from './analysis-progress.ts';
import { transcribeOnce } from '../tasks/providers.ts';
import { openSource } from './source.ts';
import { computeTaskShare, unknownTaskFailure } from '../tasks/rules.ts';
import { WorkFailure, type Queue } from '../queue/queue.ts';
import type { RowKind } from './run-job.ts';
import type { RowProgress } from './progress.ts';
import { makeAttemptFileName, publish } from './publish.ts';

type Dependencies = Parameters<typeof chooseClips>[0] &
  Parameters<typeof transcribeOnce>[0] &
  Parameters<typeof recordWithPosters>[0] & { queue: Queue; recognisesSpeech: boolean };

/** A clip that has no poster yet. */
type NotedClip = UnshownClip & Pick<UnsavedClip, 'notes'>;

/** The range of a request in a source that may end a little earlier than it. */
const clipRange = ({ start, end }: Span, { media: { duration } }: IngestedSource): Span => ({
  start,
  end: Math.min(end, duration),
});

/** Length of the part whose words are waited for before the first clips are made. */
const firstSeconds = 600;

/** A shorter source has no first clips: its end is near. */
const minSecondsForFirst = 900;

/** Computes how many of the wanted clips are made of the part that is known first. */
const computeFirstCount = (count: number, known: Span, whole: Span): number =>
  Math.max(1, Math.floor((count * (known.end - known.start)) / (whole.end - whole.start)));

/** Makes clips of the part of a long source whose words are known, before the others. */
async function makeFirstClips(
  service: Dependencies,
  attempt: JobAttempt,
  task: ShortsTask,
  source: StoredSource,
  { known, whole }: { known: Analysis; whole: Span },
  signal: AbortSignal,
): Promise<void> {
  const { request } = task;
  const count = computeFirstCount(getCount(request), known.scanned!, whole);
  // A weak clip may be better than none of the whole source, but not than what may follow.
  const minCount = request.topics ? count : 0;
  const wanted = { count, minCount, without: [] };
  const { clips } = await chooseClips(service, task, known, wanted, signal);
  if (clips.length === 0) return;
  const noted = await withNotes(clips, [], signal);
  await recordWithPosters(
    service,
    attempt,
    source,
    withWork(noted.clips, source),
    signal,
    (shown) => addFirstClips(service.db, service.queue, attempt, task, shown),
  );
  service.log({ event: 'first-clips', id: attempt.id, clips: clips.length });
}

/** Analyses the source of a task, and makes the first clips of a long one meanwhile. */
async function analyseSource(
  service: Dependencies,
  attempt: JobAttempt,
  task: TaskRow,
  source: StoredSource,
  options: Pick<AnalyseOptions, 'transcribe' | 'onProgress'> & { signal: AbortSignal },
): Promise<Analysis> {
  const { request, words } = task;
  const { signal } = options;
  const making: Promise<void>[] = [];
  const isFirst = !words && (await readTakenSpans(service.db, task)).length === 0;
  const analysis = await withLocalFiles(service.storage, signal, async (localPath) => {
    const opened = await openSource(localPath, source);
    const range = request.source_range && clipRange(request.source_range, opened);
    const whole = range ?? { start: 0, end: opened.media.duration };
    const isLong = whole.end - whole.start > minSecondsForFirst;
    const onKnown = (known: Analysis): void => {
      if (!isFirst || !isLong || !isShorts(task)) return;
      const made = makeFirstClips(service, attempt, task, source, { known, whole }, signal);
      made.catch(() => {});
      making.push(made);
    };
    return analyse(opened, {
      ...options,
      ...(request.language !== undefined && { language: request.language }),
      ...(request.transcription_context !== undefined && {
        context: request.transcription_context,
      }),
      ...(range && { range }),
      first: { seconds: firstSeconds, onKnown },
      voices: {
        onFailed: (error) =>
          service.log({ event: 'voices-failed', id: attempt.id, reason: formatError(error) }),
      },
    });
  }).finally(() => Promise.allSettled(making));
  await Promise.all(making);
  return analysis;
}

const isShorts = (task: TaskRow): task is ShortsTask => task.request.type === 'video-to-shorts';

const getCount = ({ target_clip_count, max_clip_count }: ShortsTask['request']): number =>
  Math.min(target_clip_count, max_clip_count);

/** Clips of a task, and what of its request they do not carry out. */
interface MadeClips {
  clips: readonly UnshownClip[];
  /** The parts of the source that the task's clips show. */
  spans: readonly Span[];
  rankingFailed: boolean;
  /** The topics that no clip is about. */
  topicsWithout: readonly string[];
  /** The number of clips made and requested; null if all were made. */
  strong: { count: number; of: number } | null;
}

/** The clip of a task that edits a video as a whole. */
async function makeWhole(
  service: Dependencies,
  task: TaskRow,
  analysis: Analysis,
  signal: AbortSignal,
): Promise<MadeClips> {
  const { output_id: id, request } = task;
  const span = analysis.scanned ?? { start: 0, end: analysis.duration };
  const { name, editing_options: editing, dimensions } = request;
  const shown = await translateAnalysis(service, task, analysis, [span], signal);
  const look = await findLook(service, task);
  const inputs = makeWholeInputs(shown, { editing, dimensions, ...look, title: name });
  const shownName = maskListedWords(name, look.mutedWords);
  const clip = {
    id,
    name: shownName,
    score: null,
    explanation: null,
    inputs,
    edit: makeEdit(inputs),
  };
  return { clips: [clip], spans: [span], rankingFailed: false, topicsWithout: [], strong: null };
}

/** The clips of a task, and what could not be done as it was asked. */
async function makeClips(
  service: Dependencies,
  attempt: JobAttempt,
  task: TaskRow,
  source: StoredSource,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<{ clips: NotedClip[]; notes: Note[]; analysis: Analysis | null }> {
  const { request, words } = task;
  progress.report('scan', computeTaskShare('scan', 0));
  const failed: ProviderFailure[] = [];
  const reported = new AnalysisProgress(progress);
  const analysis = request.further
    ? await readFurtherAnalysis(service.db, task)
    : await analyseSource(service, attempt, task, source, {
        transcribe: async (job) => {
          const result = await transcribeOnce(service, task.id, reported.watch(job), words);
          failed.push(...result.failures);
          return result;
        },
        signal,
        onProgress: (share) => reported.report(share),
      });
  if (words && !analysis.transcript) throw new WorkFailure('no-words', explainNoWords(failed));
  progress.report('candidates', computeTaskShare('candidates', 0));
  const { clips, ...outcome } = isShorts(task)
    ? await makeShorts(service, task, analysis, signal)
    : await makeWhole(service, task, analysis, signal);
  const notes = [
    ...listSourceNotes(analysis.media),
    ...listTaskNotes(service, task, analysis, { ...outcome, failed }),
  ];
  const noted = await withNotes(clips, notes, signal);
  return { ...noted, analysis: isShorts(task) ? analysis : null };
}

/** The clips that a task asks for and does not have yet. */
async function makeShorts(
  service: Dependencies,
  task: ShortsTask,
  analysis: Analysis,
  signal: AbortSignal,
): Promise<MadeClips> {
  const { topics, asks_count, min_clip_count, further } = task.request;
  const without = await readTakenSpans(service.db, task);
  // First clips, and those that stay when the words change.
  const there = without.filter(({ own }) => own);
  const count = getCount(task.request);
  // A clip about a topic is what was asked for, also if it is weak.
  const minCount = topics ? count : Math.min(count, min_clip_count ?? 1);
  const wanted = {
    count: count - there.length,
    minCount: Math.max(0, minCount - there.length),
    without,
  };
  const chosen = await chooseClips(service, task, analysis, wanted, signal);
  const spans = [...there, ...chosen.candidates];
  const topicsWithout = (topics ?? []).filter((one) => !spans.some(({ topic }) => topic === one));
  if (spans.length === 0 && topics) {
    throw new WorkFailure('topics-not-found', explainNoTopicClips(topicsWithout, analysis));
  }
  if (spans.length === 0) throw further ? makeNoFurtherClipsFailure() : makeNoClipsFailure();
  const isFewer = !!asks_count && spans.length >= minCount && spans.length < count;
  const strong = isFewer ? { count: spans.length, of: count } : null;
  const { clips, rankingFailed } = chosen;
  return { clips, spans, rankingFailed, topicsWithout, strong };
}

const makeNoFurtherClipsFailure = (): WorkFailure =>
  new WorkFailure(
    'no-further-clips',
    'No remaining part of the video fits the requested clip length.',
  );

const makeNoClipsFailure = (): WorkFailure =>
  new WorkFailure(
    'no-clips',
    'No part of the source fits the requested clip length. Lower min_duration, or use a longer source.',
  );

/** Why a task gets no other words. */
function explainNoWords(failed: readonly ProviderFailure[]): string {
  if (failed.some(isOfModel))
    return `the service could not download or read its speech model. ${ways}`;
  const by = failed.map(({ provider }) => recognisers[provider] ?? provider).join(', ');
  return by
    ? `speech recognition failed (${by}). The service’s log says why.`
    : 'no speech was recognised in it. If there is some, add subtitles.';
}

export const scanRows: RowKind<'scan'> = {
  fail: failTask,
  writeProgress,
  kind: 'scan',
  logName: 'task',
  doneEvent: 'task-scanned',
  unknownFailure: unknownTaskFailure,
};

/** Makes the clips of a task out of its source, and leaves their previews to jobs of their own. */
export async function scanSource(
  service: Dependencies,
  { attempt, row }: Begun<'scan'>,
  progress: RowProgress,
  signal: AbortSignal,
): Promise<void> {
  const { words } = row;
  if (!row.source) throw new Error('The task has no source.');
  const task = words ? { ...row, request: withWords(row.request, words) } : row;
  const source = words ? { ...row.source, transcriptKey: words.transcriptKey ?? null } : row.source;
  const made = await makeClips(service, attempt, task, source, progress, signal);
  const { clips, notes, analysis } = made;
  for (const { code, message } of notes) {
    service.log({ event: 'note', id: attempt.id, code, message });
  }
  signal.throwIfAborted();
  await progress.settled();
  await recordWithPosters(
    service,
    attempt,
    source,
    withWork(clips, source),
    signal,
    async (shown) => {
      const facts = { notes, analysis, failure: unknownTaskFailure };
      const { status } = await addClips(service.db, service.queue, attempt, task, facts, (trx) =>
        words ? replaceClips(trx, service.queue, task, shown) : Promise.resolve(shown),
      );
      if (status === 'ready') service.log({ event: 'task-ready', id: attempt.id });
    },
  );
}

const withWork = (clips: readonly NotedClip[], source: StoredSource) =>
  clips.map((clip) => ({ ...clip, work: estimatePreviewWork(clip.edit, source) }));

/**
 * Returns the clips, each with notes about missing fonts and letters, and `notes` with the notes of
 * all clips. Throws only the signal's reason.
 */
async function withNotes<Clip extends { edit: Edit }>(
  clips: readonly Clip[],
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<{ clips: (Clip & { notes: Note[] })[]; notes: Note[] }> {
  const edits = clips.map(({ edit }) => edit);
  const tools = await findDrawingTools(edits, signal);
  return {
    clips: clips.map((clip) => ({ ...clip, notes: listDrawingNotes([clip.edit], tools) })),
    notes: [...notes, ...listDrawingNotes(edits, tools)],
  };
}

const quoteTopics = (topics: readonly string[]): string =>
  topics.map((topic) => `“${topic}”`).join(', ');

const explainNoTopicClips = (topics: readonly string[], { transcript }: Analysis): string =>
  transcript
    ? `Nothing in this video is about ${quoteTopics(topics)} for long enough. Use other topics, shorter clips, or none.`
    : `This video has no subtitles or recognised speech, so nothing can be found about ${quoteTopics(topics)}. Add subtitles, or leave the topics out.`;

/** Whether the speech model could not be downloaded or read. */
const isOfModel = ({ error }: ProviderFailure): boolean => error === 'SpeechModelError';

/** The recognisers of speech, by the names of the transcribers. */
const recognisers: Readonly<Record<string, string>> = {
  'speech-server': 'the speech server',
  'speech-model': 'the speech model of the service',
};

const ways =
  'For the service’s operator: the log says what failed. Set SPEECH_MODEL_URL to a mirror, SPEECH_MODEL to a folder that has the model, or SPEECH_URL to a speech server.';
const withoutModel = `The service could not download or read its speech model, so speech was not recognised. Recognise it later, or add subtitles. ${ways}`;
const withoutSpeech =
  'No speech was recognised in it. If there is some, add subtitles, or put a subtitle file beside it (the same address, ending in .vtt or .srt).';
const withoutRecognition =
  'Speech recognition is off: the service’s operator can switch it on with SPEECH_MODEL or SPEECH_URL. Or put a subtitle file beside the video (the same address, ending in .vtt or .srt).';

const noteIf = (is: boolean, code: Note['code'], message: string): Note[] =>
  is ? [{ code, message }] : [];

/** Lists the note of a provider of words that failed. `wanted`: the task needs words it lacks. */
function listFailureNotes(failure: ProviderFailure, wanted: boolean): Note[] {
  return failure.provider === subtitleFile.name
    ? noteIf(
        true,
        'subtitles-unusable',
        'The subtitle file beside this video was not used: it has no words with times that can be read. Use an SRT, WebVTT, ASS, SBV or TTML file in UTF-8.',
      )
    : noteIf(
        !isOfModel(failure) || !wanted,
        'transcriber-failed',
        `Speech recognition failed (${recognisers[failure.provider] ?? failure.provider}). The service’s log says why. Recognise speech once more, or add subtitles.`,
      );
}

function explainMissingWords(failed: readonly ProviderFailure[], recognises: boolean): string {
  if (failed.some(isOfModel)) return withoutModel;
  return recognises ? withoutSpeech : withoutRecognition;
}

/** Lists the parts of a task's request that could not be carried out. */
function listTaskNotes(
  { recognisesSpeech }: Pick<Dependencies, 'recognisesSpeech'>,
  { request }: TaskRow,
  { transcript }: Analysis,
  made: Omit<MadeClips, 'clips'> & { failed: readonly ProviderFailure[] },
): Note[] {
  const { failed, spans, topicsWithout, strong, rankingFailed } = made;
  const { captions, intro_title, remove_fillers } = request.editing_options;
  const { translate_to: translateTo } = request;
  const lacksWords = transcript === null && !!(captions || intro_title);
  const isSpoken = !!transcript && findSentencesWithin(transcript, spans).length > 0;
  const language = transcript?.language ?? null;
  return [
    ...failed.flatMap((failure) => listFailureNotes(failure, lacksWords)),
    ...noteIf(
      lacksWords,
      'no-words',
      `This video has no subtitles or recognised speech, so it has no captions and no title of its own. ${explainMissingWords(failed, recognisesSpeech)}`,
    ),
    ...noteIf(
      translateTo !== undefined && !isSpoken,
      'nothing-to-translate',
      `Nothing was translated to ${translateTo}, because no subtitles or recognised speech are available.`,
    ),
    ...noteIf(
      topicsWithout.length > 0,
      'topic-not-found',
      `No part of this video is about ${quoteTopics(topicsWithout)} for long enough.`,
    ),
    ...noteIf(
      strong !== null,
      'fewer-clips',
      `${strong?.count} of ${strong?.of} clips were made: the rest of this video is too weak or too short.`,
    ),
    ...noteIf(
      !!remove_fillers && language !== null && !hasFillers(language),
      'fillers-unknown',
      `No filler words were removed: the language (${language}) is not supported.`,
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
  service: Files & { finders: Finders; log: Log; segments: boolean },
  attempt: JobAttempt,
  source: StoredSource,
  clips: readonly Omit<UnsavedClip, 'posterKey' | 'segment'>[],
  signal: AbortSignal,
  note: (clips: UnsavedClip[]) => Promise<unknown>,
): Promise<void> {
  // Those of clips that a person opens are found by the same worker.
  if (clips.some(({ edit }) => edit.needsAnalysis)) runUrgently(service.finders.prepare);
  const name = `task-${attempt.id}-${attempt.number}-posters`;
  await withWorkDirectory(service, name, async (directory) => {
    const posters = clips.map((clip) => ({
      clip,
      key: `posters/${attempt.id}/${makeAttemptFileName(attempt, 'jpg')}`,
      edit: clip.edit,
      output: join(directory, `${clip.id}.jpg`),
    }));
    const cut = await withLocalFiles(service.storage, signal, async (localPath) => {
      const path = await localPath(source.key);
      const frame = (edit: Edit, pictures: readonly Uint8Array[], stepSeconds: number) =>
        frameOpening(edit, pictures, {
          stepSeconds,
          finders: service.finders,
          onFailed: (error) =>
            service.log({ event: 'framing-failed', id: attempt.id, message: formatError(error) }),
          signal,
        });
      await runUrgently(() => renderFirstPosters(posters, { source: path, frame, signal }));
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
  service: { log: Log; segments: boolean },
  attempt: JobAttempt,
  clips: readonly Pick<UnsavedClip, 'id' | 'edit'>[],
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
    const key = `segments/${attempt.id}/${makeAttemptFileName(attempt, 'video')}`;
    segments.set(id, { key, ...cut });
    files[key] = output;
  }
  return { segments, files };
}
