/** Builds the site of the documentation and looks at it in a browser. */
import { buildDocsSite } from './build-docs-site.ts';
import { countedRun, runSuite } from './counted-run.ts';
import { suites } from './suites.ts';

await countedRun(async (signal) => {
  await buildDocsSite(signal);
  return runSuite(suites['docs']!.files, {}, signal);
});
