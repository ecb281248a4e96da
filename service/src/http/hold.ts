import { waitSeconds } from 'clip-kit/contract';
import type { Context } from 'hono';
import type { Wait } from '../changes/live-rows.ts';
import type { ServiceContext } from '../context.ts';

/** Ends a held request: when its client goes away, or when the service stops. */
export const holdSignal = (c: Context, service: Pick<ServiceContext, 'closing'>): AbortSignal =>
  AbortSignal.any([c.req.raw.signal, service.closing]);

/** Each takes about 20 kB of this process, with its connection. */
const maxHeld = 10_000;

/**
 * Seconds that the client asks to be held for with `Prefer: wait=N`. 0 if it does not, or if this
 * process holds as many as it can: then the client asks again by itself.
 */
export const heldSeconds = (c: Context, { changes }: Pick<ServiceContext, 'changes'>): number =>
  changes.waiting >= maxHeld ? 0 : waitSeconds(c.req.header('prefer'));

/** As long as the client asks for with `Prefer: wait=N`. */
export const waitOf = (
  c: Context,
  service: Pick<ServiceContext, 'closing'>,
  seconds: number,
): Wait => ({
  ms: seconds * 1000,
  signal: seconds > 0 ? holdSignal(c, service) : service.closing,
});

/** Says that `Prefer: wait=N` was honoured (RFC 7240); empty if it was not asked for. */
export const preferenceApplied = (seconds: number): Record<string, string> =>
  seconds > 0 ? { 'Preference-Applied': `wait=${seconds}` } : {};
