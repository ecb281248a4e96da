/**
 * What every answer carries: it is for one user, for now, and what it says it is. As a plain object, which servers send on
 * without the cost of a `Headers`.
 */
export const answerHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Cookie, Origin',
} as const;
