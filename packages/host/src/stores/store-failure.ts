/** The error of a store whose server failed. Some drivers' errors contain only a code. */
export function storeFailure(server: string, cause: unknown): Error {
  const { message, code } = cause instanceof Error ? (cause as Error & { code?: unknown }) : {};
  const reason = message || (typeof code === 'string' ? code : 'no reason given');
  return new Error(`the ${server} store failed: ${reason}`, { cause });
}
