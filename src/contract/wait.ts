import { maxWaitSeconds } from './host.ts';

/**
 * The number of seconds that a `Prefer` header asks the server to hold the answer (RFC 7240,
 * `wait=N`): 0 if it does not ask, and at most {@link maxWaitSeconds}.
 */
export function waitSeconds(prefer: string | null | undefined): number {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0;
}
