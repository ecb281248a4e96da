import { namedModels, openModel, type SpeechModelOptions } from '../transcribers/speech-model.ts';
import { type SpeechServer, createSpeechServer } from '../transcribers/speech-server.ts';
import type { ModelDownload, Transcriber } from '../transcribers/transcriber.ts';
import { createSpeechModel } from '../transcribers/speech-recognition.ts';
import type { ProgressLine } from './terminal.ts';

type Show = ProgressLine['show'];

/** The minimum share of the work before the remaining time is estimated. */
const minShare = 0.02;
const minSeconds = 2;

/**
 * Returns how long the rest of a work takes, such as `about 4 min left`; an empty text as long as
 * that is not known. `share` (0 to 1) was done in `seconds`.
 */
export function formatTimeLeft(share: number, seconds: number, rest = 1 - share): string {
  if (share < minShare || seconds < minSeconds || rest <= 0) return '';
  const minutes = ((rest / share) * seconds) / 60;
  if (minutes < 1) return 'less than 1 min left';
  return minutes < 120
    ? `about ${Math.round(minutes)} min left`
    : `about ${Math.round(minutes / 60)} h left`;
}

/** Shows how much of a speech model is here. */
export function showDownload(show: Show, { model, bytes, totalBytes }: ModelDownload): void {
  const [here, all] = [bytes, totalBytes].map((count) => Math.round(count / 1e6));
  show(`Downloading the speech model ${model}`, bytes / totalBytes, `${here} of ${all} MB`);
}

/** Gives a transcriber a phase of its own in the progress. */
function withPhase(transcriber: Transcriber, show: Show, now: () => number): Transcriber {
  return {
    ...transcriber,
    transcribe: (job) => {
      let first: { share: number; ms: number } | undefined;
      return transcriber.transcribe({
        ...job,
        onProgress: (share) => {
          first ??= { share, ms: now() };
          const left = formatTimeLeft(share - first.share, (now() - first.ms) / 1000, 1 - share);
          show('Recognising speech', share, left);
          job.onProgress(share);
        },
        onDownload: (download) => showDownload(show, download),
      });
    },
  };
}

/** The ways to recognise speech, each with its progress. Empty if it is off. */
export const makeRecognisers = (
  { speech, model }: { speech: SpeechServer | null; model: SpeechModelOptions | null },
  show: Show,
  now = () => performance.now(),
): Transcriber[] =>
  [
    ...(speech ? [createSpeechServer(speech)] : []),
    ...(model ? [createSpeechModel(model)] : []),
  ].map((one) => withPhase(one, show, now));

/**
 * Checks a model that is given as the path of a folder. One with a name may have to be downloaded:
 * that is only done for a video that needs it.
 * @throws {@link SpeechModelError} or the signal's reason
 */
export async function checkModel(
  choice: SpeechModelOptions | null,
  signal: AbortSignal,
): Promise<void> {
  if (choice?.model !== undefined && !Object.hasOwn(namedModels, choice.model)) {
    await openModel(choice, { signal });
  }
}
