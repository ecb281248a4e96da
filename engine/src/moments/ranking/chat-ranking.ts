import type { Sentence } from '../../facts.ts';
import { callJson, jsonBody, RemoteError, type RemoteServer } from '../../remote/remote-call.ts';
import { endpoint } from '../../remote/remote-url.ts';
import { favourOfPlace, type Favoured } from './favour.ts';
import { checkedPicks, readPicks } from './ranking-answer.ts';
import {
  rankingMessages,
  rankingSchema,
  rankingWindows,
  type RankingWish,
} from './ranking-prompt.ts';

export interface RankingServer {
  /** Base address of an OpenAI-compatible server, as in `https://host/v1`. */
  url: string;
  apiKey?: string | undefined;
  model: string;
  /** Milliseconds for a question; 120 000 where left out. */
  timeoutMs?: number;
}

/** Ways to ask for JSON, strictest first. Servers that do not know one refuse it. */
const formats = [
  {
    type: 'json_schema',
    json_schema: { name: 'clips', strict: true, schema: rankingSchema },
  },
  { type: 'json_object' },
  null,
] as const;

const contentOf = (answer: unknown): string => {
  const choice = (answer as { choices?: { message?: { content?: unknown } }[] } | null)
    ?.choices?.[0];
  const content = choice?.message?.content;
  return typeof content === 'string' ? content : '';
};

/**
 * Asks a language model which stretches of a talk make the best clips. It sees numbered sentences and answers with
 * numbers; whatever else it writes is thrown away.
 * Throws RemoteError where it gives no answer that can be used, or the signal's reason.
 */
export async function chatRanking(
  config: RankingServer,
  sentences: readonly Sentence[],
  wish: RankingWish,
  signal: AbortSignal,
): Promise<Favoured[]> {
  const server: RemoteServer = {
    name: 'ranking server',
    settings: 'RANKING',
    apiKey: config.apiKey,
  };
  let format = 0;

  const ask = async (messages: unknown): Promise<string> => {
    for (;;) {
      const wanted = formats[format];
      try {
        return contentOf(
          await callJson(server, {
            url: endpoint(config.url, '/chat/completions'),
            bearer: true,
            body: jsonBody({
              model: config.model,
              messages,
              ...(wanted && { response_format: wanted }),
            }),
            signal,
            timeoutMs: config.timeoutMs ?? 120_000,
            maxBytes: 1024 * 1024,
          }),
        );
      } catch (error) {
        const status = error instanceof RemoteError ? error.status : null;
        const unknownFormat = status === 400 || status === 422 || status === 200;
        if (!unknownFormat || format + 1 >= formats.length) throw error;
        format++;
      }
    }
  };

  const favoured: Favoured[] = [];
  let understood = false;
  for (const window of rankingWindows(sentences)) {
    const picks = readPicks(await ask(rankingMessages(window.sentences, window.firstId, wish)));
    if (!picks) continue;
    understood = true;
    checkedPicks(picks, window, wish).forEach(({ first, last }, place, all) => {
      const start = sentences[first]?.start ?? 0;
      const end = sentences[last]?.end ?? 0;
      favoured.push({ start, end, favour: favourOfPlace(place, all.length) });
    });
  }
  if (understood || sentences.length === 0) return favoured;
  throw new RemoteError(
    'bad-answer',
    'The ranking server answered without sentence ids: RANKING_MODEL must name a model that can answer in JSON.',
  );
}
