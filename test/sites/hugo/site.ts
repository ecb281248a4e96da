import { spawnSync } from 'node:child_process';
import { installPackages } from '../../../tools/install-packages.mjs';
import type { Site } from '../site.ts';

export default {
  title: 'Hugo',
  docs: ['start/hugo'],
  prepare: () => {
    if (spawnSync('hugo', ['version']).error) installPackages('hugo');
  },
  rendered: 'server',
  build: ['hugo', '--quiet', '--cleanDestinationDir'],
  serve: { directory: 'public' },
  without: { listener: 'content has no scripts' },
} satisfies Site;
