import { type CallName, HttpError, TransportError } from './errors.ts';
import type { Sending } from './upload-answers.ts';
import { jsonOf, readAnswer, retryAfterOf } from './host-answers.ts';

/** The longest time without progress: a computer has slept, or the connection is dead. */
const silenceMs = 60_000;

/** The error of an answer that is not 2xx. */
function answerError(
  call: CallName,
  status: number,
  body: string,
  retryAfter: string | null,
): HttpError {
  const problem = readAnswer('problem', jsonOf(body));
  return new HttpError(
    call,
    status,
    'value' in problem ? problem.value : null,
    retryAfterOf(retryAfter, Date.now()),
  );
}

/** Sends what has not arrived by tus 1.0. One try: who calls tries again. */
export async function sendByTus(sending: Sending): Promise<void> {
  const { host, upload, file, signal, onSent } = sending;
  const { answerOf, Upload } = await import('./tus-library.ts');
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    let silence: ReturnType<typeof setTimeout>;
    const end = (settle: () => void): void => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      settle();
    };
    const { headers, withCredentials, answered } = host.ownRequest(upload.url);
    const client = new Upload(file, {
      uploadUrl: upload.url,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: async (request) => {
        request.getUnderlyingObject().withCredentials = withCredentials;
        const all = await headers().catch((cause: unknown) => {
          // The library would make an error of its own of it.
          stop(cause);
          throw cause;
        });
        for (const [name, value] of Object.entries(all)) request.setHeader(name, value);
      },
      onProgress: (sent) => {
        listen();
        onSent(sent, false);
      },
      onAfterResponse: (_, response) => {
        listen();
        answered((name) => response.getHeader(name));
        const offset = Number(response.getHeader('Upload-Offset') ?? NaN);
        if (offset >= 0) onSent(offset, true);
      },
      onSuccess: () => end(resolve),
      onError: (error) => end(() => reject(callError(error))),
    });
    const stop = (reason: unknown): void =>
      end(() => {
        void client.abort();
        reject(reason);
      });
    const abort = (): void => stop(signal.reason);
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => stop(new TransportError(called, true)), silenceMs);
    };
    const callError = (error: Error): Error => {
      const answer = answerOf(error);
      const status = answer?.getStatus();
      return answer && status
        ? answerError(called, status, answer.getBody(), answer.getHeader('Retry-After') ?? null)
        : new TransportError(called, false);
    };
    signal.addEventListener('abort', abort);
    listen();
    client.start();
  });
}

/** The address is a secret, and in the library's own errors. */
const called: CallName = { method: 'PATCH', path: '/uploads' };
