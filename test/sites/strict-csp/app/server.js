import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  'frame-src https://clips.example',
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const files = {
  '/': ['index.html', 'text/html'],
  '/clip': ['clip.html', 'text/html'],
  '/page.js': ['page.js', 'text/javascript'],
  '/clip-kit.js': ['clip-kit.js', 'text/javascript'],
};

const isIsolated = process.argv[3] === 'isolated';

createServer(async (request, response) => {
  const [file, type] = files[request.url.split('?')[0]] ?? [];
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Security-Policy': policy,
    ...(isIsolated && {
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    }),
  });
  response.end(await readFile(`public/${file}`));
}).listen(Number(process.argv[2]), '127.0.0.1');
