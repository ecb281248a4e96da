/**
 * Measures, and writes the tables into `docs/bench.md`. Arguments: the names of measures; all if
 * there are none.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';

/** Each resolves with its table in Markdown. */
const measures: Readonly<Record<string, () => Promise<{ measure: () => Promise<string> }>>> = {
  bytes: () => import('./bytes.ts'),
  mount: () => import('./mount.ts'),
  heap: () => import('./heap.ts'),
  requests: () => import('./requests.ts'),
  render: () => import('./render.ts'),
  opening: () => import('./opening.ts'),
  live: () => import('./live.ts'),
  moments: () => import('./moments.ts'),
  recognition: () => import('./recognition.ts'),
  framing: () => import('./framing.ts'),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(measures, name));
if (unknown !== undefined) {
  console.error(`There is no measure “${unknown}”. There are: ${Object.keys(measures).join(', ')}`);
  process.exit(2);
}

const page = new URL('../docs/bench.md', import.meta.url);
const { stdout } = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' });
const ffmpeg = /ffmpeg version (\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? 'unknown';
for (const name of asked.length > 0 ? asked : Object.keys(measures)) {
  const [load = 0] = loadavg();
  console.log(`${name} …`);
  try {
    const { measure } = await measures[name]!();
    const table = await measure();
    console.log(`${table}\n`);
    const machine = `${availableParallelism()} cores, Node ${process.versions.node}, ffmpeg ${ffmpeg}`;
    const when = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}, load before it ${load.toFixed(1)}.`;
    const made = `<!-- ${name} -->\n\n${when}\n\n${table}\n\n<!-- /${name} -->`;
    const text = await readFile(page, 'utf8');
    await writeFile(
      page,
      text.replace(new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`), () => made),
    );
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
