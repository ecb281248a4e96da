/** Builds the documentation as static pages: `npm run docs:site`. Prints where they are. */
import { buildDocsSite } from './build-docs-site.ts';
import { watchInterruption } from './run-program.ts';

await buildDocsSite(watchInterruption());
console.log('The documentation is in tools/site/dist. The demo serves it at /docs/.');
