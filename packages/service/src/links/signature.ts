import { createHmac, timingSafeEqual } from 'node:crypto';

/** The longest life of a signed address, in seconds. */
export const maxLinkSeconds = 24 * 60 * 60;

/** The query that opens the addresses of one private clip until its end. */
export interface Link {
  /** `expires` and `signature`, as the query of each of these addresses. */
  readonly query: string;
  /** In seconds since 1970. */
  readonly expires: number;
}

/** The signing keys. A CDN that knows both also accepts signatures after a replacement. */
export interface LinkKeys {
  readonly current: string;
  /** Signs after the next replacement. */
  readonly next: string;
  /** Signed until the last replacement. */
  readonly previous?: { readonly key: string; readonly replaced_at: string };
}

/** HMAC-SHA256 of the clip's id and the end, by the bytes of the key's text, in base64url. */
const computeSignature = (key: string, id: string, expires: number): string =>
  createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url');

/** Signs the addresses of a clip, or of a task's picture. `expires`: in seconds since 1970. */
export const signLink = ({ current }: LinkKeys, id: string, expires: number): Link => ({
  query: `expires=${expires}&signature=${computeSignature(current, id, expires)}`,
  expires,
});

/** The former key is accepted until the last address that it has signed has ended. */
function listAcceptedKeys({ current, next, previous }: LinkKeys, now: number): string[] {
  const isAccepted =
    previous !== undefined && now < Date.parse(previous.replaced_at) / 1000 + maxLinkSeconds + 60;
  return [current, next, ...(isAccepted ? [previous.key] : [])];
}

/**
 * Returns the link of an address with this query; null if it is not signed for this id, or has
 * ended. `now`: in seconds since 1970.
 */
export function readLink(
  keys: LinkKeys,
  id: string,
  { expires = '', signature = '' }: Readonly<Record<string, string | undefined>>,
  now: number,
): Link | null {
  const end = /^[1-9]\d{0,10}$/.test(expires) ? Number(expires) : 0;
  const given = Buffer.from(signature);
  // All keys are compared, so that the time says nothing of which one has signed.
  const matches = listAcceptedKeys(keys, now).filter((key) => {
    const expected = Buffer.from(computeSignature(key, id, end));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (matches.length === 0 || end <= now) return null;
  return { query: `expires=${end}&signature=${signature}`, expires: end };
}
