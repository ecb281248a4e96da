import { run } from '../../src/program/ffmpeg-process.ts';
import { SoundReader } from '../../src/scan/sound-scan.ts';
import { measuredRate } from '../../src/source/sound-levels.ts';
import { createSpeechModel } from '../../src/transcribers/speech-recognition.ts';
import type { SpeechJob, Transcription } from '../../src/transcribers/transcriber.ts';
import { whisperBase } from './real-speech.ts';

const { signal } = new AbortController();

/** Recognises the speech of a file with the real recogniser and model. */
export async function transcribeFile(
  path: string,
  workDirectory: string,
  changes: Partial<SpeechJob> = {},
): Promise<Transcription> {
  const sound = new SoundReader();
  await run(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ar', `${measuredRate}`, '-ac', '1', '-f', 's16le', 'pipe:1'],
    {
      signal,
      deadlineSeconds: 60,
      onStdout: (chunk) => sound.read(chunk),
    },
  );
  const duration = sound.seconds;
  const transcription = await createSpeechModel({
    model: whisperBase,
    directory: workDirectory,
  }).transcribe({
    path,
    hasAudio: true,
    subtitles: null,
    duration,
    silences: sound.end(duration).silences,
    language: null,
    context: '',
    workDirectory,
    signal,
    onProgress: () => {},
    ...changes,
  });
  return transcription!;
}
