import { guardedAgent, PrivateAddress } from 'clip-engine';
import { request } from 'undici';

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
  const late = AbortSignal.timeout(timeoutMs);
  const agent = guardedAgent({ allowPrivate });
  try {
    const { statusCode, body: answer } = await request(address, {
      dispatcher: agent,
      method: 'POST',
      signal: AbortSignal.any([signal, late]),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'clip-service' },
      body,
    });
    answer.on('error', () => {}).destroy();
    return statusCode;
  } catch (error) {
    signal.throwIfAborted();
    const { host } = new URL(address);
    if (late.aborted) throw new NotDelivered(`${host} did not answer within 20 s.`);
    if (error instanceof PrivateAddress) {
      throw new NotDelivered(
        `${error.message} Use a public address, or set CLIP_ALLOW_PRIVATE_SOURCES=1.`,
      );
    }
    const { code = 'no reason known' } = error as NodeJS.ErrnoException;
    throw new NotDelivered(`${host} could not be reached (${code}).`);
  } finally {
    void agent.destroy();
  }
}
