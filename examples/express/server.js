import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { nodeHandler } from 'clip-host/node';
import { clips } from './clips.js';

const app = express();
app.use('/clips', nodeHandler(clips));

// A first page: the elements as one file, and a button for the clip in the query.
const kit = dirname(fileURLToPath(import.meta.resolve('clip-kit/cdn/clip-kit.js')));
app.use('/clip-kit', express.static(kit));
app.get('/', (request, response) => {
  response.type('html').send(`<!doctype html>
    <title>My clips</title>
    <script type="module" src="/clip-kit/clip-kit.js"></script>
    <clip-export-button endpoint="/clips"></clip-export-button>
    <script>
      const project = new URLSearchParams(location.search).get('project') ?? '';
      document.querySelector('clip-export-button').setAttribute('project', project);
    </script>`);
});

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, () => console.log(`http://localhost:${port}`));

process.on('SIGTERM', () => {
  server.close();
  clips.close(); // Ends held requests; the server would wait for them.
});
