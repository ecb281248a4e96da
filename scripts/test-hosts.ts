/**
 * Tests the hosts in other languages: their libraries, and the examples with a fake service, which
 * must keep the contract. Installs the languages if it may. Prints `N passed, M failed` at the end.
 */
import { spawnSync } from 'node:child_process';
import { djangoPython } from '../test/support/django-site.ts';
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { installPackages } from './install-packages.mjs';
import { suites } from './suites.ts';

/** Whether the command runs and succeeds. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** For each language, and for the tests of the libraries: how to check that it is there. */
const needs = {
  php: () =>
    works('php', '-r', 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);'),
  python: () => works('python3', '-c', 'import sqlite3'),
  go: () => works('go', 'version'),
  django: () => djangoPython() !== null,
  psr: () => works('php', '-r', "exit((int) !@include 'Nyholm/Psr7/autoload.php');"),
} as const;

await countedRun(async (signal) => {
  for (const [name, isThere] of Object.entries(needs)) {
    if (!isThere()) installPackages(name as keyof typeof needs);
    if (!isThere()) throw new Error(`${name}: installed, and it cannot run.`);
  }
  return runSuite(chosenFiles(suites['hosts']!.files), {}, signal);
});
