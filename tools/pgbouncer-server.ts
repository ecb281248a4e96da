import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer } from './own-server.ts';

/** PgBouncer refuses to run as root; Debian's package of Postgres creates this user. */
const serverUser = 'postgres';
/** Debian does not put it on every user's path. */
const program = '/usr/sbin/pgbouncer';

/** PgBouncer in transaction mode before a Postgres server, with the server's user and password. */
export async function startPgBouncer(
  directory: string,
  postgresUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const command = existsSync(program) ? program : 'pgbouncer';
  if (command !== program) installPackages('pgbouncer');
  const { hostname, port, username, password } = new URL(postgresUrl);
  const users = join(directory, 'users.txt');
  const config = join(directory, 'pgbouncer.ini');
  const ownPort = await freePort();
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      // Instead of the ignored parameter, which PgBouncer does not pass on.
      'idle_transaction_timeout = 6',
      'ignore_startup_parameters = extra_float_digits, idle_in_transaction_session_timeout',
      '',
    ].join('\n'),
  );
  await giveTo(serverUser, directory, users, config);
  const stop = await startServer({
    command: asServerUser(serverUser, [existsSync(program) ? program : command, config]),
    env: { PATH: process.env['PATH'] ?? '' },
    directory,
    ready: { on: 'stderr', text: 'process up' },
  });
  const url = new URL(postgresUrl);
  url.port = String(ownPort);
  return { url: url.href, stop };
}
