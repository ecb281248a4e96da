import { type BlockList, isIP } from 'node:net';

const getFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * The address of who sends a request: that of the connection, or what the outermost of the
 * `proxies` that pass it on says in `X-Forwarded-For`. Anyone else can write that header, and what
 * stands before it there. Undefined if it is not known.
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
