/**
 * The headers of every answer: it is for one user, must not be stored, and has the type that it
 * declares. A plain object, because servers send it without the cost of a `Headers`.
 */
export const answerHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Authorization, Cookie, Origin',
} as const;
