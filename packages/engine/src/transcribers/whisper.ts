import { openModel, SpeechModelError, type SpeechModelOptions } from './speech-model.ts';
import type { Transcriber } from './transcriber.ts';

/** Recognises speech on this machine. */
export const speechModel = (options: SpeechModelOptions): Transcriber => ({
  name: 'speech-model',
  async transcribe(job) {
    if (!job.hasAudio) return null;
    await openModel(options, {
      signal: job.signal,
      ...(job.onDownload && { onProgress: job.onDownload }),
    });
    throw new SpeechModelError('The recogniser is not available.');
  },
});
