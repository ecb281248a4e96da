import type { Site } from '../site.ts';

/** The programs of docs/testing.md. */
export default {
  title: 'Test runners',
  rendered: 'no',
  tests: [
    ['vitest', 'run', '--environment', 'jsdom'],
    ['vitest', 'run', '--environment', 'happy-dom'],
    ['env', 'NODE_OPTIONS=--experimental-vm-modules', 'jest'],
    ['node', '--test', 'node.test.js'],
  ],
} satisfies Site;
