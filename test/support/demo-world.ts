import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import type { EngineSettings } from '../../demo/server/env.ts';
import { startDemo, type RunningDemo } from '../../demo/server/demo.ts';
import { launchBrowser, newPage } from 'clip-testkit/browser';
import { prepareDatabase } from 'clip-testkit/prepared-database';

/** A person who is logged in to the demo, in a browser context of their own. */
export interface Visitor {
  readonly page: Page;
  /** Errors in their page: exceptions and logged errors. */
  readonly problems: string[];
}

/** The whole demo, on free ports with its own directory, and a browser. */
export interface DemoWorld {
  readonly demo: RunningDemo;
  readonly dataDir: string;
  readonly browser: Browser;
  visit(person: 'Ada Moreno' | 'Ben Okafor'): Promise<Visitor>;
  /** Stops the demo and the browser; the directory stays until {@link DemoWorld.remove}. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

export async function openDemoWorld(engine: EngineSettings = {}): Promise<DemoWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-demo-'));
  await prepareDatabase(join(dataDir, 'service'));
  const [demo, browser] = await Promise.all([
    // What is seen in the footage must not depend on what is installed.
    startDemo({ port: 0, servicePort: 0, dataDir, engine: { faces: 'off', ...engine } }),
    launchBrowser(),
  ]);
  return {
    demo,
    dataDir,
    browser,
    async visit(person) {
      const context = await browser.createBrowserContext();
      const page = await newPage(context);
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(demo.url);
      await page.locator(`::-p-xpath(//button[contains(., "${person}")])`).click();
      await page.waitForSelector('clip-create:state(idle)');
      return { page, problems };
    },
    async close() {
      await browser.close();
      await demo.close();
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
