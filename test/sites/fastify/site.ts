import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../site.ts';

export default {
  title: 'Fastify',
  docs: ['start/html', 'hosts/fastify'],
  rendered: 'server',
  host: 'own',
  prepare: ({ directory }) => cp('examples/fastify/clips.js', join(directory, 'clips.js')),
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: { command: ['node', 'server.js'] },
} satisfies Site;
