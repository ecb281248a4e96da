import type { Site } from '../site.ts';

export default {
  title: 'Test runners',
  docs: ['testing'],
  rendered: 'no',
  tests: [
    ['vitest', 'run', '--environment', 'jsdom'],
    ['vitest', 'run', '--environment', 'happy-dom'],
    ['env', 'NODE_OPTIONS=--experimental-vm-modules', 'jest'],
    ['node', '--test', 'node.test.js'],
  ],
} satisfies Site;
