import { fetchModel, modelDirectory } from '../transcribers/speech-model/model-file.ts';
import { namedModels } from '../transcribers/speech-model/model-names.ts';
import type { readSpeechModel } from './options.ts';
import { ProgressLine } from './progress-line.ts';
import { remotesOf, speechModelOf } from './remotes.ts';
import type { Terminal } from './terminal.ts';

/** `clip-engine speech-model`: downloads a model, to be used for videos without subtitles. */
export async function speechModel(
  { input }: ReturnType<typeof readSpeechModel>,
  { out, error, terminal, environment, signal }: Terminal,
): Promise<void> {
  const progress = new ProgressLine({ error, terminal });
  const { url } = speechModelOf({ ...environment, SPEECH_URL: '', SPEECH_MODEL: '' })!;
  const megabytes = Math.round(namedModels[input]!.bytes / 1e6);
  const wish = { url, directory: modelDirectory(environment) };
  try {
    const path = await fetchModel(input, wish, {
      signal,
      onProgress: (name, share) => progress.show(`Downloading ${name} (${megabytes} MB)`, share),
    });
    progress.clear();
    const used = remotesOf(environment).speech
      ? 'SPEECH_URL is set, so the speech server is used instead.'
      : 'It is used for videos without subtitles.';
    out(`The speech model ${input} is at ${path}. ${used}\n`);
  } finally {
    progress.clear();
  }
}
