import { createServer } from 'node:http';
import { nodeHandler } from 'clip-host/node';
import { makeHost } from './host.js';

const server = createServer(nodeHandler(makeHost(process.env)));
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
