/** Builds the documentation as static pages: `npm run docs:site`. Prints where they are. */
import { buildDocsSite } from './build-docs-site.ts';
import { interruption } from './counted-run.ts';

await buildDocsSite(interruption());
console.log('The documentation is in tools/site/dist. The demo serves it at /docs/.');
