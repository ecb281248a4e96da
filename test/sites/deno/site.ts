import type { Site } from '../site.ts';

export default {
  title: 'Deno',
  docs: ['start/html', 'hosts/deno'],
  rendered: 'server',
  host: 'own',
  types: {
    command: ['deno', 'check', 'server.ts'],
    mistakes: [{ file: 'server.ts', right: 'basePath:', wrong: 'basePaht:' }],
  },
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: {
    command: [
      'deno',
      'run',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      '--allow-write',
      'server.ts',
    ],
  },
  logIn: async (page, origin) => void (await page.goto(`${origin}/log-in`)),
} satisfies Site;
