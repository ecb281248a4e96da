import {
  formatError,
  hasModel,
  type ModelDownload,
  createSpeechModel,
  type SpeechModelOptions,
  type Transcriber,
} from 'clip-engine';
import type { Log } from '../config/config.ts';

/** Recognises speech on this machine, and keeps how the model is. */
export interface WatchedModel {
  transcriber: Transcriber;
  /** `ready`, `not downloaded`, `downloading 40 of 161 MB`, or `failed: ` with the reason. */
  state(): Promise<string>;
}

/** Downloads are logged in steps of ten percent. */
export function watchModel(options: SpeechModelOptions, log: Log): WatchedModel {
  const { name, transcribe } = createSpeechModel(options);
  let download: ModelDownload | null = null;
  let failure: string | null = null;
  let logged = -1;
  const noteDownload = (now: ModelDownload): void => {
    const { model, bytes, totalBytes } = now;
    download = bytes < totalBytes ? now : null;
    const percent = Math.floor((bytes / totalBytes) * 10) * 10;
    if (percent === logged) return;
    logged = percent;
    log({ event: 'speech-model', model, percent });
  };
  return {
    transcriber: {
      name,
      transcribe: async (job) => {
        try {
          const words = await transcribe({
            ...job,
            onDownload: (now) => {
              noteDownload(now);
              job.onDownload?.(now);
            },
          });
          failure = null;
          return words;
        } catch (error) {
          download = null;
          if (!job.signal.aborted) failure = formatError(error);
          throw error;
        }
      },
    },
    state: async () => {
      if (download) {
        const { bytes, totalBytes } = download;
        return `downloading ${Math.floor(bytes / 1e6)} of ${Math.round(totalBytes / 1e6)} MB`;
      }
      try {
        if (failure !== null) return `failed: ${failure}`;
        return (await hasModel(options)) ? 'ready' : 'not downloaded';
      } catch (error) {
        return `failed: ${formatError(error)}`;
      }
    },
  };
}
