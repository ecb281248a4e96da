import next from '../next-16/site.ts';
import type { Site } from '../site.ts';

export default {
  ...next,
  title: 'Next 15',
  app: 'next-16',
  versions: { next: '15.5.29' },
} satisfies Site;
