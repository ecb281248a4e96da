/**
 * Tests the WordPress plugin in a real WordPress with MariaDB and PHP, in a browser. Installs
 * them if it may. Prints `N passed, M failed` at the end.
 */
import { installWordPressPackages } from '../test/support/wordpress-site.ts';
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { suites } from './suites.ts';

await countedRun((signal) => {
  installWordPressPackages();
  return runSuite(chosenFiles(suites['wordpress']!.files), {}, signal);
});
