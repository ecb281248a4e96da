import ipaddr from 'ipaddr.js';

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal']);

/**
 * Whether the engine may connect to an IP address. Public unicast: always. Loopback and private
 * ranges: only with `allowPrivate`. Link-local (cloud metadata), carrier NAT, multicast,
 * unspecified, tunnels and reserved ranges: never.
 * An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) counts as the IPv4 address.
 */
export function mayConnect(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (privateRanges.has(range)) return allowPrivate;
  if (range !== 'unicast') return false;
  // ipaddr.js also calls unassigned ranges unicast. In IPv6 only 2000::/3 is assigned.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parse('2000::'), 3);
}
