import { BlockList, isIP } from 'node:net';

/** Networks in which a proxy in front of the service is. */
const inside = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
inside.addAddress('::1', 'ipv6');
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');

const isInside = (address: string): boolean =>
  inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * The address of who sends a request: that of the connection, or what a proxy on the same network
 * says last in `X-Forwarded-For`. Anyone else can write that header. Undefined if it is not known.
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
): string | undefined {
  const forwarded = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  return connection && isIP(forwarded) && isInside(connection) ? forwarded : connection;
}
