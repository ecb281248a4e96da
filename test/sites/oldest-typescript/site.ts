import type { Site } from '../site.ts';

/**
 * Every entry in the oldest TypeScript and in the last of later ones, whose DOM types differ. They
 * also check the declarations of the package.
 */
export default {
  title: 'TypeScript 5.4, 5.9, 6.0',
  rendered: 'no',
  tests: [
    ['tsc'],
    ['node', 'node_modules/typescript-5/bin/tsc'],
    ['node', 'node_modules/typescript-6/bin/tsc'],
  ],
} satisfies Site;
