/**
 * Builds each site of `test/sites/` with the packed kit and walks it in a browser, two at a time.
 * Arguments: names of sites, or `--third` for those that the commit chooses; all if omitted. Prints
 * the matrix, writes it to `docs/sites.md` when all sites have run, and prints `N passed, M failed`
 * at the end.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../service/test/support/browser.ts';
import { matrix, withMatrix } from '../test/sites/matrix.ts';
import { packKit } from '../test/sites/packed-kit.ts';
import { runSite, type SiteResult } from '../test/sites/run-site.ts';
import type { Site } from '../test/sites/site.ts';
import { countedRun } from './counted-run.ts';
import { runProgram } from './run-program.ts';
import { third } from './third.ts';

const sites = 'test/sites';
const page = 'docs/sites.md';
const atATime = 2;

const all = readdirSync(sites).filter((name) => existsSync(join(sites, name, 'site.ts')));
const asked = process.argv.slice(2);

async function siteOf(name: string): Promise<Site> {
  const file = pathToFileURL(resolve(sites, name, 'site.ts')).href;
  return ((await import(file)) as { default: Site }).default;
}

/** The names of the sites that this commit chooses. */
async function chosen(signal: AbortSignal): Promise<string[]> {
  const command = ['git', 'rev-parse', 'HEAD'];
  const { code, output } = await runProgram(command, { env: process.env, signal });
  if (code !== 0) throw new Error(`--third needs the commit: ${output}`);
  const site = async (name: string) => ({ name, types: Boolean((await siteOf(name)).types) });
  const { number, names } = third(await Promise.all(all.map(site)), output);
  console.log(`Third ${number} of 3, by the commit ${output.trim()}: ${names.join(', ')}`);
  return names;
}

await countedRun(async (signal) => {
  const names = asked[0] === '--third' ? await chosen(signal) : asked.length ? asked : all;
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
        results.set(name, await runSite(run));
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
