import { createHash } from 'node:crypto';
import {
  errorText,
  type Analysis,
  chatRanking,
  type RankingServer,
  type Favoured,
  type RankingOptions,
} from 'clip-engine';
import type { Log } from '../config/config.ts';
import { machineFault } from '../operations/machine-fault.ts';
import { keptJson } from '../storage/kept-json.ts';
import type { Files } from '../storage/work-directory.ts';

/** What the model is asked, as a hash: the sentences with their times, the wish, the model. */
function questionOf(
  { model, url }: RankingServer,
  sentences: readonly { text: string; start: number; end: number }[],
  wish: RankingOptions,
): string {
  const timedSentences = sentences.map(({ text, start, end }) => [text, start, end]);
  return createHash('sha256')
    .update(JSON.stringify([url, model, wish.count, wish.min, wish.max, timedSentences]))
    .digest('hex');
}

/**
 * The parts of the source that the configured language model chooses. Undefined if none is
 * configured, nothing is said, or the model failed: then `onFailure` is called, and only the
 * engine chooses. The answer is kept, so that the next attempt does not ask again.
 * Throws the signal's reason, and what the machine lacks (a full disk).
 */
export async function modelChoice(
  service: Files & { ranking: RankingServer | null; log: Log },
  taskId: string,
  { transcript }: Analysis,
  wish: RankingOptions,
  signal: AbortSignal,
  onFailure: () => void = () => {},
): Promise<Favoured[] | undefined> {
  const sentences = transcript?.sentences ?? [];
  const { ranking } = service;
  if (!ranking || sentences.length === 0) return undefined;
  const { count, min, max } = wish;
  const question = questionOf(ranking, sentences, wish);
  try {
    const { chosen } = await keptJson(service, `sources/${taskId}/ranking.json`, {
      fits: (kept: { question: string; chosen: Favoured[] }) => kept.question === question,
      make: async () => ({
        question,
        chosen: await chatRanking(ranking, sentences, { count, min, max }, signal),
      }),
    });
    service.log({ event: 'ranked', id: taskId, chosen: chosen.length });
    return chosen;
  } catch (error) {
    signal.throwIfAborted();
    if (machineFault(error)) throw error;
    const reason = errorText(error);
    service.log({ event: 'ranking-failed', id: taskId, reason });
    onFailure();
    return undefined;
  }
}
