import {
  RemoteError,
  translatedAnalysis,
  type Analysis,
  type Span,
  type Translator,
} from 'clip-engine';
import { keptJson } from '../storage/kept-json.ts';
import type { Files } from '../storage/work-directory.ts';
import { WorkFailure } from '../queue/work-failure.ts';

/**
 * The analysis in another language, see `translatedAnalysis`. What was translated is kept for the
 * task's next attempt. Throws WorkFailure if the server cannot do it, or the signal's reason.
 */
export const translated = (
  service: Files & { translator: Translator | null },
  analysis: Analysis,
  wanted: { taskId: string; to: string; spans: readonly Span[]; signal: AbortSignal },
): Promise<Analysis> =>
  translatedAnalysis(analysis, {
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
      const kept = await keptJson(service, `sources/${wanted.taskId}/translation-${to}.json`, {
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
