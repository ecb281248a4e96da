import type { Context } from 'hono';
import type { ServiceContext } from '../context.ts';

/** Ends a held request: when its client goes away, or when the service stops. */
export const holdSignal = (c: Context, service: Pick<ServiceContext, 'closing'>): AbortSignal =>
  AbortSignal.any([c.req.raw.signal, service.closing]);

/** Says that `Prefer: wait=N` was honoured (RFC 7240); empty if it was not asked for. */
export const preferenceApplied = (seconds: number): Record<string, string> =>
  seconds > 0 ? { 'Preference-Applied': `wait=${seconds}` } : {};
