import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const script = readFileSync('node_modules/clip-kit/dist/cdn/clip-studio.js');
writeFileSync('public/clip-studio.js', script);
const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
for (const page of ['public/index.html', 'public/clip.html']) {
  writeFileSync(page, readFileSync(page, 'utf8').replace('HASH', hash));
}
