import { type FilePart, missingParts } from '../flow/upload.ts';
import { type CallName, HttpError, TransportError } from './errors.ts';
import {
  answerError,
  type ArrivedPart,
  arrivedParts,
  type PartAddress,
  partAddresses,
  type Sending,
  silenceMs,
  upload as uploadReader,
} from './upload-answers.ts';

/** How many addresses are requested at once; they expire. */
const partsAtOnce = 8;

/** Sends what has not arrived, part by part, to addresses that the host signs. */
export async function sendByParts(sending: Sending): Promise<void> {
  const { host, upload, file, signal, onSent } = sending;
  const path = `/uploads/${encodeURIComponent(upload.id)}`;
  const { value: arrived } = await host.get<ArrivedPart[]>(`${path}/parts`, arrivedParts, {
    isOwn: true,
    signal,
  });
  const missing = missingParts(file.size, upload.part_size ?? file.size, arrived);
  let sent = file.size - missing.reduce((sum, { start, end }) => sum + end - start, 0);
  onSent(sent, true);
  for (let at = 0; at < missing.length; at += partsAtOnce) {
    const some = missing.slice(at, at + partsAtOnce);
    const numbers = some.map(({ number }) => number);
    const { value } = await host.change<PartAddress[]>(`${path}/parts`, partAddresses, {
      body: { numbers },
      signal,
    });
    const addresses = new Map(value.map(({ number, url }) => [number, url]));
    for (const part of some) {
      await put(sending, part, addresses.get(part.number)!, sent);
      sent += part.end - part.start;
      onSent(sent, true);
    }
  }
  await host.change(`${path}/complete`, uploadReader, { body: {}, signal });
}

async function put(
  { file, signal, onSent }: Sending,
  { start, end }: FilePart,
  url: string,
  before: number,
): Promise<void> {
  try {
    await putPart(url, file.slice(start, end), signal, (bytes) => onSent(before + bytes, false));
  } catch (cause) {
    // The address has ended. The next try asks for another.
    if (cause instanceof HttpError && cause.status === 403) {
      throw new HttpError(cause.call, 503, cause.problem, cause.retryAfter, { cause });
    }
    throw cause;
  }
}

/**
 * Puts a part of a file to an address. `fetch` reports no progress. The browser reads the part from
 * the disk, so it takes no memory of the page.
 */
function putPart(
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
