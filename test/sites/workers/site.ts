import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../site.ts';

export default {
  title: 'Cloudflare Workers with D1',
  docs: ['start/html', 'hosts/workers'],
  rendered: 'server',
  host: 'own',
  prepare: async ({ directory, service }) => {
    const { baseUrl, apiKey } = service;
    const vars = `CLIP_API_URL=${baseUrl}\nCLIP_API_KEY=${apiKey}\nDEV_USER=ann\n`;
    await writeFile(join(directory, '.dev.vars'), vars);
  },
  // The same bundle that `wrangler deploy` uploads.
  build: [
    'sh',
    '-c',
    'cp node_modules/clip-kit/dist/cdn/clip-*.js public/ && wrangler deploy --dry-run',
  ],
  serve: {
    command: ['wrangler', 'dev', '--ip', '127.0.0.1', '--port', '$PORT'],
    env: { WRANGLER_SEND_METRICS: 'false' },
  },
} satisfies Site;
