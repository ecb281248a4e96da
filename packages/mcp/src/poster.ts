import type { ImageContent } from '@modelcontextprotocol/sdk/types.js';
import type { Settings } from './settings.ts';

const maxBytes = 300_000;
const waitMs = 5000;

/**
 * Returns the picture of a clip for the agent. Null if it is not there yet, too large, or at
 * another address than the service's own.
 */
export async function readPoster(
  url: string | null,
  { serviceUrl, playerUrl }: Settings,
  signal: AbortSignal,
): Promise<ImageContent | null> {
  const own = [serviceUrl, playerUrl ?? serviceUrl].map((one) => new URL(one).origin);
  if (url === null || !own.includes(new URL(url).origin)) return null;
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const response = await fetch(url, { redirect: 'error', signal: limits });
    const type = response.headers.get('Content-Type') ?? '';
    const [mimeType] = /^image\/(?:jpeg|png|webp)\b/.exec(type) ?? [];
    const data = Buffer.from(await response.arrayBuffer());
    if (!response.ok || !mimeType || !data.length || data.length > maxBytes) return null;
    return { type: 'image', mimeType, data: data.toString('base64') };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
