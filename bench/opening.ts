import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import { ServiceClient } from 'clip-kit/client';
import type { Project } from 'clip-kit/contract';
import { launchBrowser, openPage } from '../packages/service/test/support/browser.ts';
import { markdownTable, median, writeRange } from './figures.ts';
import { samplePath } from './footage.ts';
import { startServer } from './servers/measured-server.ts';

const rounds = 3;

const pictureOfEditor = `document.querySelector('clip-editor')?.shadowRoot.querySelector('clip-picture')?.shadowRoot`;
/** What is looked for on each page, as an expression that is true once it is there. */
const signs = {
  player: {
    'player page: the poster': `(() => {
      const poster = document.querySelector('.stage img.poster');
      const video = document.querySelector('video');
      return (poster?.complete && poster.naturalWidth > 0 && !poster.hidden) || video.readyState > 1;
    })()`,
    'player page: first play': `document.querySelector('video').currentTime > 0`,
  },
  editor: {
    'editor: its tools': `!!document.querySelector('clip-editor')?.shadowRoot.querySelector('.tab')`,
    'editor: drawn live': `!!${pictureOfEditor}?.querySelector('canvas') && !${pictureOfEditor}.querySelector('.over')`,
  },
} as const;
type Kind = keyof typeof signs;

/** Seconds from the start of the navigation until each sign is there. */
async function timeSigns(page: Page, address: string, kind: Kind): Promise<[string, number][]> {
  const began = performance.now();
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  const open = new Map<string, string>(Object.entries(signs[kind]));
  const found: [string, number][] = [];
  while (open.size > 0) {
    for (const [name, sign] of open) {
      if (!(await page.evaluate(sign).catch(() => false))) continue;
      found.push([name, (performance.now() - began) / 1000]);
      open.delete(name);
    }
    await setTimeout(20);
  }
  return found;
}

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

/** One round in a new service, as each preview is made once. */
async function openClip(browser: Browser, source: string, kind: Kind): Promise<[string, number][]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  const service = await startServer('service', { dataDir });
  const { page, close } = await openPage(browser, { width: 1280, height: 800 });
  try {
    const client = new ServiceClient({
      baseUrl: `${service.url}/v2`,
      apiKey: service.facts['apiKey']!,
    });
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
    return await timeSigns(page, service.url + address, kind);
  } finally {
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
    const times: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of ['player', 'editor'] as const) {
        for (const [name, seconds] of await openClip(browser, url, kind)) {
          (times[name] ??= []).push(seconds);
        }
      }
    }
    return markdownTable(
      ['five previews wait', 'seconds', 'of all rounds'],
      Object.entries(times).map(([name, seconds]) => [
        name,
        median(seconds).toFixed(1),
        writeRange(seconds, 1),
      ]),
    );
  } finally {
    await browser.close();
    server.close();
  }
}
