import type { Site } from '../site.ts';

export default {
  title: 'Eleventy 3',
  docs: ['start/eleventy'],
  rendered: 'server',
  build: ['eleventy', '--quiet', '--output=public'],
  client: ['public'],
  serve: { directory: 'public' },
  without: { listener: 'content has no scripts' },
} satisfies Site;
