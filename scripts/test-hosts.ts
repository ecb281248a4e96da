/**
 * Boots the example hosts in other languages against a fake service, and looks whether they keep the contract. Installs
 * the languages where it may. Closes with `N passed, M failed`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { examples } from '../test/support/example-hosts.ts';
import { installPackages } from './install-packages.mjs';
import { countTests } from './test-count.ts';

const suite = 'test/example-hosts/example-hosts.suite.ts';

/** Whether the command runs and ends well. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** For each language: a look whether it is there, and how it comes elsewhere than on Debian. */
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

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const runSuite = async () => {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', suite], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): unknown => child.kill('SIGTERM');
  stopping.signal.addEventListener('abort', end);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countTests('node', code ?? 1, output);
};

let count = { passed: 0, failed: 1 };
try {
  for (const [name, { packages }] of Object.entries(examples)) {
    const { is, elsewhere } = languages[name]!;
    if (is()) continue;
    installPackages(`What the host in ${name} needs`, packages, elsewhere);
    if (!is())
      throw new Error(`${packages.join(', ')}: installed, and the host in ${name} cannot run.`);
  }
  count = await runSuite();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
