import type { RemoteConfig, ServiceConfig } from './config.ts';
import { isRemoteUrl } from 'clip-engine';

type Read = (name: string) => string | undefined;

/** A key is described, never shown. It must fit into a header. */
const readRemote = (prefix: string, read: Read, problems: string[]): RemoteConfig | undefined => {
  const url = read(`${prefix}_URL`);
  const apiKey = read(`${prefix}_API_KEY`);
  const model = read(`${prefix}_MODEL`);
  if (url === undefined) {
    for (const [name, value] of [
      ['API_KEY', apiKey],
      ['MODEL', model],
    ]) {
      if (value !== undefined) problems.push(`${prefix}_${name} is set without ${prefix}_URL.`);
    }
    return undefined;
  }
  if (!isRemoteUrl(url)) {
    problems.push(
      `${prefix}_URL must be an https address (http in the own network alone) without user name, query or fragment.`,
    );
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
    problems.push(`${prefix}_API_KEY must be of printable ASCII characters without spaces.`);
  }
  return { url, ...(apiKey !== undefined && { apiKey }), ...(model !== undefined && { model }) };
};

/** The servers that the service may ask for help: SPEECH_, TRANSLATE_ and RANKING_, each with URL, API_KEY and (but for translation) MODEL. */
export const readRemotes = (
  read: Read,
  problems: string[],
): Pick<ServiceConfig, 'speech' | 'translation' | 'ranking'> => {
  const speech = readRemote('SPEECH', read, problems);
  const translation = readRemote('TRANSLATE', read, problems);
  const ranking = readRemote('RANKING', read, problems);
  const { model } = ranking ?? {};
  if (ranking && model === undefined) {
    problems.push('RANKING_MODEL must name the model that the server at RANKING_URL is to use.');
  }
  return {
    ...(speech && { speech }),
    ...(translation && { translation }),
    ...(ranking && model !== undefined && { ranking: { ...ranking, model } }),
  };
};
