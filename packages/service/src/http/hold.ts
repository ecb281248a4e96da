import { waitSeconds } from 'clip-kit/contract';
import type { Context } from 'hono';
import type { Wait } from '../db/live-rows.ts';
import type { ServiceContext } from '../context.ts';

/** Ends a held request: when its client goes away, or when the service stops. */
export const holdSignal = (c: Context, service: Pick<ServiceContext, 'closing'>): AbortSignal =>
  AbortSignal.any([c.req.raw.signal, service.closing]);

/** Each takes about 20 kB of this process, with its connection. */
const maxHeld = 10_000;

/**
 * As long as the client asks for with `Prefer: wait=N` (RFC 7240). If this process holds as many as
 * it can, nobody waits, and the client asks again by itself.
 */
export function holdOf(
  c: Context,
  service: Pick<ServiceContext, 'closing' | 'changes'>,
): Wait & { headers: Record<string, string> } {
  const seconds = service.changes.waiting < maxHeld ? waitSeconds(c.req.header('prefer')) : 0;
  if (seconds === 0) return { ms: 0, signal: service.closing, headers: {} };
  const headers = { 'Preference-Applied': `wait=${seconds}` };
  return { ms: seconds * 1000, signal: holdSignal(c, service), headers };
}
