/** Installs, builds and walks one site. */
import { appendFile, cp, mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { freePort } from '../../tools/free-port.ts';
import { shownFiles } from '../docs/shown-files.ts';
import { startProgram } from '../support/program.ts';
import { clientBytes, pageBytes } from './client-bytes.ts';
import { ClipWorld } from './clip-world.ts';
import { emptyKit, sessionSecret, type PackedKit } from './packed-kit.ts';
import { runIn, siteEnv } from './run-in.ts';
import type { Command, Place, Served, Site, WalkStep } from './site.ts';
import { Walk } from './walk.ts';

const walkSteps: readonly WalkStep[] = [
  'early press',
  'upload',
  'preview',
  'embed',
  'export',
  'reload',
  'download',
  'route',
];

export interface StepResult {
  readonly step: string;
  /** Null: it passed. */
  readonly error: Error | null;
}

export interface SiteResult {
  readonly title: string;
  readonly steps: readonly StepResult[];
  readonly rendered: Site['rendered'];
  readonly without: NonNullable<Site['without']>;
  /** Bytes that the kit adds to the built client; null if there is no build. */
  readonly added: number | null;
}

export interface SiteRun {
  readonly name: string;
  readonly site: Site;
  readonly kit: PackedKit;
  readonly browser: Browser;
  /** Where the site is copied to. */
  readonly directory: string;
  /** Its steps become tests in this one. */
  readonly t: TestContext;
}

/** Addresses in the sources of the sites, which become real ones. */
const serviceAddress = 'https://clips.example';

/** What `docs/sign-in.md` changes in a page. */
const endpoint = 'endpoint="/clips"';
const endpointWithSession = `endpoint="${serviceAddress}/host" session="/clip-session"`;

async function copySite({ name, site, directory, kit }: SiteRun, world: ClipWorld): Promise<void> {
  await cp(`test/sites/${site.app ?? name}/app`, directory, { recursive: true });
  for (const page of site.docs ?? []) {
    for (const { path, text, atEnd } of shownFiles(await readFile(`docs/${page}.md`, 'utf8'))) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await (atEnd ? appendFile(file, `\n${text}`) : writeFile(file, text, { flag: 'wx' }));
    }
  }
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    const own = site.host === 'sessions' ? text.replaceAll(endpoint, endpointWithSession) : text;
    if (own.includes(serviceAddress)) {
      await writeFile(file, own.replaceAll(serviceAddress, world.frames));
    }
  }
  const file = join(directory, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const { dependencies } = manifest;
  Object.assign(dependencies, site.versions, { 'clip-kit': `file:${kit.tarball}` });
  if ('clip-host' in dependencies) dependencies['clip-host'] = `file:${kit.hostTarball}`;
  await writeFile(file, JSON.stringify(manifest, null, 2));
}

async function replaceIn(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  await writeFile(file, text.replaceAll(from, to));
}

/** The type check passes, and fails in each file that has a mistake. */
async function checkTypes(
  { command, mistakes }: NonNullable<Site['types']>,
  place: Place,
): Promise<void> {
  await place.run(command);
  const path = (file: string): string => join(place.directory, file);
  for (const { file, right, wrong } of mistakes) await replaceIn(path(file), right, wrong);
  const output = await place.run(command).then(
    () => '',
    (error: Error) => error.message,
  );
  for (const { file, right, wrong } of mistakes) {
    if (!output.includes(file)) {
      throw new Error(`${file} also passes with ${wrong} instead of ${right}.\n${output}`);
    }
    await replaceIn(path(file), wrong, right);
  }
}

/** Builds a copy of the site whose kit is empty, and returns the bytes of it. */
async function bytesWithout(
  { directory }: Place,
  build: Command,
  bytesOf: (copy: string) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  const copy = `${directory}-without`;
  await runIn('.', ['cp', '-al', directory, copy], signal);
  try {
    await emptyKit(copy);
    await runIn(copy, build, signal);
    return await bytesOf(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Runs something while the site is served in front of the world. */
async function serving<T>(
  served: Served,
  place: Place,
  world: ClipWorld,
  work: () => Promise<T>,
): Promise<T> {
  if ('directory' in served) {
    world.serve({ ...served, directory: join(place.directory, served.directory) });
    return work();
  }
  const { port, directory } = place;
  const [file = '', ...args] = served.command.map((word) => word.replace('$PORT', `${port}`));
  const env = {
    ...siteEnv(directory),
    CLIP_API_URL: place.service.baseUrl,
    CLIP_API_KEY: place.service.apiKey,
    CLIP_HOST_SECRET: sessionSecret,
    SITE_ORIGIN: place.origin,
    ...served.env,
  };
  // Found by this process's path otherwise.
  const program = await startProgram(['env', file, ...args], { port, env, cwd: directory });
  try {
    world.serve({ port });
    return await work();
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe server says:\n${program.said()}`, {
      cause: error,
    });
  } finally {
    await program.stop();
  }
}

/** The server's HTML has the elements, on both pages. */
async function checkRendered({ paths }: Site, origin: string, Cookie: string): Promise<void> {
  const { home = '/', clip = '/clip' } = paths ?? {};
  const pages = [
    [home, '<clip-preview'],
    [clip, '<clip-embed'],
    [clip, '<clip-export-button'],
    [clip, '<clip-create'],
  ] as const;
  for (const [path, tag] of pages) {
    const html = await (await fetch(origin + path, { headers: { Cookie } })).text();
    if (!html.includes(tag))
      throw new Error(`${path} has no ${tag}> in the server's HTML:\n${html}`);
  }
}

/** Does all that applies to a site, up to the first step that fails. */
export async function runSite(run: SiteRun): Promise<SiteResult> {
  const { name, site, kit, browser, directory, t } = run;
  const { signal } = t;
  const steps: StepResult[] = [];
  let failed = false;
  let added: number | null = null;
  const step = async (title: string, work: () => unknown): Promise<void> => {
    if (failed || signal.aborted) return;
    let error: Error | null = null;
    await t.test(title, async () => {
      try {
        await work();
      } catch (cause) {
        failed = true;
        error = cause instanceof Error ? cause : new Error(String(cause));
        throw error;
      }
    });
    steps.push({ step: title, error });
  };

  const world = await ClipWorld.open(site.host === 'own' ? null : kit, site.host === 'sessions');
  try {
    const { origin, service } = world;
    const place: Place = {
      directory,
      origin,
      service,
      port: await freePort(),
      run: (command: Command) => runIn(directory, command, signal),
    };
    const { build, client, develop, preview, serve, types } = site;
    await step('install', async () => {
      await mkdir(directory, { recursive: true });
      await copySite(run, world);
      await site.prepare?.(place);
      await place.run(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline']);
    });
    if (types) await step('types', () => checkTypes(types, place));
    if (build) {
      await step('build', async () => {
        // First, because the copies share their files.
        const bytesOf = (copy: string) => clientBytes(client!.map((path) => join(copy, path)));
        const without = client && (await bytesWithout(place, build, bytesOf, signal));
        await place.run(build);
        if (without !== undefined) added = (await bytesOf(directory)) - without;
        if (!preview) return;
        const previewOf = (copy: string) => pageBytes(join(copy, preview.page));
        const bare = await bytesWithout(place, preview.build, previewOf, signal);
        await place.run(preview.build);
        const bytes = (await previewOf(directory)) - bare;
        t.diagnostic(`${name}: a page with a preview loads ${bytes} B of the kit`);
        if (bytes > preview.limit) throw new Error(`${bytes} B: the limit is ${preview.limit} B.`);
      });
    }
    for (const command of site.tests ?? []) await step('tests', () => place.run(command));
    const walk = async (served: Served, work: (walk: Walk) => Promise<void>) =>
      serving(served, place, world, async () => {
        const visit = await Walk.begin(browser, world, site, directory);
        try {
          await work(visit);
        } finally {
          await visit.end();
        }
      });
    const walked = async (served: Served): Promise<void> => {
      await walk(served, async (visit) => {
        if (site.rendered !== 'no')
          await step('server rendering', async () =>
            checkRendered(site, origin, await visit.cookies()),
          );
        if (site.look) await step('look', () => visit.look(site.look!));
        for (const one of walkSteps) {
          if (one === 'early press' && site.rendered !== 'hydrated') continue;
          if (!site.without?.[one]) await step(one, () => visit.step(one));
        }
      });
    };
    if (!failed && serve)
      await walked(serve).catch((error) => step('serve', () => Promise.reject(error)));
    if (develop) {
      const edited = join(directory, develop.file);
      await step('hot reload', () =>
        walk({ command: develop.command }, (visit) =>
          visit.hotReload(
            {
              edit: () => replaceIn(edited, develop.from, develop.to),
              saveAgain: () => utimes(edited, new Date(), new Date()),
            },
            develop,
          ),
        ),
      );
    }
  } finally {
    await world.close().catch((error) => step('service', () => Promise.reject(error)));
    await rm(directory, { recursive: true, force: true });
  }
  return { title: site.title, steps, rendered: site.rendered, without: site.without ?? {}, added };
}
