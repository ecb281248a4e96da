import { after } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser } from 'clip-testkit/browser';

const launched = new Map<string | undefined, Promise<Browser>>();
after(async () => {
  for (const browser of launched.values()) await (await browser).close();
});

/**
 * The browser of all files that run in this process: a test opens a context of its own in it, and
 * closes only that.
 */
export function sharedBrowser(autoplayPolicy?: string): Promise<Browser> {
  const known = launched.get(autoplayPolicy);
  if (known) return known;
  const browser = launchBrowser(autoplayPolicy);
  launched.set(autoplayPolicy, browser);
  return browser;
}
