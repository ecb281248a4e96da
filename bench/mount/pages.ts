import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { launchBrowser, newPage } from 'clip-testkit/browser';

const root = new URL('../../', import.meta.url);
const served = /^\/(bench\/mount|dist)\//;
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
        (body) => end(200, 'text/javascript', body),
        () => end(404, 'text/plain', ''),
      );
    }
  });

/** A browser, and the pages in which elements are mounted, from what is built. */
export async function startMountPages() {
  const server = serve();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  return {
    /** Opens a fresh page that has loaded `page.js`. */
    async open(): Promise<Page> {
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

export type MountPages = Awaited<ReturnType<typeof startMountPages>>;
