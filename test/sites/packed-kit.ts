/** The kit as it is published, and a stand-in for it, to see what it adds to a site. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packPackages } from '../../tools/pack.ts';
import type { FakeService } from 'clip-testkit/fake-service';
import { entriesOf, type Target } from '../support/package-entries.ts';
import { runIn } from './run-in.ts';

/** The kit as a tarball, and installed in a place of its own. */
export interface PackedKit {
  readonly tarball: string;
  readonly hostTarball: string;
  /** `clip-host` of the tarball, in front of a service, for the user of the cookie. */
  host(service: FakeService): RequestListener;
  /** The same at `/host`, for sessions of a site of this origin. */
  sessionHost(service: FakeService, origin: string): RequestListener;
}

/** What the sites sign sessions with. */
export const sessionSecret = 'only-for-tests-8c0f2b7d4e6a91c35f';

export async function packKit(directory: string, signal: AbortSignal): Promise<PackedKit> {
  const packed = await packPackages(directory);
  const [tarball, hostTarball] = packed.map((one) => one.tarball) as [string, string];
  const home = join(directory, 'host');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"private":true}');
  await runIn(home, ['npm', 'install', '--ignore-scripts', tarball, hostTarball], signal);
  const entry = (path: string): Promise<unknown> =>
    import(pathToFileURL(join(home, 'node_modules/clip-host/dist', path)).href);
  const { createClipHost, memoryStore } = (await entry(
    'index.js',
  )) as typeof import('../../packages/host/src/index.ts');
  const { nodeHandler } = (await entry(
    'adapters/node.js',
  )) as typeof import('../../packages/host/src/adapters/node.ts');
  return {
    tarball,
    hostTarball,
    host: ({ baseUrl, apiKey }) =>
      nodeHandler(
        createClipHost({
          service: { baseUrl, apiKey },
          basePath: '/clips',
          authenticate: (request) => {
            const id = /\buser=(\w+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
            return id === undefined ? null : { id };
          },
          store: memoryStore(),
        }),
      ) as RequestListener,
    sessionHost: ({ baseUrl, apiKey }, origin) =>
      nodeHandler(
        createClipHost({
          service: { baseUrl, apiKey },
          basePath: '/host',
          origins: [origin],
          sessions: { secrets: [sessionSecret] },
          store: memoryStore(),
        }),
      ) as RequestListener,
  };
}

/**
 * Replaces the installed kit by one with the same exports and nothing in them, so that the same
 * site can be built without it.
 */
export async function emptyKit(site: string): Promise<void> {
  const kit = join(site, 'node_modules/clip-kit');
  const { exports, ...manifest } = JSON.parse(
    await readFile(join(kit, 'package.json'), 'utf8'),
  ) as { exports: Record<string, Target> };
  const files = new Map<string, string>();
  const targets = entriesOf(kit, exports).flatMap(([, target]) =>
    typeof target === 'string' ? target : [target.default, target['react-server']],
  );
  for (const file of targets) {
    if (!file || file === './package.json') continue;
    if (!file.endsWith('.js')) {
      files.set(file, file.endsWith('.json') ? '{}' : '');
      continue;
    }
    const source = await readFile(join(kit, file), 'utf8');
    const client = /^['"]use client['"]/.test(source) ? "'use client';\n" : '';
    const names = [...source.matchAll(/^export ?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => `export const ${name.trim().split(' as ').at(-1)} = () => null;`);
    files.set(file, `${client}${names.join('\n')}\n`);
  }
  files.set('package.json', JSON.stringify({ ...manifest, exports, sideEffects: false }));
  for (const [file, text] of files) {
    // A new file, because the copy shares the old one.
    await rm(join(kit, file));
    await writeFile(join(kit, file), text);
  }
}
