import { createHash } from 'node:crypto';
import {
  type Analysis,
  rankByChat,
  formatError,
  type Favoured,
  type RankingServer,
  type RankingOptions,
  RemoteError,
  type Span,
  type SpeechJob,
  transcribe,
  type TranscriptionResult,
  type Transcriber,
  translateAnalysis,
  type Translator,
} from 'clip-engine';
import type { Log } from '../config/config.ts';
import { findMachineFault } from '../db/connections.ts';
import type { AskedWords } from '../db/schema.ts';
import { type Files, cacheJson } from '../storage/work-directory.ts';
import { WorkFailure } from '../queue/queue.ts';

/**
 * Returns the words of a task's source by the first provider that has them. They are stored with
 * the source, for the next attempt. Providers that failed are logged, and kept too.
 */
export const transcribeOnce = (
  service: Files & { transcribers: readonly Transcriber[]; log: Log },
  taskId: string,
  job: SpeechJob,
  words: AskedWords | null = null,
): Promise<TranscriptionResult> =>
  cacheJson(service, `sources/${taskId}/transcription${words ? `-${words.round}` : ''}.json`, {
    // Transcription is paid for. Only after a failure of a provider does the next attempt repeat
    // it.
    fits: ({ transcription, failures }: TranscriptionResult) =>
      transcription !== null || failures.length === 0,
    make: async () => {
      // What a crash leaves there is removed at the next start.
      const { workDirectory } = service;
      const result = await transcribe(service.transcribers, { ...job, workDirectory });
      for (const { provider, reason } of result.failures) {
        service.log({ event: 'transcriber-failed', id: taskId, provider, reason });
      }
      const language = result.transcription?.language ?? null;
      service.log({ event: 'transcribed', id: taskId, provider: result.provider, language });
      return result;
    },
  });

/** Hashes the question to the model: the sentences with their times, the options, the model. */
function hashQuestion(
  { model, url }: RankingServer,
  sentences: readonly { text: string; start: number; end: number }[],
  options: RankingOptions,
): string {
  const timedSentences = sentences.map(({ text, start, end }) => [text, start, end]);
  return createHash('sha256')
    .update(
      JSON.stringify([
        ...[url, model, options.count, options.min, options.max, timedSentences],
        ...(options.topics ? [options.topics] : []),
      ]),
    )
    .digest('hex');
}

/**
 * The parts of the source that the configured language model chooses. Undefined if none is
 * configured, nothing is said, or the model failed: then `onFailure` is called, and only the
 * engine chooses. The answer is stored for the next attempt.
 * Throws the signal's reason, and what the machine lacks (a full disk).
 */
export async function askModel(
  service: Files & { ranking: RankingServer | null; log: Log },
  taskId: string,
  { transcript }: Analysis,
  options: RankingOptions,
  signal: AbortSignal,
  onFailure: () => void = () => {},
): Promise<Favoured[] | undefined> {
  const sentences = transcript?.sentences ?? [];
  const { ranking } = service;
  if (!ranking || sentences.length === 0) return undefined;
  const question = hashQuestion(ranking, sentences, options);
  try {
    const { chosen } = await cacheJson(service, `sources/${taskId}/ranking.json`, {
      fits: (kept: { question: string; chosen: Favoured[] }) => kept.question === question,
      make: async () => ({
        question,
        chosen: await rankByChat(ranking, sentences, options, signal),
      }),
    });
    service.log({ event: 'ranked', id: taskId, chosen: chosen.length });
    return chosen;
  } catch (error) {
    signal.throwIfAborted();
    if (findMachineFault(error)) throw error;
    const reason = formatError(error);
    service.log({ event: 'ranking-failed', id: taskId, reason });
    onFailure();
    return undefined;
  }
}

/**
 * The analysis in another language, see `translateAnalysis`. Translations are stored for the task's
 * next attempt. Throws WorkFailure if the server cannot do it, or the signal's reason.
 */
export const translateSpans = (
  service: Files & { translator: Translator | null },
  analysis: Analysis,
  wanted: { taskId: string; to: string; spans: readonly Span[]; signal: AbortSignal },
): Promise<Analysis> =>
  translateAnalysis(analysis, {
    to: wanted.to,
    spans: wanted.spans,
    translate: async (texts, { from, to }) => {
      const { translator } = service;
      if (!translator) {
        throw new WorkFailure(
          'translation-failed',
          'The captions could not be translated: the service has no translation server any more. Its operator sets TRANSLATE_URL.',
        );
      }
      const kept = await cacheJson(service, `sources/${wanted.taskId}/translation-${to}.json`, {
        fits: (value: { texts: string[] }) => JSON.stringify(value.texts) === JSON.stringify(texts),
        make: async () => {
          try {
            const { signal } = wanted;
            return { texts, translations: await translator.translate(texts, { from, to, signal }) };
          } catch (error) {
            wanted.signal.throwIfAborted();
            if (!(error instanceof RemoteError)) throw error;
            const message = `The captions could not be translated to ${to}. ${error.message} Then create the task again, or leave translate_to out.`;
            throw new WorkFailure('translation-failed', message);
          }
        },
      });
      return kept.translations;
    },
  });
