/**
 * Runs the blocks of `docs/sign-in` in their languages. Installs the languages if it may. Prints
 * `N passed, M failed` at the end.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { djangoModules, fastapiModules, flaskModules, pythonWith } from '../test/support/python.ts';
import { chosenFiles, countedRun, runSuite } from './counted-run.ts';
import { installPackages } from './install-packages.mjs';
import { suites } from './suites.ts';

/** Whether the command runs and succeeds. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** For each language or framework: how to check that it is there. */
const needs = {
  php: () => works('php', '-v'),
  django: () => pythonWith(djangoModules) !== null,
  flask: () => pythonWith(flaskModules) !== null,
  fastapi: () => pythonWith(fastapiModules) !== null,
  ruby: () => works('ruby', '-ropenssl', '-rjson', '-e', ''),
  go: () => works('go', 'version'),
  java: () => works('javac', '-version') && existsSync('/usr/share/java/spring3-web.jar'),
  elixir: () => works('elixir', '--version'),
  perl: () => works('perl', '-MJSON::PP', '-MDigest::SHA', '-e', ''),
} as const;

await countedRun(async (signal) => {
  for (const [name, isThere] of Object.entries(needs)) {
    if (!isThere()) installPackages(name as keyof typeof needs);
    if (!isThere()) throw new Error(`${name}: installed, and it cannot run.`);
  }
  return runSuite(chosenFiles(suites['sign-in']!.files), {}, signal);
});
