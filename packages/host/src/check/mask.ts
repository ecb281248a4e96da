const stars = '***';

/** Header names with values that may be shown. All other headers may be secret. */
const plainHeaders = new Set([
  'accept',
  'access-control-request-headers',
  'access-control-request-method',
  'content-type',
  'idempotency-key',
  'origin',
  'prefer',
  'range',
  'sec-fetch-site',
  'user-agent',
]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The secret values within cookies and headers. */
const valuesOf = (secrets: readonly string[]): string[] =>
  secrets
    .flatMap((secret) => [secret, ...secret.split(/[;,\s]+/)])
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1)])
    .map((part) => part.trim())
    .filter((part) => part.length >= 4)
    .toSorted((a, b) => b.length - a.length);

/**
 * Creates the function that removes tokens and the given secrets (cookies, header values) from a
 * text.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const values = valuesOf(secrets);
  const pattern = values.length ? new RegExp(values.map(escaped).join('|'), 'g') : null;
  return (text) =>
    (pattern ? text.replace(pattern, stars) : text)
      .replace(
        /("(?:\w*token\w*|csrf\w*|api_?key|password|secret)"\s*:\s*")[^"]*"/gi,
        `$1${stars}"`,
      )
      .replace(/(external_access_token=)[^&\s"]+/g, `$1${stars}`)
      .replace(/\beyJ[\w-]+(?:\.[\w-]*)*/g, stars)
      .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${stars}`);
}

/** The value of a request header in a form that may be shown. */
export const maskedHeader = (
  name: string,
  value: string,
  mask: (text: string) => string,
): string => (plainHeaders.has(name.toLowerCase()) ? mask(value) : stars);
