import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer } from './own-server.ts';

/** There on every Debian. */
const serverUser = 'www-data';
/** Debian does not put it on every user's path. */
const program = '/usr/sbin/nginx';

const shipped = new URL('../packages/service/deploy/nginx.conf', import.meta.url);

/** Replaces what must be there. */
function replaceText(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`packages/service/deploy/nginx.conf has no ${from}.`);
  return text.replace(from, to);
}

/**
 * nginx in an empty directory, as a proxy of several API processes on loopback ports. The settings
 * are those that are shipped, with other addresses: Debian's nginx has no `resolve`. Gives the
 * function that stops it.
 */
export async function startNginx(
  directory: string,
  port: number,
  backends: readonly number[],
): Promise<() => Promise<void>> {
  if (!existsSync(program)) installPackages('nginx');
  const settings = join(directory, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  let text = await readFile(shipped, 'utf8');
  text = replaceText(text, /error_log stderr /, `error_log ${join(directory, 'error.log')} `);
  text = replaceText(
    text,
    /worker_processes auto;/,
    'daemon off; pid nginx.pid; error_log stderr notice;',
  );
  text = replaceText(text, /resolver [^;]+;/, temporary.join(' '));
  text = replaceText(
    text,
    /access_log \/dev\/stdout /,
    `access_log ${join(directory, 'access.log')} `,
  );
  const servers = backends.map((backend) => `server 127.0.0.1:${backend} $1;`);
  text = replaceText(text, /server api:4400 resolve ([^;]+);/, servers.join(' '));
  text = replaceText(text, /listen 8080;/, `listen 127.0.0.1:${port};`);
  await writeFile(settings, text);
  await giveTo(serverUser, directory, settings);
  return startServer({
    command: asServerUser(serverUser, [program, '-e', 'stderr', '-p', directory, '-c', settings]),
    env: { PATH: process.env['PATH'] ?? '' },
    directory,
    ready: { on: 'stderr', text: 'start worker process' },
  });
}
