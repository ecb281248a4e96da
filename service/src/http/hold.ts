import type { Context } from 'hono';
import type { Wait } from '../changes/live-rows.ts';
import type { ServiceContext } from '../context.ts';

/** Ends a held request: when its client goes away, or when the service stops. */
export const holdSignal = (c: Context, service: Pick<ServiceContext, 'closing'>): AbortSignal =>
  AbortSignal.any([c.req.raw.signal, service.closing]);

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
