import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';

cpSync('pages', 'public', { recursive: true });
const script = readFileSync('node_modules/clip-kit/dist/cdn/clip-kit.js');
writeFileSync('public/clip-kit.js', script);
const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
for (const page of ['index.html', 'clip.html']) {
  writeFileSync(`public/${page}`, readFileSync(`pages/${page}`, 'utf8').replace('HASH', hash));
}
