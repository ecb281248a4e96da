import type { Site } from '../site.ts';

/** It warns of what bundlers without server components cannot use. */
export default {
  title: 'Rollup',
  rendered: 'no',
  tests: [
    ['rollup', '--failAfterWarnings', '-p', 'node-resolve', '-e', 'react', '-d', 'out', 'main.js'],
  ],
} satisfies Site;
