/**
 * Measures, and writes the tables into `docs/bench.md`. Arguments: the names of measures; all if
 * there are none.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';

/** Each is a file beside this one; its `measure` resolves with a table in Markdown. */
const measures = 'mount heap requests render opening live moments recognition voices framing'.split(
  ' ',
);

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !measures.includes(name));
if (unknown !== undefined) {
  console.error(`There is no measure “${unknown}”. There are: ${measures.join(', ')}`);
  process.exit(2);
}

const page = new URL('../docs/bench.md', import.meta.url);
const { stdout } = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' });
const ffmpeg = /ffmpeg version (\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? 'unknown';
for (const name of asked.length > 0 ? asked : measures) {
  const [load = 0] = loadavg();
  console.log(`${name} …`);
  try {
    const { measure } = (await import(`./${name}.ts`)) as { measure(): Promise<string> };
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
