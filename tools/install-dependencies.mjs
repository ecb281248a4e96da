// Runs on Node 20 with nothing installed: the setup needs it first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { removeOtherBinaries } from './own-binaries.mjs';

/**
 * Returns the environment without the project's own Node, which npm puts first on the path, and its
 * compile cache: what is installed must not depend on them.
 */
export const withoutOwnNode = () => ({
  ...process.env,
  NODE_COMPILE_CACHE: undefined,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter),
});

/** Runs npm, shows what it prints, and returns its exit code; null if it was stopped. */
async function runNpm(args, folder, signal) {
  const windows = process.platform === 'win32';
  const child = spawn(windows ? 'npm.cmd' : 'npm', [...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    env: withoutOwnNode(),
    shell: windows,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  const [code] = await once(child, 'close');
  signal?.removeEventListener('abort', stop);
  return code;
}

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

const listOf = (folder) => join(folder, 'node_modules', '.package-lock.json');

const hasDev = (folder) => Object.values(readPackages(listOf(folder))).some(({ dev }) => dev);

/**
 * Whether a folder has the packages of its lock file, without those of developers if `omitDev`. npm
 * lists what it has installed in `node_modules/.package-lock.json` at the end: after an interrupted
 * installation, there is no such file.
 */
function matchesLock(folder, omitDev) {
  if (!existsSync(listOf(folder))) return false;
  const installed = readPackages(listOf(folder));
  const { '': _, ...wanted } = readPackages(join(folder, 'package-lock.json'));
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev }]) => {
    const found = installed[path];
    // Binaries of other platforms are not installed.
    if (!found) return optional === true || (omitDev && dev === true);
    if (found.version !== version || found.integrity !== integrity) return false;
    return existsSync(join(folder, path, found.link ? '' : 'package.json'));
  });
}

/**
 * Installs the packages of a folder's lock file, unless it has them. If npm fails, for example
 * without a network, an earlier installation stays usable. If it is interrupted, the next call
 * installs everything anew. Returns whether the packages are there. `signal` interrupts npm.
 * `omitDev` leaves out what only developers need, unless that is installed already.
 */
export async function installDependencies(folder, { signal, omitDev = false } = {}) {
  const isInstalled = matchesLock(folder, omitDev) || (await installAll(folder, signal, omitDev));
  if (isInstalled) removeOtherBinaries(folder);
  return isInstalled;
}

async function installAll(folder, signal, omitDev) {
  const list = listOf(folder);
  const setAside = `${list}.old`;
  const isNew = !existsSync(list);
  const omit = omitDev && (isNew || !hasDev(folder)) ? ['--omit=dev'] : [];
  if (isNew) {
    console.log('Installing dependencies (npm ci), which takes up to some minutes ...');
    return (await runNpm(['ci', ...omit], folder, signal)) === 0;
  }
  // `npm ci` would begin by deleting what works. Without its list, packages that were changed only
  // in part are never taken for a whole installation.
  console.log('Updating dependencies (npm install) ...');
  renameSync(list, setAside);
  const code = await runNpm(['install', '--no-save', ...omit], folder, signal);
  if (code) renameSync(setAside, list);
  else if (code === 0) rmSync(setAside, { force: true });
  return code === 0;
}
