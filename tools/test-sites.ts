/**
 * Builds each site of `test/sites/` with the packed kit and walks it in a browser, two at a time.
 * Arguments: names of sites, or their `site.ts`; all if omitted. Prints the matrix, writes it to
 * `docs/sites.md` when all sites have run, and prints `N passed, M failed` at the end.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../packages/service/test/support/browser.ts';
import { matrix, withMatrix } from '../test/sites/matrix.ts';
import { packKit } from '../test/sites/packed-kit.ts';
import { runSite, type SiteResult } from '../test/sites/run-site.ts';
import type { Site } from '../test/sites/site.ts';
import { countedRun } from './counted-run.ts';
import { noteFailure, noteSeconds } from './failure-log.ts';
import { suites } from './suites.ts';

const sites = 'test/sites';
const page = 'docs/sites.md';
const atATime = 2;

const all = suites['sites']!.files.map((file) => basename(dirname(file)));
const asked = process.argv
  .slice(2)
  .map((name) => name.replace(/^test\/sites\/(.*)\/site\.ts$/, '$1'));

async function siteOf(name: string): Promise<Site> {
  const file = pathToFileURL(resolve(sites, name, 'site.ts')).href;
  return ((await import(file)) as { default: Site }).default;
}

await countedRun(async (signal) => {
  const names = asked.length ? asked : all;
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length) throw new Error(`No such site: ${unknown.join(', ')}. There are: ${all}`);
  const directory = await mkdtemp(join(tmpdir(), 'clip-sites-'));
  const browser = await launchBrowser();
  const results = new Map<string, SiteResult>();
  try {
    const kit = await packKit(directory, signal);
    const waiting = [...names];
    const work = async (): Promise<void> => {
      for (let name = waiting.shift(); name && !signal.aborted; name = waiting.shift()) {
        const site = await siteOf(name);
        const say = (text: string): unknown => process.stdout.write(text);
        const run = { name, site, kit, browser, directory: join(directory, name), signal, say };
        const file = join(sites, name, 'site.ts');
        const began = performance.now();
        const result = await runSite(run);
        results.set(name, result);
        noteSeconds(file, (performance.now() - began) / 1000);
        for (const { step, error } of result.steps) if (error) noteFailure(file, step, error);
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
  } finally {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  }
  const inOrder = names.flatMap((name) => results.get(name) ?? []);
  inOrder.sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const table = matrix(inOrder);
  console.log(`\n${table}`);
  const steps = inOrder.flatMap((result) => result.steps);
  const failed = steps.filter(({ error }) => error).length + (signal.aborted ? 1 : 0);
  if (!asked.length && !failed) {
    await writeFile(page, withMatrix(await readFile(page, 'utf8'), table));
  }
  return { passed: steps.filter(({ error }) => !error).length, failed };
});
