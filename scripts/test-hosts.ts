/**
 * Tests the hosts in other languages: their libraries, and the examples with a fake service, which
 * must keep the contract. Installs the languages if it may. Prints `N passed, M failed` at the end.
 */
import { spawnSync } from 'node:child_process';
import { djangoPython } from '../test/support/django-site.ts';
import { examples } from '../test/support/example-hosts.ts';
import { countedRun, runSuite } from './counted-run.ts';
import { installPackages } from './install-packages.mjs';

const suites = ['example-hosts', 'django', 'libraries'].map(
  (name) => `test/example-hosts/${name}.suite.ts`,
);

/** Whether the command runs and succeeds. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/**
 * For each language: how to check that it is there, and how to install it on systems other than
 * Debian.
 */
const languages: Readonly<Record<string, { is: () => boolean; elsewhere: string }>> = {
  php: {
    is: () =>
      works(
        'php',
        '-r',
        'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);',
      ),
    elsewhere: 'brew install php',
  },
  python: { is: () => works('python3', '-c', 'import sqlite3'), elsewhere: 'brew install python' },
  go: { is: () => works('go', 'version'), elsewhere: 'brew install go' },
};

/** For the Django app, and for the messages of frameworks in the tests of the PHP library. */
function installFrameworks(): void {
  const packages = [
    ...(djangoPython() === null ? ['python3-django'] : []),
    ...(works('php', '-r', "exit((int) !@include 'Nyholm/Psr7/autoload.php');")
      ? []
      : ['php-nyholm-psr7']),
  ];
  if (packages.length) installPackages('Django and PSR-7', packages, 'pip install Django');
}

await countedRun(async (signal) => {
  for (const [name, { packages }] of Object.entries(examples)) {
    const { is, elsewhere } = languages[name]!;
    if (is()) continue;
    installPackages(`What the host in ${name} needs`, packages, elsewhere);
    if (!is())
      throw new Error(`${packages.join(', ')}: installed, and the host in ${name} cannot run.`);
  }
  installFrameworks();
  return runSuite(suites, {}, signal);
});
