/**
 * Starts the example hosts in other languages with a fake service, and checks whether they keep the
 * contract. Installs the languages if it may. Prints `N passed, M failed` at the end.
 */
import { spawnSync } from 'node:child_process';
import { examples } from '../test/support/example-hosts.ts';
import { countedRun, runSuite } from './counted-run.ts';
import { installPackages } from './install-packages.mjs';

const suite = 'test/example-hosts/example-hosts.suite.ts';

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

await countedRun(async (signal) => {
  for (const [name, { packages }] of Object.entries(examples)) {
    const { is, elsewhere } = languages[name]!;
    if (is()) continue;
    installPackages(`What the host in ${name} needs`, packages, elsewhere);
    if (!is())
      throw new Error(`${packages.join(', ')}: installed, and the host in ${name} cannot run.`);
  }
  return runSuite([suite], {}, signal);
});
