import { isRemoteUrl } from '../remote/remote-call.ts';
import type { RankingServer } from '../moments/chat-ranking.ts';
import type { SpeechServer } from '../transcribers/speech-server.ts';
import type { TranslationServer } from '../words/libretranslate.ts';
import {
  isSpeechModel,
  getModelDirectory,
  speechModelChoices,
  type SpeechModelOptions,
} from '../transcribers/speech-model.ts';
import { UsageError } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function readServer(environment: Environment, prefix: string) {
  const url = environment[`${prefix}_URL`] || undefined;
  if (url === undefined) return null;
  if (!isRemoteUrl(url)) {
    throw new UsageError(
      `${prefix}_URL must be an https address (http only in your own network) without user name, query or fragment.`,
    );
  }
  return {
    url,
    apiKey: environment[`${prefix}_API_KEY`] || undefined,
    model: environment[`${prefix}_MODEL`] || undefined,
  };
}

/** The speech model of this machine; null if it is off, or a speech server replaces it. */
export function readSpeechModelOptions(environment: Environment): SpeechModelOptions | null {
  if (environment['SPEECH_URL']) return null;
  const model = environment['SPEECH_MODEL'] || undefined;
  const url = environment['SPEECH_MODEL_URL'] || undefined;
  if (model !== undefined && !isSpeechModel(model)) {
    throw new UsageError(`SPEECH_MODEL must be ${speechModelChoices}, unless SPEECH_URL is set.`);
  }
  if (url !== undefined && !isRemoteUrl(url)) {
    throw new UsageError(
      'SPEECH_MODEL_URL must be an https address (http only in your own network) without user name, query or fragment.',
    );
  }
  return model === 'off' ? null : { directory: getModelDirectory(environment), model, url };
}

/** The configured servers; null if an address is not set. Throws UsageError if one is not valid. */
export function readRemotes(environment: Environment): {
  speech: SpeechServer | null;
  translation: TranslationServer | null;
  ranking: RankingServer | null;
} {
  const ranking = readServer(environment, 'RANKING');
  if (ranking && ranking.model === undefined) {
    throw new UsageError('RANKING_MODEL must name the model that the server at RANKING_URL uses.');
  }
  return {
    speech: readServer(environment, 'SPEECH'),
    translation: readServer(environment, 'TRANSLATE'),
    ranking: ranking && { ...ranking, model: ranking.model! },
  };
}
