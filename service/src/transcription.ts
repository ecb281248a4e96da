import type { ServiceContext } from './context.ts';
import { keptJson } from './kept-json.ts';
import { transcribe, type SpeechJob, type Transcribed } from 'clip-engine';

/**
 * The words of a task's source by the first provider that gives them. They are kept with the source, so that an attempt
 * after a crash does not ask again. Providers that failed go into the log and into what is kept.
 */
export const transcribeOnce = (
  service: Pick<ServiceContext, 'storage' | 'workDirectory' | 'transcribers' | 'log'>,
  taskId: string,
  job: SpeechJob,
): Promise<Transcribed> =>
  keptJson(service, `sources/${taskId}/words.json`, {
    // Words are paid for. Where there are none because somebody failed, the next attempt may have some.
    fits: ({ heard, setbacks }: Transcribed) => heard !== null || setbacks.length === 0,
    make: async () => {
      // What a crash leaves there is gone at the next start.
      const { workDirectory } = service;
      const result = await transcribe(service.transcribers, { ...job, workDirectory });
      for (const { provider, reason } of result.setbacks) {
        service.log({ event: 'transcriber-failed', id: taskId, provider, reason });
      }
      const language = result.heard?.language ?? null;
      service.log({ event: 'transcribed', id: taskId, provider: result.provider, language });
      return result;
    },
  });
