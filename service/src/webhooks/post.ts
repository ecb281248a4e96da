import http from 'node:http';
import https from 'node:https';
import { guardedConnection, PrivateAddress } from 'clip-engine';

/** Why there was no answer: a sentence for the operator. */
export class NotDelivered extends Error {
  override name = 'NotDelivered';
}

/** Maximum time until the answer begins. The Standard Webhooks specification advises 15 to 30 s. */
const timeoutMs = 20_000;

/**
 * Sends a message and gives the status of the answer, which is not read further. Redirects are not
 * followed.
 * Throws {@link NotDelivered}, or the signal's reason.
 */
export async function post(
  address: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  { allowPrivate, signal }: { allowPrivate: boolean; signal: AbortSignal },
): Promise<number> {
  const url = new URL(address);
  const late = AbortSignal.timeout(timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  try {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        ...guardedConnection(url, { allowPrivate }),
        method: 'POST',
        signal: AbortSignal.any([signal, late]),
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'clip-service',
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
    return await promise;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new NotDelivered(`${url.host} did not answer within 20 s.`);
    if (error instanceof PrivateAddress) {
      throw new NotDelivered(
        `${error.message} Use a public address, or set CLIP_ALLOW_PRIVATE_SOURCES=1.`,
      );
    }
    const { code = 'no reason known' } = error as NodeJS.ErrnoException;
    throw new NotDelivered(`${url.host} could not be reached (${code}).`);
  }
}
