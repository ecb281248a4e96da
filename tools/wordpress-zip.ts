/**
 * Writes the WordPress plugin to `clip-kit.zip`: its sources and the built script.
 * Argument: the directory of the script, if it is not this project's.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildWordpressPlugin } from './wordpress-plugin.ts';

const [script] = process.argv.slice(2);
const archive = await buildWordpressPlugin(script && resolve(script));
await writeFile('clip-kit.zip', archive);
console.log(`clip-kit.zip: ${(archive.length / 1000).toFixed(0)} kB`);
