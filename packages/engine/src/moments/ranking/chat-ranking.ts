import type { Sentence } from '../../facts.ts';
import {
  callJson,
  endpoint,
  jsonBody,
  RemoteError,
  type RemoteServer,
} from '../../remote/remote-call.ts';
import { favourOfPlace, type Favoured } from './favour.ts';
import { checkedPicks, readPicks } from './ranking-answer.ts';
import {
  rankingMessages,
  rankingSchema,
  rankingWindows,
  type RankingWish,
} from './ranking-prompt.ts';

/** A server with an OpenAI-compatible chat API. */
export interface RankingServer {
  /** Base address, such as `https://host/v1`. */
  url: string;
  apiKey?: string | undefined;
  model: string;
  /**
   * Maximum time for one question.
   * @default 120_000
   */
  timeoutMs?: number;
}

/** Ways to ask for JSON, strictest first. A server rejects a format that it does not know. */
const formats = [
  {
    type: 'json_schema',
    json_schema: { name: 'clips', strict: true, schema: rankingSchema },
  },
  { type: 'json_object' },
  null,
] as const;

function contentOf(answer: unknown): string {
  const choice = (answer as { choices?: { message?: { content?: unknown } }[] } | null)
    ?.choices?.[0];
  const content = choice?.message?.content;
  return typeof content === 'string' ? content : '';
}

/**
 * Asks a language model which parts of a talk make the best clips. It gets numbered sentences and
 * answers with numbers, and may propose titles and explanations, which are checked before they are
 * used.
 * @returns the chosen parts in source seconds, with how much the model favours each
 * @throws {@link RemoteError} if there is no usable answer, or the signal's reason
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
      const responseFormat = formats[format];
      try {
        return contentOf(
          await callJson(server, {
            url: endpoint(config.url, '/chat/completions'),
            bearer: true,
            body: jsonBody({
              model: config.model,
              messages,
              ...(responseFormat && { response_format: responseFormat }),
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
    checkedPicks(picks, window, wish).forEach(({ first, last, ...proposal }, place, all) => {
      const start = sentences[first]?.start ?? 0;
      const end = sentences[last]?.end ?? 0;
      favoured.push({ start, end, favour: favourOfPlace(place, all.length), ...proposal });
    });
  }
  if (understood || sentences.length === 0) return favoured;
  throw new RemoteError(
    'bad-answer',
    'The ranking server answered without sentence ids. Set RANKING_MODEL to a model that can answer in JSON.',
  );
}
