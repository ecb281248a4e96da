import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { render } from './dist/server/server.js';

const page = readFileSync('dist/client/index.html', 'utf8');

createServer((request, response) => {
  if (request.url.startsWith('/assets/')) {
    response.setHeader('Content-Type', 'text/javascript');
    createReadStream(`dist/client${request.url}`).pipe(response);
    return;
  }
  response.setHeader('Content-Type', 'text/html');
  response.end(page.replace('<!--page-->', render(request.url)));
}).listen(process.env.PORT, '127.0.0.1');
