/** Fails if `custom-elements.json` does not match the sources. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const file = 'custom-elements.json';
// Must be inside the project: the analyzer takes only relative paths.
const directory = await mkdtemp(join('node_modules', '.manifest-'));
try {
  const analyzer = 'node_modules/@custom-elements-manifest/analyzer/cem.js';
  const args = [analyzer, 'analyze', '--quiet', '--outdir', directory];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  else if ((await readFile(join(directory, file), 'utf8')) !== (await readFile(file, 'utf8'))) {
    console.error(`${file} is not what the sources say: run \`npm run manifest\`.`);
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
