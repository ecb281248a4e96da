/**
 * Builds each site of this directory with the packed kit and walks it in a browser, two at a time;
 * with `SITES=vue,nuxt` only these. If all have passed, writes their matrix to `docs/sites.md`.
 */
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { launchBrowser } from 'clip-testkit/browser';
import { matrix, withMatrix } from './matrix.ts';
import { packKit } from './packed-kit.ts';
import { runSite, type SiteResult } from './run-site.ts';
import type { Site } from './site.ts';

const page = 'docs/sites.md';
const asked = process.env['SITES']?.split(',');
const all = globSync('test/sites/*/site.ts').map((file) => basename(dirname(file)));
const names = asked ?? all.toSorted();

const directory = await mkdtemp(join(tmpdir(), 'clip-sites-'));
const browser = await launchBrowser();
const results: SiteResult[] = [];
after(async () => {
  await browser.close();
  await rm(directory, { recursive: true, force: true });
  const hasPassed = results.every(({ steps }) => steps.every(({ error }) => !error));
  if (asked || !hasPassed || results.length < all.length) return;
  const sorted = results.toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  await writeFile(page, withMatrix(await readFile(page, 'utf8'), matrix(sorted)));
});
const kit = await packKit(directory, AbortSignal.timeout(10 * 60_000));

describe('sites', { concurrency: 2 }, () => {
  for (const name of names) {
    it(name, async (t) => {
      const { default: site } = (await import(`./${name}/site.ts`)) as { default: Site };
      const own = join(directory, name);
      results.push(await runSite({ name, site, kit, browser, directory: own, t }));
    });
  }
});
