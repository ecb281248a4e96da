import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import { ServiceClient } from 'clip-kit/client';
import type { Project } from 'clip-kit/contract';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { markdownTable, median, writeRange } from './figures.ts';
import { samplePath } from './footage.ts';
import { startServer } from './servers.ts';

const rounds = 3;

/** When the first frame is there, as an expression that is true then. */
const signs = {
  player: `document.querySelector('video').currentTime > 0`,
  editor: `(() => {
    const editor = document.querySelector('clip-editor')?.shadowRoot;
    const picture = editor?.querySelector('clip-picture')?.shadowRoot;
    return !!picture?.querySelector('canvas') && !picture.querySelector('.over');
  })()`,
} as const;
type Kind = keyof typeof signs;

/** Serves the sample and its subtitles, as a site does. */
async function serveSample() {
  const server = createServer((request, response) => {
    readFile(samplePath.replace('.mp4', request.url!.endsWith('.vtt') ? '.vtt' : '.mp4')).then(
      (bytes) => response.end(bytes),
      (error: Error) => response.destroy(error),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sample.mp4` };
}

/** Keeps all cores busy until the returned function is called. */
function occupyCores(): () => void {
  const programs = Array.from({ length: availableParallelism() }, () =>
    spawn('yes', { stdio: 'ignore' }),
  );
  return () => programs.forEach((program) => program.kill());
}

/** Seconds from the navigation to the first frame, in a new service: a preview is made once. */
async function openClip(
  browser: Browser,
  source: string,
  kind: Kind,
  isBusy: boolean,
): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  const apiKey = `bench-${randomUUID()}`;
  const service = await startServer('service', { dataDir, apiKey });
  const { page, close } = await openPage(browser, { width: 1280, height: 800 });
  const release = isBusy ? occupyCores() : () => {};
  try {
    const client = new ServiceClient({ baseUrl: `${service.url}/v2`, apiKey });
    const { id: onBehalfOf } = await client.createUser();
    const token = await client.createToken(onBehalfOf);
    const wanted = { target_clip_count: 5, min_clip_count: 5, target_duration: 25 };
    const body = { source_video_url: source, ...wanted };
    const task = await client.createVideoToShorts(body, { onBehalfOf });
    let listed: Project[] = [];
    while (listed.length === 0) {
      await setTimeout(25);
      listed = await client.listProjects(task.output_id, { onBehalfOf });
    }
    const { id } = listed[3]!;
    const address =
      kind === 'player'
        ? `/player/${id}?autoplay=1`
        : `/embed/${id}?edit#external_access_token=${token.external_access_token}`;
    const began = performance.now();
    await page.goto(service.url + address, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(signs[kind], { polling: 20 });
    return (performance.now() - began) / 1000;
  } finally {
    release();
    await close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * How soon a person sees and uses a clip that is not rendered yet: five shorts of the sample are
 * listed, and the fourth is opened, in its player page or its editor.
 */
export async function measure(): Promise<string> {
  const { server, url } = await serveSample();
  const browser = await launchBrowser();
  try {
    const rows = (['player', 'editor'] as const).map((kind) => ({
      kind,
      idle: [] as number[],
      busy: [] as number[],
    }));
    for (let round = 0; round < rounds; round += 1) {
      for (const { kind, idle, busy } of rows) {
        idle.push(await openClip(browser, url, kind, false));
        busy.push(await openClip(browser, url, kind, true));
      }
    }
    return markdownTable(
      [
        'first frame, while five previews wait',
        'seconds',
        'of all rounds',
        'busy',
        'of all rounds',
      ],
      rows.map(({ kind, idle, busy }) => [
        kind === 'player' ? 'player page: it plays' : 'editor: drawn live',
        ...[idle, busy].flatMap((times) => [median(times).toFixed(1), writeRange(times, 1)]),
      ]),
    );
  } finally {
    await browser.close();
    server.close();
  }
}
