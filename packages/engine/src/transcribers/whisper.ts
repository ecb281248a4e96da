import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseLanguage, languageCode } from '../words/language-code.ts';
import {
  joinCues,
  ownCues,
  type SpeechSegment,
  snappedCues,
  speechSegments,
  writeSound,
} from './speech-segments.ts';
import { openModel, type SpeechModel, type SpeechModelOptions } from './speech-model.ts';
import { recognise, recogniserPackage, whisperLanguage, whisperWords } from './whisper-process.ts';
import type { Cue } from '../words/subtitles.ts';
import type { Transcription, SpeechJob, Transcriber } from './transcriber.ts';

/** Each segment is recognised in a process of its own. */
const maxSegmentSeconds = 300;

/** The language of the speech for a model; null if it does not know it. */
function languageFor(model: SpeechModel, stated: string | null): string | null {
  if (model.multilingual) return (stated && whisperLanguage(stated)) ?? 'auto';
  return stated === null || baseLanguage(stated) === 'en' ? 'en' : null;
}

async function segmentCues(
  job: SpeechJob,
  segment: SpeechSegment,
  sound: string,
  how: { recogniser: string; model: SpeechModel; language: string },
): Promise<Transcription> {
  await writeSound(job, segment, sound, job.signal);
  const seconds = segment.end - segment.start;
  const recognition = await recognise({
    addon: how.recogniser,
    model: how.model.path,
    sound,
    seconds,
    language: how.language,
    context: job.context,
    signal: job.signal,
    onProgress: (share) =>
      job.onProgress((segment.from + share * (segment.to - segment.from)) / job.duration),
  });
  const pauses = job.silences
    .map(({ start, end }) => ({ start: start - segment.start, end: end - segment.start }))
    .filter(({ start, end }) => end > 0 && start < seconds);
  const words = whisperWords(recognition, pauses);
  const [first, last] = [words[0], words.at(-1)];
  const cues = first && last ? [{ start: first.start, end: last.end, words, timed: true }] : [];
  const snapped = snappedCues(cues, segment.start, job.silences);
  return { language: languageCode(recognition.language), cues: ownCues(segment, snapped) };
}

async function transcribeWith(
  options: SpeechModelOptions,
  job: SpeechJob,
): Promise<Transcription | null> {
  if (!job.hasAudio) return null;
  const model = await openModel(options, {
    signal: job.signal,
    ...(job.onDownload && { onProgress: job.onDownload }),
  });
  let language = model && languageFor(model, job.language);
  if (!model || language === null) return null;
  const directory = await mkdtemp(join(job.workDirectory ?? tmpdir(), 'clip-speech-'));
  let cues: Cue[] = [];
  let heard = job.language;
  try {
    const whole = { start: 0, end: job.duration };
    for (const segment of speechSegments(whole, job.silences, maxSegmentSeconds)) {
      const sound = join(directory, 'speech.wav');
      const { recogniser = recogniserPackage } = options;
      const found = await segmentCues(job, segment, sound, { recogniser, model, language });
      cues = joinCues(cues, found.cues);
      // The first words decide: a later passage of music would be taken for another language.
      if (language === 'auto' && found.cues.length > 0 && found.language) {
        heard ??= found.language;
        language = whisperLanguage(found.language) ?? 'auto';
      }
      job.onProgress(Math.min(1, segment.to / job.duration));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return { language: heard ?? (language === 'auto' ? null : language), cues };
}

/**
 * Transcribes with whisper.cpp on this machine, without a network except for the model: a named one
 * is downloaded when it is first needed. Does not apply if no model is named and none was
 * downloaded, or if the model does not know the stated language.
 */
export const speechModel = (options: SpeechModelOptions): Transcriber => ({
  name: 'speech-model',
  transcribe: (job) => transcribeWith(options, job),
});
