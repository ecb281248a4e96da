/** Writes the WordPress plugin to `clip-kit.zip`: its sources, the PHP library, the built kit. */
import { writeFile } from 'node:fs/promises';
import { wordpressPlugin } from './wordpress-plugin.ts';
import { zip } from './zip.ts';

const archive = zip(await wordpressPlugin('.'));
await writeFile('clip-kit.zip', archive);
console.log(`clip-kit.zip: ${(archive.length / 1000).toFixed(0)} kB`);
