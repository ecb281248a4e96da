import type { Word } from '../facts.ts';
import {
  roundToMilliseconds,
  writeSubRip,
  writeTranscript,
  writeWebVtt,
} from '../interchange/clip-documents.ts';
import { analyse, transcriptFrom } from '../scan/analyse.ts';
import { transcribe } from '../transcribers/transcriber.ts';
import { withTemporaryDirectory, openVideo } from './open-video.ts';
import { type readWords, UsageError } from './options.ts';
import { checkModel, makeRecognisers } from './recognition.ts';
import { readRemotes, readSpeechModelOptions } from './remotes.ts';
import { CommandError, ProgressLine, type Terminal } from './terminal.ts';

function formatJson(language: string | null, said: readonly Word[]): string {
  const list = said.map(({ text, start, end }) => ({
    text,
    start: roundToMilliseconds(start),
    end: roundToMilliseconds(end),
  }));
  return `${JSON.stringify({ language, words: list }, null, 2)}\n`;
}

/**
 * `clip-engine words`: writes the spoken words of a video or a sound file. Subtitles are not used.
 */
export const runWords = (
  { input, format, options }: ReturnType<typeof readWords>,
  { out, error, terminal, environment, signal }: Terminal,
): Promise<void> =>
  withTemporaryDirectory(async (directory) => {
    const progress = new ProgressLine({ error, terminal });
    const { speech } = readRemotes(environment);
    const model = readSpeechModelOptions(environment);
    if (!speech && !model) {
      throw new UsageError('SPEECH_MODEL is off. Leave it out, or set SPEECH_URL.');
    }
    try {
      await checkModel(model, signal);
      const source = await openVideo(input, {
        directory,
        allowPrivate: true,
        signal,
        onProgress: (share) => progress.show('Downloading', share),
      });
      const { hasAudio, duration } = source.media;
      if (!hasAudio) throw new CommandError(`${input} has no sound. Use a file with speech.`);
      let isRecognising = false;
      const { transcript } = await analyse(source, {
        ...(options.language !== undefined && { language: options.language }),
        context: options.context,
        transcribe: async (job) => {
          const ways = makeRecognisers({ speech, model }, (...shown) => {
            isRecognising = true;
            progress.show(...shown);
          });
          const result = await transcribe(ways, { ...job, workDirectory: directory });
          const [failure] = result.failures;
          if (failure) throw new CommandError(failure.reason);
          return result;
        },
        signal,
        onProgress: (share) =>
          isRecognising || progress.show('Listening', Math.min(1, share / transcriptFrom)),
      });
      progress.clear();
      if (!transcript) error('Note: No speech was recognised.\n');
      const { language, words: said } = transcript ?? { language: null, words: [] };
      const timed = { ...(language !== null && { language }), words: said, captions: [], duration };
      const write = {
        json: () => formatJson(language, said),
        vtt: writeWebVtt,
        srt: writeSubRip,
        text: writeTranscript,
      };
      out(write[format](timed));
    } finally {
      progress.clear();
    }
  });
