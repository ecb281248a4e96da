import type { Site } from '../site.ts';

export default {
  title: 'Strict CSP with Trusted Types',
  docs: ['start/html', 'start/strict-csp'],
  rendered: 'no',
  build: ['sh', '-c', 'cp node_modules/clip-kit/dist/cdn/clip-*.js public/'],
  serve: { command: ['node', 'server.js'] },
} satisfies Site;
