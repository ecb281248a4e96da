/**
 * A file from a page through the host to the service, by a way that cuts each connection after 20
 * MB, beside the same file sent whole to a plain server: `node research/bench/upload.ts [GB]`
 * (after a build; 2 by default). Needs twice the size on the disk, and Linux.
 */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ElementHandle, Page } from 'puppeteer-core';
import { launchBrowser, newPage } from '../../packages/service/test/support/browser.ts';
import { keptFootage } from '../../packages/service/test/support/footage.ts';
import { cuttingProxy } from '../../packages/service/test/support/uploads.ts';
import { familyOf, sumOf } from './family.ts';
import { startServer, type MeasuredServer } from './measured-server.ts';
import { markdownTable } from './table.ts';

const cutBytes = 20e6;
/** 200 Mbit/s: a line slower than the service, as lines are. */
const lineBytesPerSecond = 25e6;
const lookEveryMs = 200;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (value: number): string => `${value.toFixed(1)} s`;

const size = Math.round(Number(process.argv[2] ?? 2) * 1e9);
if (!(size > 0)) throw new RangeError('The size must be a number of GB.');

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Makes a file that begins as a video does, and goes on with anything. Gives its SHA-256. */
async function makeFile(path: string): Promise<string> {
  const hash: Hash = createHash('sha256');
  await using file = await open(path, 'w');
  let next = await readFile(join(await keptFootage(), 'scene.mp4'));
  for (let left = size; left > 0; left -= next.length, next = randomBytes(16e6)) {
    if (next.length > left) next = next.subarray(0, left);
    await file.writeFile(next);
    hash.update(next);
  }
  return hash.digest('hex');
}

/** Bytes of a page's memory: its objects, those of the browser for it, and its buffers. */
async function pageHeap(page: Page): Promise<() => Promise<number>> {
  const session = await page.createCDPSession();
  return async () => {
    const heap = await session.send('Runtime.getHeapUsage');
    return heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
  };
}

interface Sent {
  readonly seconds: number;
  /** Bytes of the page's memory before, and at the most. */
  readonly heap: { readonly before: number; readonly peak: number };
  /** Seconds of all processes of the browser. */
  readonly browser: number;
  readonly problem: string | null;
}

/** Opens a page with a field for a file, and sends it. `isSent`: null while it is being sent. */
async function send(
  url: string,
  path: string,
  begin: (page: Page) => Promise<unknown>,
  isSent: (page: Page) => Promise<string | null>,
): Promise<Sent> {
  const browser = await launchBrowser();
  try {
    const page = await newPage(browser);
    await page.goto(url);
    const field = (await page.waitForSelector('input')) as ElementHandle<HTMLInputElement>;
    await field.uploadFile(path);
    const heap = await pageHeap(page);
    const before = await heap();
    const began = performance.now();
    await begin(page);
    let peak = before;
    let problem: string | null;
    while ((problem = await isSent(page)) === null) {
      peak = Math.max(peak, await heap());
      await setTimeout(lookEveryMs);
    }
    return {
      seconds: (performance.now() - began) / 1000,
      heap: { before, peak },
      browser: sumOf(await familyOf(browser.process()!.pid!), 'cpu'),
      problem,
    };
  } finally {
    await browser.close();
  }
}

/** What a server has used for a file. */
async function used<T>(
  servers: readonly MeasuredServer[],
  work: () => Promise<T>,
): Promise<{ result: T; of: { cpu: number; before: number; peak: number }[] }> {
  const before = await Promise.all(servers.map((server) => server.usage()));
  const result = await work();
  const after = await Promise.all(servers.map((server) => server.usage()));
  return {
    result,
    of: after.map(({ cpu, peak }, at) => ({
      cpu: (cpu - before[at]!.cpu) / 1e6,
      before: before[at]!.memory,
      peak,
    })),
  };
}

const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
const stops: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })];
try {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < 2 * size + 2e9) throw new Error('The disk has no room for the file, twice.');
  const path = join(directory, 'talk.mp4');
  const sha256 = await makeFile(path);

  const copy = join(directory, 'copy');
  const floor = await startServer('file-floor', { path: copy });
  stops.push(() => floor.stop());
  const plain = await used([floor], () =>
    send(
      floor.url,
      path,
      (page) =>
        page.evaluate(() => {
          const [file] = document.querySelector('input')!.files!;
          void fetch('/', { method: 'PUT', body: file! }).then(({ status }) =>
            Object.assign(globalThis, { status }),
          );
        }),
      (page) =>
        page.evaluate(
          () => String((globalThis as unknown as { status?: number }).status ?? '') || null,
        ),
    ),
  );
  if ((await hashOf(copy)) !== sha256) throw new Error('The floor has another file.');
  await rm(copy);

  const dataDir = join(directory, 'service');
  const service = await startServer('service', { dataDir });
  stops.push(() => service.stop());
  const { apiKey } = service.facts;
  const site = await startServer('upload-site', { serviceUrl: service.url, apiKey });
  stops.push(() => site.stop());
  const proxy = await cuttingProxy(site.url, cutBytes, lineBytesPerSecond);
  stops.push(() => proxy.close());
  const cut = await used([site, service], () =>
    send(
      proxy.url,
      path,
      async (page) => {
        await page.waitForFunction(() => customElements.get('clip-create'));
        await page.evaluate(async () => {
          const create = document.querySelector('clip-create')!;
          await create.choose([...document.querySelector('input')!.files!]);
          await create.start();
        });
      },
      (page) => page.evaluate(() => document.querySelector('clip-create')!.error?.code ?? null),
    ),
  );
  // The site permits no task, so the page stops when the file has arrived.
  if (cut.result.problem !== 'forbidden') throw new Error(`It ended with ${cut.result.problem}.`);
  const uploads = join(dataDir, 'files/uploads');
  const [upload] = await readdir(uploads);
  const [stored] = await readdir(join(uploads, upload!));
  const isWhole = (await hashOf(join(uploads, upload!, stored!))) === sha256;

  const [host, kept] = cut.of;
  const [bare] = plain.of;
  const connections = proxy.bytes();
  const share = (bytes: number): string => `${((bytes / size) * 100).toFixed(2)} %`;
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  // Chromium repeats a request on its own if its connection was used before and is cut. The repeat
  // is refused (409). Beside the last connection and those of questions for the offset, which are
  // some hundred bytes each, only such a one ends before the cut.
  const repeats = sum(connections.slice(0, -1).filter((bytes) => bytes < cutBytes));
  const both = (one: (sent: Sent) => string): string[] => [one(cut.result), one(plain.result)];
  const memory = (one: { before: number; peak: number } | undefined): string =>
    one ? `${megabytes(one.before)}, ${megabytes(one.peak)}` : '';
  const ratio = (cpu: number): string =>
    `${seconds(cpu)} (${(cpu / bare!.cpu).toFixed(2)} x the floor)`;
  console.log(
    markdownTable(
      [
        `${(size / 1e9).toFixed(1)} GB`,
        `cut every ${megabytes(cutBytes)}`,
        'floor: whole, to a plain server',
      ],
      [
        ['arrived whole (SHA-256)', isWhole ? 'yes' : 'NO', 'yes'],
        ['connections cut', String(proxy.cuts()), '0'],
        ['bytes sent twice by the page', share(sum(connections) - repeats - size), ''],
        ['by the browser itself, and refused', share(repeats), ''],
        ['time', ...both((sent) => seconds(sent.seconds))],
        [
          'heap and buffers of the page, before and at the most',
          ...both(({ heap }) => memory(heap)),
        ],
        ['memory of the host, before and at the most', memory(host), ''],
        ['memory of the service (of the plain server)', memory(kept), memory(bare)],
        ['processor time of the browser', ...both(({ browser }) => seconds(browser))],
        ['of the host', ratio(host!.cpu), ''],
        ['of the service (of the plain server)', ratio(kept!.cpu), seconds(bare!.cpu)],
      ],
    ),
  );
  if (!isWhole) process.exitCode = 1;
} finally {
  for (const stop of stops.reverse()) await stop();
}
