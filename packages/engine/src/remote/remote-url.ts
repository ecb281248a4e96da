/** Host names that only the local network knows. */
const localNames = /^(?:localhost|[^.:]+|.+\.(?:local|internal|lan|home\.arpa|localhost))$/i;

const isLocalAddress = (host: string): boolean =>
  /^(?:127|10)\.\d+\.\d+\.\d+$|^192\.168\.\d+\.\d+$|^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(
    host,
  ) || /^\[(?:::1|f[cd][0-9a-f:]*)\]$/i.test(host);

/**
 * Whether a URL may be used for another server: https anywhere, http only in the local network,
 * because keys and speech are sent there. A user name, query or fragment is not allowed.
 */
export function isRemoteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === 'https:') return true;
  return (
    url.protocol === 'http:' && (localNames.test(url.hostname) || isLocalAddress(url.hostname))
  );
}

/**
 * The address of an operation of an OpenAI-compatible server.
 * @param base address of the server, with or without `/v1`, or of the operation itself
 */
export function endpoint(base: string, operation: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith(operation)) url.pathname = `${path || '/v1'}${operation}`;
  return url.href;
}
