import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { createClipHost, sqliteStore, type ClipHost } from 'clip-host';
import { startService, type RunningService } from '../../service/src/service.ts';
import { entries, type GalleryEntry } from '../gallery/entries.ts';
import { makeSample, type SampleOptions } from '../sample/make-sample.ts';
import type { EngineSettings } from './env.ts';
import { address } from './ports.mjs';
import { Gallery } from './gallery/gallery.ts';
import { HostCalls } from './gallery/host-calls.ts';
import { durationOf, GalleryFiles } from './gallery/gallery-files.ts';
import { keptSecret } from './secrets.ts';
import { Sessions } from './session.ts';
import { createSite } from './site.ts';

export interface DemoOptions {
  /** 0 uses any free port. */
  readonly port: number;
  readonly servicePort: number;
  readonly dataDir: string;
  /** Servers and programs that help the service's engine. */
  readonly engine?: EngineSettings;
  /** The entries of the gallery, and the size of its films; the films' own size if omitted. */
  readonly gallery?: {
    entries: readonly GalleryEntry[];
    size?: { width: number; height: number };
  };
  /** A sample other than the usual two minutes. */
  readonly sample?: SampleOptions;
  /** Receives the progress before the URLs answer. */
  readonly say?: (line: string) => void;
}

export interface RunningDemo {
  /** The URL to open. */
  readonly url: string;
  readonly service: RunningService;
  /** HTML for any page, on any port: the kit from here, and a clip, which is made first. */
  ownPage(): Promise<string>;
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
  const { dataDir, say = () => {} } = options;
  const site = join(dataDir, 'site');
  await mkdir(site, { recursive: true, mode: 0o700 });
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  try {
    const [apiKey, sessionSecret] = [
      await keptSecret(site, 'api-key'),
      await keptSecret(site, 'session-secret'),
    ];
    const sampleDirectory = join(site, 'sample');
    say('Starting the service; making the sample video if it is missing (a minute or more) ...');
    const [service] = await Promise.all([
      startService({
        ...options.engine,
        port: options.servicePort,
        host: address,
        dataDir: join(dataDir, 'service'),
        apiKey,
        allowPrivateSources: true,
      }).then((running) => {
        closing.push(() => running.close());
        return running;
      }),
      makeSample(sampleDirectory, options.sample),
    ]);
    const database = new DatabaseSync(join(site, 'site.sqlite'));
    closing.push(() => database.close());
    database.exec('PRAGMA journal_mode = WAL');
    const sessions = new Sessions(sessionSecret);
    const calls = new HostCalls(() => host);
    const host: ClipHost = createClipHost<{ id: string }>({
      service: { baseUrl: `http://127.0.0.1:${service.port}/v2`, apiKey },
      basePath: '/clips',
      store: sqliteStore(database),
      authenticate: (request) => calls.userOf(request) ?? sessions.personOf(request),
    });
    closing.push(() => host.close());
    // The service fetches samples from here, at the URL of this server.
    let sourceUrl = '';
    const galleryFiles = new GalleryFiles(
      join(site, 'gallery'),
      sampleDirectory,
      options.gallery?.size,
    );
    const gallery = new Gallery({
      calls,
      entries: options.gallery?.entries ?? entries,
      directory: site,
      files: galleryFiles,
      sourceUrl: (name) => `${sourceUrl}/gallery-files/${name}.mp4`,
      watermarkUrl: () => `${sourceUrl}/watermark.png`,
      durationOf,
    });
    closing.push(() => gallery.close());
    const app = createSite({
      host,
      sessions,
      gallery,
      galleryFiles,
      sampleDirectory,
      pages: fileURLToPath(new URL('../dist', import.meta.url)),
      kit: fileURLToPath(new URL('../../dist/cdn', import.meta.url)),
      docs: fileURLToPath(new URL('../../site/dist', import.meta.url)),
      serviceUrl: service.url,
      sourceUrl: () => sourceUrl,
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    closing.push(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    const port = await listen(server, options.port);
    sourceUrl = `http://127.0.0.1:${port}`;
    const url = `http://localhost:${port}`;
    const ownPage = async (): Promise<string> => {
      const clip = await gallery.firstClip();
      return `<script type="module" src="${url}/kit/clip-kit.js"></script>
<clip-preview project="${clip}" player-url="${service.url}" loading="click"
  poster="${service.url}/player/${clip}/poster.jpg"></clip-preview>`;
    };
    return { url, service, ownPage, close };
  } catch (error) {
    await close();
    throw error;
  }
}
