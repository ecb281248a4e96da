import { maxWaitSeconds } from './host.ts';

/**
 * The seconds that a `Prefer` header asks an answer to be held (RFC 7240, `wait=N`), 0 where it does not ask,
 * never over {@link maxWaitSeconds}.
 */
export const waitSeconds = (prefer: string | null | undefined): number => {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer ?? '');
  return match ? Math.min(Number(match[1]), maxWaitSeconds) : 0;
};
