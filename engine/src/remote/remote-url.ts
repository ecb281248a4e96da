/** Names that only the own network knows. */
const ownNames = /^(?:localhost|[^.:]+|.+\.(?:local|internal|lan|home\.arpa|localhost))$/i;

const ownAddress = (host: string): boolean =>
  /^(?:127|10)\.\d+\.\d+\.\d+$|^192\.168\.\d+\.\d+$|^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(
    host,
  ) || /^\[(?:::1|f[cd][0-9a-f:]*)\]$/i.test(host);

/**
 * Whether a service may be asked at an address: https anywhere, plain http in the own network alone, as keys and speech go
 * there. No user name, query or fragment.
 */
export function isRemoteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (ownNames.test(url.hostname) || ownAddress(url.hostname));
}

/**
 * The address of an operation of an OpenAI-compatible server. `base` is its address with or without `/v1`, or that of
 * the operation itself.
 */
export function endpoint(base: string, operation: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith(operation)) url.pathname = `${path || '/v1'}${operation}`;
  return url.href;
}
