import { build } from 'vite';
import { installFromNpm } from './npm-packages.ts';
import type { OwnServer } from './own-server.ts';

/** Cloudflare's simulator, with the workerd that it was made for. */
export const miniflare = 'miniflare@4.20260730.0';

/** Writes a worker as one file, `worker.js`. */
export async function buildWorker(entry: string, directory: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'esnext',
      lib: { entry, formats: ['es'], fileName: () => 'worker.js' },
    },
  });
}

/**
 * Installs Miniflare, and builds the worker of the stores; `TEST_MINIFLARE` is their directory.
 * Each test process starts its own.
 */
export async function installMiniflare(directory: string, signal: AbortSignal): Promise<OwnServer> {
  await installFromNpm(directory, [miniflare], signal);
  await buildWorker('packages/host/test/support/d1-worker.ts', directory);
  return { env: { TEST_MINIFLARE: directory }, stop: async () => {} };
}
