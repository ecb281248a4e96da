import type { Site } from '../site.ts';

/** Every entry in the oldest TypeScript, which also checks the declarations of the package. */
export default {
  title: 'TypeScript 5.4',
  rendered: 'no',
  tests: [['tsc']],
} satisfies Site;
