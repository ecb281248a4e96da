import { normalEndpoint } from './endpoint.ts';
import { HostClient, type HostClientOptions } from './host-client.ts';

const clients = new Map<string, HostClient>();

/** The client for these settings, shared by the whole page, and so are its tokens and exports. */
export function pageHost(options: HostClientOptions): HostClient {
  const key = JSON.stringify([
    normalEndpoint(options.endpoint),
    options.credentials,
    options.csrfHeader,
    options.csrfToken,
    options.csrfUrl,
  ]);
  let client = clients.get(key);
  if (!client) clients.set(key, (client = new HostClient(options)));
  return client;
}
