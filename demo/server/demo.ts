import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { ServiceClient } from 'clip-kit/client';
import { startService, type RunningService } from '../../packages/service/src/service.ts';
import { buildDocsSite } from '../../tools/build-docs-site.ts';
import type { EngineSettings } from './env.ts';
import { buildPages, type BuiltPages } from './build-pages.ts';
import { clipSession } from './clip-session.ts';
import { writeOwnStudio, ownStudioOrigin } from './own-studio.ts';
import { address } from './ports.mjs';
import { SampleClips } from './sample-clips.ts';
import { addSampleMedia } from './sample-media.ts';
import { loadSecret } from './secrets.ts';
import { Sessions } from './session.ts';
import type { Hono } from 'hono';
import { createSite } from './site.ts';

export interface DemoOptions {
  /** 0 uses any free port. */
  readonly port: number;
  readonly servicePort: number;
  readonly dataDir: string;
  /** Servers and programs that help the service's engine. */
  readonly engine?: EngineSettings;
  /** Whether to build the pages, while the servers already answer. By default they are built. */
  readonly build?: boolean;
  /** Receives what the person in front of the terminal should know. */
  readonly log?: (line: string) => void;
}

export interface RunningDemo {
  /** The URL to open. */
  readonly url: string;
  readonly service: RunningService;
  /** HTML for any page, on any port: the kit from here, and a clip of the sample. */
  ownPage(): Promise<string>;
  /** Gives the editor music and bumpers to choose. */
  addSampleMedia(): Promise<void>;
  /** A program of one file: a whole studio for a signed-in person, on a port of its own. */
  readonly ownStudio: string;
  close(): Promise<void>;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Starts the service and the demo site; resolves when both answer. If one part fails, the others
 * are stopped again.
 */
export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { dataDir, log = () => {} } = options;
  const site = join(dataDir, 'site');
  await mkdir(site, { recursive: true, mode: 0o700 });
  const stopping = new AbortController();
  const closing: (() => unknown)[] = [() => stopping.abort()];
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  try {
    const [apiKey, sessionSecret, hostSecret] = [
      await loadSecret(site, 'api-key'),
      await loadSecret(site, 'session-secret'),
      await loadSecret(site, 'host-secret'),
    ];
    // Its port is known before the service starts, which has to know the origin of the pages.
    let app: Hono | null = null;
    const server = createAdaptorServer({
      fetch: (request) => app?.fetch(request) ?? new Response('Starting ...', { status: 503 }),
    }) as Server;
    closing.push(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    const port = await listen(server, options.port);
    const built: BuiltPages = options.build
      ? buildPages(stopping.signal)
      : { pages: Promise.resolve(), kit: Promise.resolve() };
    built.kit.catch((error) => stopping.signal.aborted || log(String(error)));
    const url = `http://localhost:${port}`;
    const sourceUrl = `http://127.0.0.1:${port}`;
    const service = await startService({
      ...options.engine,
      port: options.servicePort,
      host: address,
      dataDir: join(dataDir, 'service'),
      apiKey,
      allowPrivateSources: true,
      hostSite: { secrets: [hostSecret], origins: [url, sourceUrl, ownStudioOrigin] },
    });
    closing.push(() => service.close());
    const api = { baseUrl: `${service.url}/v2`, apiKey };
    const client = new ServiceClient(api);
    const sampleClips = new SampleClips(client, `${sourceUrl}/sample/sample.mp4`, stopping.signal);
    const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
    app = createSite({
      sessions: new Sessions(sessionSecret),
      clipSession: (userId) => clipSession(userId, hostSecret),
      sampleClips: () => sampleClips.read(),
      sample: path('../sample'),
      pages: path('../dist'),
      kit: path('../../dist/cdn'),
      built,
      docs: path('../../tools/site/dist'),
      buildDocs: async () => {
        try {
          await built.kit;
          await buildDocsSite(stopping.signal);
        } catch (error) {
          if (!stopping.signal.aborted) log(`The documentation was not built: ${String(error)}`);
          throw error;
        }
      },
      serviceUrl: service.url,
      sourceUrl,
    });
    const ownPage = async (): Promise<string> => {
      await built.kit;
      const clip = (await sampleClips.read())[0]?.id;
      if (clip === undefined) throw new Error('The service found no clip in the sample.');
      return `<script type="module" src="${url}/kit/clip-kit.js"></script>
<clip-preview project="${clip}" player-url="${service.url}" loading="click"
  poster="${service.url}/player/${clip}/poster.jpg"></clip-preview>`;
    };
    return {
      url,
      service,
      ownPage,
      addSampleMedia: () =>
        addSampleMedia(path('../sample'), { ...api, client, signal: stopping.signal }),
      ownStudio: writeOwnStudio({
        kitUrl: `${url}/kit/clip-studio.js`,
        serviceUrl: service.url,
        secretFile: resolve(site, 'host-secret'),
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
