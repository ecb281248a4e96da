/**
 * Time to mount 1,000 posters with a play button: `<clip-preview loading="click">` beside a facade written by hand (the
 * floor) and two well-known elements of the kind. Run alone: `node bench/mount.ts`, after `npm run build`.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { browserPath } from '../test/support/browser-path.mjs';
import { median, ratios } from './statistics.ts';
import { markdownTable } from './table.ts';

const names = [
  'floor',
  'clip-preview',
  'lite-youtube-embed',
  '@justinribeiro/lite-youtube',
] as const;
type Name = (typeof names)[number];

const rounds = 5;
const repeats = 3;

const root = new URL('../', import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const served = /^\/(bench\/mount|dist|node_modules\/(@justinribeiro\/)?lite-youtube(-embed)?)\//;
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const page = `<!doctype html><html lang="en"><title>Mount</title>
<style>main { display: grid; grid-template-columns: repeat(10, 90px); gap: 8px }</style>
<main></main><script type="module" src="/bench/mount/page.js"></script></html>`;

const serve = () =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const end = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { 'Content-Type': type }).end(body);
    if (pathname === '/') end(200, 'text/html; charset=utf-8', page);
    else if (pathname === '/poster.gif') end(200, 'image/gif', gif);
    else if (!served.test(pathname)) end(404, 'text/plain', '');
    else {
      readFile(fileURLToPath(new URL(`.${pathname}`, root))).then(
        (body) => end(200, types[extname(pathname)] ?? 'text/plain', body),
        () => end(404, 'text/plain', ''),
      );
    }
  });

export interface MountResult {
  readonly name: Name;
  /** Milliseconds for 1,000, median over the rounds. */
  readonly time: number;
  /** How many times the floor's time: the median of each round's own ratio. */
  readonly overFloor: number;
  /** How many times that of `<clip-preview>`, likewise. */
  readonly overPreview: number;
}

/** Rounds of a fresh page for each contender in turn, so that what slows the machine slows all of them. */
export const benchMount = async (): Promise<MountResult[]> => {
  const server = serve();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  try {
    const times = new Map<Name, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Each round begins with another.
      for (const name of [...names.slice(round % 4), ...names.slice(0, round % 4)]) {
        const tab = await browser.newPage();
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await tab.waitForFunction('globalThis.measure');
        const took = (await tab.evaluate(
          `measure(${JSON.stringify(name)}, ${repeats})`,
        )) as number[];
        times.get(name)!.push(median(took));
        await tab.close();
      }
    }
    return names.map((name) => ({
      name,
      time: median(times.get(name)!),
      overFloor: median(ratios(times.get(name)!, times.get('floor')!)),
      overPreview: median(ratios(times.get(name)!, times.get('clip-preview')!)),
    }));
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
};

export const mountTable = (results: readonly MountResult[]): string =>
  markdownTable(
    ['1,000 posters', 'ms', '× floor', '× clip-preview'],
    results.map(({ name, time, overFloor, overPreview }) => [
      name,
      time.toFixed(1),
      overFloor.toFixed(2),
      overPreview.toFixed(2),
    ]),
  );

if (import.meta.main) console.log(mountTable(await benchMount()));
