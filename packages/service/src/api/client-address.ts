import { type BlockList, isIP } from 'node:net';

const getFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Returns the client's address: the connection's, or the one that the outermost of the `proxies`
 * has written to `X-Forwarded-For`. Other parts of that header can be forged. Undefined if it is
 * not known.
 */
export function getClientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
  proxies: BlockList,
): string | undefined {
  const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? [];
  let address = connection;
  while (address !== undefined && proxies.check(address, getFamily(address))) {
    const hop = hops.pop();
    if (hop === undefined || !isIP(hop)) break;
    address = hop;
  }
  return address;
}
