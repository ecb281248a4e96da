import { spawnSync } from 'node:child_process';
import { installPackages } from '../../../scripts/install-packages.mjs';
import type { Site } from '../site.ts';

export default {
  title: 'Hugo',
  prepare: () => {
    if (spawnSync('hugo', ['version']).error) installPackages('hugo');
  },
  rendered: 'server',
  build: ['hugo', '--quiet', '--cleanDestinationDir'],
  client: ['public'],
  serve: { directory: 'public' },
} satisfies Site;
