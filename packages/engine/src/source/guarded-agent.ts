import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

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

/** A lookup for sockets that fails with {@link PrivateAddress} where the engine may not connect. */
export const createGuardedLookup =
  (allowPrivate: boolean, resolve: Resolve = dnsLookup): LookupFunction =>
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

/** The time that a connection may take. */
export const connectTimeoutMs = 15_000;

/**
 * A dispatcher for undici that only connects to addresses that the engine may connect to. A request
 * to another one fails with {@link PrivateAddress}.
 */
export function createGuardedAgent({
  allowPrivate,
  resolve,
}: {
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
}): Agent {
  const lookup = createGuardedLookup(allowPrivate, resolve);
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs });
  return new Agent({
    connect(target, callback) {
      // An address is not looked up.
      const host = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && !mayConnect(host, allowPrivate)) callback(new PrivateAddress(host), null);
      else connect(target, callback);
    },
  });
}

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal']);

/** Services of clouds for their machines, which give out keys, outside of the link-local ranges. */
const metadataNetworks = [
  // Azure, whose address looks public.
  '168.63.129.16/32',
  // Amazon, Google, Akamai, Alibaba and Scaleway.
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:a9fe:a9fe::/64', 'fd00:100::100:200/128'],
  'fd00:42::42/128',
].map((network) => ipaddr.parseCIDR(network));

/** A link-local IPv4 address in a private network: of Oracle, or by NAT64. */
const hasLinkLocalEnd = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'uniqueLocal' && address.toByteArray().slice(12, 14).join() === '169,254';

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isInside = ([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean =>
    network.kind() === address.kind() && address.match(network, bits);
  return metadataNetworks.some(isInside) || hasLinkLocalEnd(address);
}

/**
 * Whether the engine may connect to an IP address. Public unicast: always. Loopback and private
 * ranges: only with `allowPrivate`. Cloud metadata, link-local, carrier NAT, multicast,
 * unspecified, tunnels and reserved ranges: never.
 * An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) counts as the IPv4 address.
 */
export function mayConnect(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (isMetadata(parsed)) return false;
  const range = parsed.range();
  if (privateRanges.has(range)) return allowPrivate;
  if (range !== 'unicast') return false;
  // ipaddr.js also calls unassigned ranges unicast. In IPv6 only 2000::/3 is assigned.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parse('2000::'), 3);
}
