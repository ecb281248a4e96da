import type { Site } from '../site.ts';

export default {
  title: 'Strict CSP with Trusted Types',
  docs: ['start/strict-csp'],
  rendered: 'no',
  build: ['cp', 'node_modules/clip-kit/dist/cdn/clip-kit.js', 'public/clip-kit.js'],
  client: ['public'],
  serve: { command: ['node', 'server.js'] },
} satisfies Site;
