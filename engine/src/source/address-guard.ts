import ipaddr from 'ipaddr.js';

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal']);

/**
 * Whether an address may be connected to. Public unicast always; loopback and private ranges only with `allowPrivate`;
 * link-local (cloud metadata), carrier NAT, multicast, unspecified, tunnels and reserved ranges never.
 * An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) is judged as the IPv4 address.
 */
export function mayConnect(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (privateRanges.has(range)) return allowPrivate;
  if (range !== 'unicast') return false;
  // ipaddr.js calls unicast what is only unassigned: of IPv6, 2000::/3 alone is given out.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parse('2000::'), 3);
}
