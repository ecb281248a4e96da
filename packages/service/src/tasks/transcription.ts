import { transcribe, type SpeechJob, type Transcribed, type Transcriber } from 'clip-engine';
import type { Log } from '../config/config.ts';
import { keptJson } from '../storage/kept-json.ts';
import type { Files } from '../storage/work-directory.ts';

/**
 * The words of a task's source by the first provider that gives them. They are kept with the
 * source, for the next attempt. Providers that failed are logged, and kept too.
 */
export const transcribeOnce = (
  service: Files & { transcribers: readonly Transcriber[]; log: Log },
  taskId: string,
  job: SpeechJob,
): Promise<Transcribed> =>
  keptJson(service, `sources/${taskId}/words.json`, {
    // Words are paid for. After a failure of a provider, the next attempt asks again.
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
