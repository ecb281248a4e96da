import { createServer } from 'node:http';
import { nodeHandler } from 'clip-host/node';
import { clips } from './clips.js';

const server = createServer(nodeHandler(clips)).listen(Number(process.env.PORT ?? 3000));

process.on('SIGTERM', () => {
  server.close();
  clips.close(); // Ends held requests; the server would wait for them.
});
