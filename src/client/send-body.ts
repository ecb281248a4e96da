import { HttpError, TransportError, type CallName } from './errors.ts';
import { jsonOf, readAnswer, retryAfterOf } from './host-answers.ts';

/** The longest time without progress: a computer has slept, or the connection is dead. */
export const silenceMs = 60_000;

/** The error of an answer that is not 2xx. */
export function answerError(
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

/**
 * Puts a part of a file to an address. `fetch` reports no progress. The browser reads the part from
 * the disk, so it takes no memory of the page.
 */
export function putPart(
  url: string,
  body: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  // The address is a secret.
  const call: CallName = { method: 'PUT', path: '/part' };
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout>;
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), silenceMs);
    };
    const abort = (): void => request.abort();
    request.upload.onprogress = ({ loaded }) => {
      listen();
      onSent(loaded);
    };
    request.onloadend = () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else if (signal.aborted) reject(signal.reason);
      else if (!status) reject(new TransportError(call, false));
      else
        reject(answerError(call, status, responseText, request.getResponseHeader('Retry-After')));
    };
    signal.addEventListener('abort', abort);
    request.open('PUT', url);
    request.send(body);
    listen();
    if (signal.aborted) abort();
  });
}
