/**
 * Real tabs, with fewer browser features: a page on plain http has no Web Locks, a sandboxed frame
 * no storage.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { newPage } from 'clip-testkit/browser';
import { browserPath } from 'clip-testkit/browser-path';
import { PageHosts } from '../support/page-hosts.ts';
import { longRun } from 'clip-testkit/long-run';
import { stallMs } from 'clip-testkit/stall-ms';
import { type Served, serve } from 'clip-testkit/serve';

/** A host name that is not a secure context, unlike `localhost` and 127.0.0.1. */
const plainSite = 'site.test';
const rounds = longRun ? 8 : 1;

const host = new PageHosts();
let server: Served;
let browser: Browser;
let port: number;

const pageOf = (body: string): string =>
  `<!doctype html><html lang="en"><title>Tab</title><link rel="icon" href="data:,"><body>${body}</body></html>`;

const kit = '<script type="module" crossorigin src="/clip-kit.js"></script>';

before(async () => {
  const code = await readFile(new URL('../../dist/cdn/clip-kit.js', import.meta.url));
  server = await serve(async (request, response) => {
    // A sandboxed frame has an opaque origin, which no other page shares.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key, Prefer');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    // The host refuses it, unless the site says in front of the host that it trusts such frames.
    if (request.headers.origin === 'null') {
      delete request.headers.origin;
      request.headers['sec-fetch-site'] = 'same-origin';
    }
    if (await host.answer(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const button = `<clip-export-button project="clip-1" endpoint="${searchParams.get('endpoint') ?? ''}"></clip-export-button>`;
    if (pathname === '/clip-kit.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    if (pathname === '/sandbox') {
      const inner = `/tab?${new URLSearchParams(searchParams)}`;
      response.end(
        pageOf(`<iframe sandbox="allow-scripts" src="${inner.replaceAll('&', '&amp;')}"></iframe>`),
      );
    } else response.end(pageOf(kit + button));
  });
  ({ port } = server);
  browser = await puppeteer.launch({
    executablePath: browserPath(),
    timeout: stallMs,
    protocolTimeout: 2 * stallMs,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${plainSite} 127.0.0.1`],
  });
});

after(async () => {
  await browser.close();
  await server.close();
  await host.close();
});

const log = async (world: string) =>
  (
    (await (await fetch(`http://127.0.0.1:${port}/host/${world}/_log`)).json()) as {
      requests: { method: string; path: string; key: string }[];
    }
  ).requests.filter(({ method, path }) => method === 'POST' && path === '/exports');

const set = (world: string, behaviour: object) =>
  fetch(`http://127.0.0.1:${port}/host/${world}/_set`, {
    method: 'POST',
    body: JSON.stringify(behaviour),
  });

const start = (tab: Page) =>
  tab.evaluate(async () => {
    const button = document.querySelector('clip-export-button')!;
    await customElements.whenDefined('clip-export-button');
    await button.start();
  });

const exportId = (tab: Page) =>
  tab.evaluate(() => document.querySelector('clip-export-button')!.export!.id);

const reaches = (tab: Pick<Page, 'waitForFunction'>, status: string) =>
  tab.waitForFunction(
    (wanted: string) => document.querySelector('clip-export-button')!.status === wanted,
    { polling: 50, timeout: stallMs },
    status,
  );

describe('on plain http, where a page has no Web Locks', () => {
  const tabs: Page[] = [];
  before(async () => {
    for (let at = 0; at < 2; at++) tabs.push(await newPage(browser));
  });

  const open = (tab: Page, world: string) =>
    tab.goto(`http://${plainSite}:${port}/tab?endpoint=/host/${world}`);

  it('the page has none', async () => {
    await open(tabs[0]!, randomUUID());
    assert.equal(await tabs[0]!.evaluate(() => 'locks' in navigator), false);
  });

  for (const startDelay of [0, 150]) {
    it(`two tabs that start at once are one attempt, ${rounds} times, answered after ${startDelay} ms`, async () => {
      for (let round = 0; round < rounds; round++) {
        const world = randomUUID();
        await set(world, { startDelay });
        await Promise.all(tabs.map((tab) => open(tab, world)));
        await Promise.all(tabs.map(start));
        await Promise.all(tabs.map((tab) => reaches(tab, 'ready')));
        const keys = new Set((await log(world)).map(({ key }) => key));
        assert.equal(keys.size, 1, `round ${round}: ${keys.size} attempts`);
        const [first, second] = await Promise.all(tabs.map(exportId));
        assert.equal(first, second, `round ${round}: two exports`);
      }
    });
  }

  it('a tab that is closed in the middle of its start leaves it to the other', async () => {
    const world = randomUUID();
    await set(world, { holdsStarts: true });
    const closing = await newPage(browser);
    await Promise.all([open(closing, world), open(tabs[0]!, world)]);
    void start(closing).catch(() => {});
    while (!(await log(world)).length);
    await closing.close();
    void start(tabs[0]!).catch(() => {});
    await set(world, { holdsStarts: false });
    await reaches(tabs[0]!, 'ready');
    assert.equal(new Set((await log(world)).map(({ key }) => key)).size, 1);
  });
});

it('in a sandboxed frame, where locks and storage are refused, a start goes through', async () => {
  const world = randomUUID();
  const tab = await newPage(browser);
  const endpoint = `http://127.0.0.1:${port}/host/${world}`;
  await tab.goto(`http://127.0.0.1:${port}/sandbox?${new URLSearchParams({ endpoint })}`);
  const frame = await tab.waitForFrame((one) => one.url().includes('/tab'));
  const refused = await frame.evaluate(async () => {
    const name = (error: unknown) => (error as Error).name;
    return [
      await navigator.locks.request('any', () => 'held').catch(name),
      ((): unknown => {
        try {
          return typeof localStorage;
        } catch (error) {
          return name(error);
        }
      })(),
    ];
  });
  assert.deepEqual(refused, ['SecurityError', 'SecurityError']);
  await frame.evaluate(async () => {
    await customElements.whenDefined('clip-export-button');
    await document.querySelector('clip-export-button')!.start();
  });
  await reaches(frame, 'ready');
  assert.equal((await log(world)).length, 1);
  await tab.close();
});
