/** Builds what the pages load, in a checkout in which nothing is built: `npm test` builds first. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (!existsSync(new URL('../player/dist/page.js', import.meta.url))) {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build:player'], { cwd, stdio: 'ignore' });
}
