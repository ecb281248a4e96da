/** Writes the WordPress plugin to `clip-kit.zip`: its sources, the PHP library, the built kit. */
import { writeFile } from 'node:fs/promises';
import { wordpressPlugin } from './wordpress-plugin.ts';

const archive = await wordpressPlugin('.');
await writeFile('clip-kit.zip', archive);
console.log(`clip-kit.zip: ${(archive.length / 1000).toFixed(0)} kB`);
