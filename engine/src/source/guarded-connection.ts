import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { mayConnect } from './address-guard.ts';

/** The signature of `dns.lookup` with all addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A host is on a private or reserved network. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  readonly host: string;

  constructor(host: string) {
    super(`${host} is on a private or reserved network.`);
    this.host = host;
  }
}

const guardedLookup =
  (allowPrivate: boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    // The socket connects to exactly these addresses: there is no second lookup after the check.
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      if (!addresses.every(({ address }) => mayConnect(address, allowPrivate))) {
        return callback(new PrivateAddress(hostname), '');
      }
      const first = addresses[0];
      if (!first)
        return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

/**
 * Options for `http.request`: a connection of its own, to an address that the engine may connect
 * to. Throws {@link PrivateAddress}, as the request does for a name.
 */
export function guardedConnection(
  url: URL,
  { allowPrivate, resolve = dnsLookup }: { allowPrivate: boolean; resolve?: Resolve | undefined },
): { agent: false; lookup: LookupFunction } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !mayConnect(host, allowPrivate)) throw new PrivateAddress(host);
  return { agent: false, lookup: guardedLookup(allowPrivate, resolve) };
}
