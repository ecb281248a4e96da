import type { ServiceContext } from './context.ts';
import type { Analysis, Span } from './media/analysis.ts';
import { chatRanking } from './media/ranking/chat-ranking.ts';
import { favourOf } from './media/ranking/favour.ts';
import type { RankingWish } from './media/ranking/ranking-prompt.ts';

/**
 * What the configured language model thinks of any stretch of the source, 0 to 1; undefined where none is configured,
 * nothing is said, or the model failed, which goes into the log and to `onFailure`: clips are then chosen by the engine alone.
 * Throws only the signal's reason.
 */
export const modelFavour = async (
  service: Pick<ServiceContext, 'ranking' | 'log'>,
  taskId: string,
  { transcript }: Analysis,
  wish: RankingWish,
  signal: AbortSignal,
  onFailure: () => void = () => {},
): Promise<((span: Span) => number) | undefined> => {
  const sentences = transcript?.sentences ?? [];
  if (!service.ranking || sentences.length === 0) return undefined;
  try {
    const { count, min, max } = wish;
    const chosen = await chatRanking(service.ranking, sentences, { count, min, max }, signal);
    service.log({ event: 'ranked', id: taskId, chosen: chosen.length });
    return (span) => favourOf(chosen, span);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    service.log({ event: 'ranking-failed', id: taskId, reason });
    onFailure();
    return undefined;
  }
};
