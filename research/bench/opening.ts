/**
 * How soon a person sees and uses a clip that is not rendered yet: `node research/bench/opening.ts
 * [rounds]` (after a build). Five shorts of the demo's sample are listed, and none has a preview.
 * Then the fourth is opened: its player page, as a click on its poster does, or its editor, in a
 * service of their own each. Seconds from that moment.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import { launchBrowser, openPage } from '../../packages/service/test/support/browser.ts';
import { sampleFootage } from './footage.ts';
import { startServer } from './measured-server.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';
import { listShorts, serveSource } from './task.ts';

const rounds = Number(process.argv[2] ?? 3);

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
    'editor: the poster': `(() => {
      const picture = document.querySelector('clip-editor')?.shadowRoot.querySelector('clip-picture')?.shadowRoot;
      const poster = picture?.querySelector('img');
      return (poster?.complete && poster.naturalWidth > 0) || (!!picture && !picture.querySelector('.over'));
    })()`,
    'editor: drawn live': `(() => {
      const picture = document.querySelector('clip-editor')?.shadowRoot.querySelector('clip-picture')?.shadowRoot;
      return !!picture?.querySelector('canvas') && !picture.querySelector('.over');
    })()`,
  },
} as const;

/** Seconds from the start of the navigation until each sign is there. */
async function timesOn(
  page: Page,
  address: string,
  expected: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const began = performance.now();
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  const found: Record<string, number> = {};
  while (Object.keys(found).length < Object.keys(expected).length) {
    for (const [name, sign] of Object.entries(expected)) {
      if (name in found) continue;
      if (await page.evaluate(sign).catch(() => false)) {
        found[name] = (performance.now() - began) / 1000;
      }
    }
    await setTimeout(20);
  }
  return found;
}

/** One round in a new service, as each preview is made once. */
async function round(
  browser: Browser,
  source: Awaited<ReturnType<typeof sampleFootage>>,
  kind: keyof typeof signs,
): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-opening-'));
  const service = await startServer('service', { dataDir: join(directory, 'service') });
  const { server, url } = await serveSource(source);
  const { page, close } = await openPage(browser, { width: 1280, height: 800 });
  try {
    const Authorization = `Bearer ${service.facts['apiKey']}`;
    const call = async (path: string): Promise<Record<string, string>> =>
      (await fetch(service.url + path, { method: 'POST', headers: { Authorization } })).json();
    const user = (await call('/v2/users'))['id']!;
    const token = (await call(`/v2/users/${user}/tokens`))['external_access_token'];
    const { listed } = await listShorts(service, url, user);
    const clip = listed[3]!;
    if (kind === 'player') {
      return await timesOn(page, `${service.url}/player/${clip.id}?autoplay=1`, signs.player);
    }
    const address = `${service.url}/embed/${clip.id}?edit#external_access_token=${token}`;
    return await timesOn(page, address, signs.editor);
  } finally {
    await close();
    server.closeAllConnections();
    server.close();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

const sample = await sampleFootage();
const browser = await launchBrowser();
try {
  console.log(`load before: ${loadavg()[0]?.toFixed(2)}`);
  const all: Record<string, number[]> = {};
  for (let count = 0; count < rounds; count += 1) {
    for (const kind of ['player', 'editor'] as const) {
      const found = await round(browser, sample, kind);
      console.log(found);
      for (const [name, seconds] of Object.entries(found)) (all[name] ??= []).push(seconds);
    }
  }
  const rows = Object.entries(all).map(([name, seconds]) => [
    name,
    median(seconds).toFixed(1),
    `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`,
  ]);
  console.log(markdownTable(['five previews wait', 'seconds', 'of all rounds'], rows));
} finally {
  await browser.close();
}
