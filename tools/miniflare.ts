import { installFromNpm } from './npm-packages.ts';
import type { OwnServer } from './own-server.ts';

/** Cloudflare's simulator, with the workerd that it was made for. */
export const miniflare = 'miniflare@4.20260730.0';

/** Installs Miniflare; `TEST_MINIFLARE` is its directory. Each test process starts its own. */
export async function installMiniflare(directory: string, signal: AbortSignal): Promise<OwnServer> {
  await installFromNpm(directory, [miniflare], signal);
  return { env: { TEST_MINIFLARE: directory }, stop: async () => {} };
}
