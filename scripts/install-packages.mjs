// Runs on Node 20 with nothing installed: the setup needs it first.
import { spawnSync } from 'node:child_process';

let listed = false;

/** What is missing, in one line, with the command that installs it. */
export class Missing extends Error {}

/**
 * Installs Debian packages if this process may: on Linux with apt-get, as root. Otherwise, or if it
 * fails, throws {@link Missing}.
 *
 * @param {string} what what they are, for a person
 * @param {readonly string[]} packages Debian's names
 * @param {string} elsewhere the command that installs it on other systems
 */
export function installPackages(what, packages, elsewhere) {
  const linux = process.platform === 'linux';
  const apt = linux && spawnSync('apt-get', ['-v']).error === undefined;
  if (!apt || process.getuid?.() !== 0) {
    const command = linux ? `sudo apt-get install -y ${packages.join(' ')}` : elsewhere;
    throw new Missing(`${what} is missing. Install it: ${command}`);
  }
  console.log(`Installing ${what} (apt-get install ${packages.join(' ')}) ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!listed) spawnSync('apt-get', ['update', '-qq'], { env });
  listed = true;
  const done = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (done.status !== 0) {
    throw new Missing(
      `${what} could not be installed. Try: apt-get install -y ${packages.join(' ')}\n${done.stderr.trim()}`,
    );
  }
}
