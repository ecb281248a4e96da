import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';
import { newPage } from '../../packages/service/test/support/browser.ts';
import { browserPath } from '../../test/support/browser-path.mjs';
import { stallMs } from '../../test/support/stall-ms.ts';

const root = new URL('../../', import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const served = /^\/(bench\/mount|dist|node_modules\/lite-youtube-embed)\//;
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const page = `<!doctype html><html lang="en"><title>Mount</title><link rel="icon" href="data:,">
<style>main { display: grid; grid-template-columns: repeat(10, 90px); gap: 8px }</style>
<main></main><script type="module" src="/bench/mount/page.js"></script></html>`;

const serve = () =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const end = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { 'Content-Type': type }).end(body);
    if (pathname === '/') end(200, 'text/html; charset=utf-8', page);
    else if (pathname.startsWith('/frames/'))
      end(200, 'text/html', '<!doctype html><title>Clip</title>');
    else if (pathname === '/poster.gif') end(200, 'image/gif', gif);
    else if (!served.test(pathname)) end(404, 'text/plain', '');
    else {
      readFile(fileURLToPath(new URL(`.${pathname}`, root))).then(
        (body) => end(200, types[extname(pathname)] ?? 'text/plain', body),
        () => end(404, 'text/plain', ''),
      );
    }
  });

export interface MountPages {
  /** Opens a fresh page that has loaded `page.js`. */
  open(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * A browser, and the pages in which elements are mounted, from what is built. Nothing else is
 * reached from there.
 */
export async function startMountPages(): Promise<MountPages> {
  const server = serve();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    timeout: stallMs,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  return {
    async open() {
      const tab = await newPage(browser);
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await tab.waitForFunction('globalThis.cycle');
      return tab;
    },
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
