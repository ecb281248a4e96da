import { access, copyFile, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  listDrawingNotes,
  findDrawingTools,
  sourceCaptionsNote,
} from '../captions/drawing-notes.ts';
import type { Edit, EditingOptions } from '../edit.ts';
import { type Clip, makeClips } from '../editing/clips.ts';
import { makeFinders, analyseAndFrame } from '../editing/analyse-framing.ts';
import { hasFillers } from '../editing/fillers.ts';
import { makeEdit } from '../editing/make-edit.ts';
import { makeWholeInputs } from '../editing/make-inputs.ts';
import type { Analysis, SourceFile, Span } from '../facts.ts';
import { writeClipDocument, clipDocumentNames } from '../interchange/clip-documents.ts';
import { pickCandidatesAsync } from '../moments/candidates.ts';
import { rankByChat } from '../moments/chat-ranking.ts';
import type { Favoured } from '../moments/favour.ts';
import type { PostTexts } from '../moments/post-texts.ts';
import { getFfmpegAbilities } from '../program/abilities.ts';
import { formatError } from '../program/ffmpeg-process.ts';
import { render, type WatermarkImage } from '../render/render.ts';
import { fetchWatermark, readWatermark } from '../render/watermark.ts';
import { analyse, transcriptFrom } from '../scan/analyse.ts';
import { listSourceNotes } from '../source/check-file.ts';
import { loadPresets } from '../style/presets.ts';
import type { Style } from '../style/style.ts';
import { parseLanguage } from '../words/language-code.ts';
import { subtitleFile, transcribe } from '../transcribers/transcriber.ts';
import { createLibreTranslate } from '../words/libretranslate.ts';
import { translateAnalysis } from '../words/translation.ts';
import { makeClipFileName, makeWritableFolder } from './output-folder.ts';
import { readEditFile, requireFit } from './edit-file.ts';
import { formatClock, CommandError, ProgressLine, formatTable, type Terminal } from './terminal.ts';
import { withTemporaryDirectory, isAddress, openVideo } from './open-video.ts';
import { UsageError, type CutOptions, type readCut } from './options.ts';
import { checkModel, makeRecognisers } from './recognition.ts';
import { readRemotes, readSpeechModelOptions } from './remotes.ts';
import { translateForTerminal } from './reason.ts';

/** Maximum length of an edit of a whole video: the same as in the service. */
const maxWholeSeconds = 15 * 60;

/** A clip to render. A whole video has no score and no explanation, the edit of a file no texts. */
interface NewClip
  extends Omit<Clip, 'score' | 'explanation' | 'inputs' | 'post'>, Partial<PostTexts> {
  score: number | null;
  explanation: string | null;
}

/** A rendered clip. */
interface MadeClip extends Omit<NewClip, 'edit'> {
  file: string;
  start: number;
  end: number;
  /** Length of the file in seconds: less than `end - start` if silences were removed. */
  duration: number;
  width: number;
  height: number;
  bytes: number;
}

/** Everything that the steps of a command share. */
interface Command {
  options: CutOptions;
  remotes: ReturnType<typeof readRemotes>;
  chosenModel: ReturnType<typeof readSpeechModelOptions>;
  directory: string;
  signal: AbortSignal;
  progress: ProgressLine;
  warn: (text: string) => void;
}

const readEditing = (options: CutOptions): EditingOptions => ({
  captions: !options['no-captions'],
  reframe: !options['no-reframe'],
  emojis: !options['no-emojis'],
  intro_title: !options['no-intro-title'],
  remove_silences: options['remove-silences'],
  remove_fillers: options['remove-fillers'],
});

async function readStyle({ preset, presets }: CutOptions): Promise<Style | undefined> {
  if (preset === undefined && presets === undefined) return undefined;
  const known = await loadPresets(presets);
  if (preset === undefined) return undefined;
  const found = known.get(preset);
  if (!found) {
    throw new UsageError(
      `There is no style preset "${preset}". Use one of ${[...known.keys()].join(', ')}.`,
    );
  }
  return found.style;
}

async function loadWatermark({
  options,
  directory,
  signal,
}: Command): Promise<WatermarkImage | null> {
  const { watermark } = options;
  if (watermark === undefined) return null;
  const fetchOptions = { directory, allowPrivate: options['allow-private'], signal };
  const path = /^https?:\/\//i.test(watermark)
    ? await fetchWatermark(watermark, fetchOptions)
    : await readWatermark(resolve(watermark), fetchOptions);
  return {
    path,
    pos_x: options['watermark-x'],
    pos_y: options['watermark-y'],
    scale: options['watermark-scale'],
  };
}

/** A length that also tells short videos apart. */
const formatLength = (seconds: number): string =>
  seconds < 10 ? `${seconds.toFixed(1)} s` : formatClock(seconds);

async function openInput(
  input: string,
  { options, directory, signal, progress }: Command,
): Promise<SourceFile> {
  const source = await openVideo(input, {
    directory,
    allowPrivate: options['allow-private'],
    language: parseLanguage(options.language),
    signal,
    onProgress: (share) => progress.show('Downloading', share),
  });
  const { duration } = source.media;
  if (options.whole && duration > maxWholeSeconds) {
    throw new CommandError(
      `The video is ${formatClock(duration)} long. With --whole, the limit is ${formatClock(maxWholeSeconds)}. Use a shorter video, or leave out --whole.`,
    );
  }
  return source;
}

async function checkTranslation({ options, remotes }: Command): Promise<void> {
  if (options['translate-to'] !== undefined && !remotes.translation) {
    throw new UsageError(
      '--translate-to needs a LibreTranslate-compatible server. Set TRANSLATE_URL to its address.',
    );
  }
}

/** Like `Promise.all`, but waits for all, and throws every error in an `AggregateError`. */
async function waitForAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  const errors = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  if (errors.length > 0) throw new AggregateError(errors);
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}

async function analyseInput(
  { options, remotes, chosenModel, directory, signal, progress, warn }: Command,
  source: SourceFile,
): Promise<Analysis> {
  // Recognition is a phase of its own, also while the pictures are still being scanned.
  let isRecognising = false;
  let isFailed = false;
  const { speech } = remotes;
  const ways = makeRecognisers({ speech, model: chosenModel }, (...shown) => {
    isRecognising = true;
    progress.show(...shown);
  });
  const { duration } = source.media;
  const { from = 0, to = duration } = options;
  if (from > Math.max(0, duration - 1)) {
    throw new CommandError(
      `The video lasts ${formatLength(duration)}, and --from leaves less than a second of it.`,
    );
  }
  const isPart = from > 0 || to < duration;
  const length = Math.min(to, duration) - from;
  if (!options.whole && length < options.min) {
    throw new CommandError(
      `The ${isPart ? 'part' : 'video'} lasts ${formatLength(length)}, and a clip at least ${options.min} s. Use a longer ${isPart ? 'part' : 'video'}, a smaller --min, or --whole.`,
    );
  }
  const analysis = await analyse(source, {
    ...(isPart && { range: { start: from, end: Math.min(to, duration) } }),
    ...(options.language !== undefined && { language: options.language }),
    context: options.context,
    transcribe: async (job) => {
      const words = await transcribe([subtitleFile, ...ways], {
        ...job,
        workDirectory: directory,
      });
      isRecognising = false;
      for (const { provider, reason } of words.failures) {
        const { subtitles } = job;
        if (provider === subtitleFile.name && subtitles !== null) {
          warn(`${basename(subtitles)}: ${reason}`);
          continue;
        }
        // A model that was named is wanted, the usual one only if it can be had.
        if (chosenModel?.model !== undefined) throw new CommandError(reason);
        isFailed = true;
        warn(`${reason} The clips are made without words.`);
      }
      return words;
    },
    voices: {
      onFailed: (error) =>
        warn(
          `Speakers are told apart by the words alone, as their voices could not be read. ${formatError(error)}`,
        ),
    },
    signal,
    onProgress: (share) =>
      isRecognising || progress.show('Analysing the video', Math.min(1, share / transcriptFrom)),
  });
  warnAboutWords({ options, warn }, analysis, { isFailed, isOff: ways.length === 0 });
  return analysis;
}

/** Warns about requested captions or titles that the words do not allow. */
function warnAboutWords(
  { options, warn }: Pick<Command, 'options' | 'warn'>,
  analysis: Analysis,
  { isFailed, isOff }: { isFailed: boolean; isOff: boolean },
): void {
  const { captions, intro_title, remove_fillers } = readEditing(options);
  const language = analysis.transcript?.language ?? null;
  if (remove_fillers && language !== null && !hasFillers(language)) {
    warn(`No filler words were removed: the language (${language}) is not supported.`);
  }
  if (!analysis.transcript && !isFailed && (captions || intro_title)) {
    const missing = isOff
      ? 'speech recognition is off (SPEECH_MODEL)'
      : 'no speech was recognised in it';
    warn(
      `This video has no subtitles that can be read, and ${missing}, so there are no captions. To get captions, put a subtitle file beside it (same name, .vtt or .srt).`,
    );
  }
}

/** The analysis in the language to show. */
async function translateShown(
  { options, remotes, signal, progress }: Command,
  analysis: Analysis,
  spans: readonly Span[],
): Promise<Analysis> {
  const to = options['translate-to'];
  if (to === undefined) return analysis;
  return translateAnalysis(analysis, {
    to,
    spans,
    translate: async (texts, languages) => {
      progress.show('Translating', 0);
      return createLibreTranslate(remotes.translation!).translate(texts, {
        ...languages,
        signal,
        onProgress: (share) => progress.show('Translating', share),
      });
    },
  });
}

/** Returns the choice of the language model; undefined if there is no model, or it failed. */
async function rankMoments(
  { options: { count, min, max, topics }, remotes: { ranking }, signal, progress, warn }: Command,
  { transcript }: Analysis,
): Promise<Favoured[] | undefined> {
  if (!ranking || !transcript) return undefined;
  progress.show('Asking the language model', 0);
  try {
    return await rankByChat(ranking, transcript.sentences, { count, min, max, topics }, signal);
  } catch (error) {
    signal.throwIfAborted();
    warn(
      `The language model failed, so the engine chooses the clips without it. ${formatError(error)}`,
    );
    return undefined;
  }
}

async function makeNewClips(
  command: Command,
  analysis: Analysis,
  style?: Style,
): Promise<NewClip[]> {
  const { options, signal, progress } = command;
  const { count, min, max, target, width, height, name } = options;
  const editOptions = { editing: readEditing(options), dimensions: { width, height }, style };
  if (options.whole) {
    const all = { start: 0, end: analysis.duration };
    const shown = await translateShown(command, analysis, [analysis.scanned ?? all]);
    const inputs = makeWholeInputs(shown, { ...editOptions, title: name });
    const edit = makeEdit(inputs);
    const title = edit.title?.text ?? name;
    return [{ title, score: null, explanation: null, ...inputs.post, edit }];
  }
  const favoured = await rankMoments(command, analysis);
  progress.show('Choosing', 0);
  const language = options['translate-to'] ?? options.language;
  const { topics } = options;
  const momentOptions = {
    ...{ count, min, max, target, language, topics },
    ...(favoured && { favoured }),
  };
  const candidates = await pickCandidatesAsync(analysis, momentOptions, signal);
  if (candidates.length === 0) {
    throw new CommandError(
      topics
        ? 'Nothing in the video is about these topics for long enough. Use others, or a smaller --min.'
        : 'No part of the video fits these lengths. Use a smaller --min, or a longer video.',
    );
  }
  const shown = await translateShown(command, analysis, candidates);
  const wanted = { ...editOptions, minSeconds: min, name };
  const clips = makeClips(candidates, { source: analysis, shown }, wanted);
  return clips.map(({ inputs: _, post, ...clip }) => ({ ...clip, ...post }));
}

/** The clip of an edit from a file. */
function makeClip(edit: Edit, { media }: SourceFile, { name }: CutOptions): NewClip {
  requireFit(edit, media);
  const title = name || (edit.title?.text ?? '');
  return { title, score: null, explanation: null, edit };
}

/** Writes what a clip is made of for other programs, beside it. */
async function writeDocuments(
  edit: Edit,
  made: string,
  names: Parameters<typeof writeClipDocument>[2],
): Promise<void> {
  for (const name of clipDocumentNames) {
    const document = writeClipDocument(edit, name, names);
    if (document) await writeFile(made.replace(/\.mp4$/, `.${name}`), document.text);
  }
}

/** A free path in the folder, so that files of earlier runs are never overwritten. */
async function findFreePath(folder: string, name: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const path = join(folder, copy === 1 ? name : name.replace(/\.mp4$/, ` (${copy}).mp4`));
    const taken = await access(path).then(
      () => true,
      () => false,
    );
    if (!taken) return path;
  }
}

async function warnOfFonts({ signal, warn }: Command, edits: readonly Edit[]): Promise<void> {
  for (const { message } of listDrawingNotes(edits, await findDrawingTools(edits, signal)))
    warn(translateForTerminal(message));
}

/** `clip-engine cut`: renders the best clips of a video to files, and prints a table of them. */
export const cut = (
  { input, options }: ReturnType<typeof readCut>,
  { out, error, terminal, environment, signal }: Terminal,
): Promise<void> =>
  withTemporaryDirectory(async (directory) => {
    const progress = new ProgressLine({ error, terminal });
    const warn = (text: string) => {
      progress.clear();
      error(`Note: ${text}\n`);
    };
    const remotes = readRemotes(environment);
    const chosenModel = readSpeechModelOptions(environment);
    const command: Command = {
      options,
      remotes,
      chosenModel,
      directory,
      signal,
      progress,
      warn,
    };
    try {
      const folder = resolve(options.out);
      const open = () => openInput(input, command);
      // Every fault at once, before work that takes long. A download is such work.
      const [given, style, watermark, opened] = await waitForAll([
        options.edit === undefined ? null : readEditFile(options.edit),
        readStyle(options),
        loadWatermark(command),
        isAddress(input) ? null : open(),
        checkTranslation(command),
        options.edit === undefined ? checkModel(chosenModel, signal) : null,
        makeWritableFolder(folder),
        getFfmpegAbilities(),
      ]);
      const source = opened ?? (await open());
      for (const { message } of listSourceNotes(source.media)) warn(message);
      const clips = given
        ? [makeClip(given, source, options)]
        : await makeNewClips(command, await analyseInput(command, source), style);
      await warnOfFonts(
        command,
        clips.map(({ edit }) => edit),
      );
      const finders = makeFinders({ faces: !options['no-faces'] });
      const made: MadeClip[] = [];
      for (const [index, clip] of clips.entries()) {
        const step = `Clip ${index + 1} of ${clips.length}`;
        const names = { step, file: makeClipFileName(index + 1, clip.title) };
        made.push(
          await cutClip(command, clip, names, { input, source, folder, finders, watermark }),
        );
      }
      progress.clear();
      out(options.json ? `${JSON.stringify(made, null, 2)}\n` : formatClips(made));
    } finally {
      progress.clear();
    }
  });

interface CutFrom {
  readonly input: string;
  readonly source: Awaited<ReturnType<typeof openInput>>;
  readonly folder: string;
  readonly finders: ReturnType<typeof makeFinders>;
  readonly watermark: Awaited<ReturnType<typeof loadWatermark>>;
}

/** Frames and renders a clip, and writes it to the folder. */
async function cutClip(
  { options, directory, signal, progress, warn }: Command,
  { edit: guess, ...clip }: Awaited<ReturnType<typeof makeNewClips>>[number],
  { step, file: name }: { step: string; file: string },
  { input, source, folder, finders, watermark }: CutFrom,
): Promise<MadeClip> {
  // The analysis takes about a fifth of a clip's time.
  const edit = await analyseAndFrame(guess, source.path, {
    finders,
    signal,
    onFailed: (failure) =>
      warn(`${step} could not be framed around its subjects. ${formatError(failure)}`),
    onNotes: (notes) => {
      for (const { message } of notes) warn(`${step}: ${translateForTerminal(message)}`);
    },
    onProgress: (share) => progress.show(step, share * 0.2),
  });
  if (edit.sourceCaptions) warn(`${step}: ${sourceCaptionsNote.message}`);
  const output = join(directory, 'clip.mp4');
  const { bytes } = await render(edit, {
    source: source.path,
    output,
    quality: 'export',
    exportQuality: options.quality,
    ...(watermark && { watermark }),
    signal,
    onProgress: (share) => progress.show(step, 0.2 + share * 0.8),
  });
  const file = await findFreePath(folder, name);
  // The folder may be on another disk. A partial copy never gets the clip's name.
  await copyFile(output, `${file}.part`);
  await rename(`${file}.part`, file);
  if (options.files) {
    const shown = basename(isAddress(input) ? new URL(input).pathname : input);
    await writeDocuments(edit, file, { title: clip.title, source: shown, file: source.media });
  }
  return {
    ...clip,
    file,
    start: edit.ranges[0]!.start,
    end: edit.ranges.at(-1)!.end,
    duration: edit.duration,
    ...edit.dimensions,
    bytes,
  };
}

const formatClips = (clips: readonly MadeClip[]): string =>
  formatTable(
    ['score', 'title', 'length', 'file'],
    clips.map(({ score, title, duration, file }) => [
      score === null ? '' : score.toFixed(2),
      title,
      formatClock(duration),
      file,
    ]),
  );
