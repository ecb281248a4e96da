import { cpSync } from 'node:fs';

cpSync('node_modules/alpinejs/dist/cdn.min.js', 'public/alpine.js');
for (const file of ['clip-kit.js', 'clip-studio.js']) {
  cpSync(`node_modules/clip-kit/dist/cdn/${file}`, `public/${file}`);
}
