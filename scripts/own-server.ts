import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server that accepts connections until it is stopped. */
export interface OwnServer {
  /** The environment variables that tell the tests where it is. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;

/** The user id of an account that should own files. */
const idOf = (kind: '-u' | '-g', user: string): number =>
  Number(spawnSync('id', [kind, user], { encoding: 'utf8' }).stdout);

/** Gives files to the server's user, if this process runs as root and must. */
export async function giveTo(user: string, ...paths: string[]): Promise<void> {
  if (!isRoot) return;
  for (const path of paths) await chown(path, idOf('-u', user), idOf('-g', user));
}

/**
 * The command as the server's user, if this process is root. On Linux it ends with this process,
 * even after a crash.
 */
export function asServerUser(user: string, command: readonly string[]): string[] {
  if (process.platform !== 'linux') return [...command];
  const change = isRoot ? ['--reuid', user, '--regid', user, '--init-groups'] : [];
  return ['setpriv', ...change, '--pdeathsig', 'INT', '--', ...command];
}

export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Where the server reports that it is ready, and with which text. */
  readonly says: 'stdout' | 'stderr';
  readonly ready: string;
}

/**
 * Starts a server and waits until it reports that it is ready. If it ends before that, throws with
 * its output. Returns a function that stops it.
 */
export async function startServer(server: ServerCommand): Promise<() => Promise<void>> {
  const [command = '', ...args] = server.command;
  const { env, directory: cwd, says, ready } = server;
  const child: ChildProcess = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const other = says === 'stdout' ? child.stderr : child.stdout;
  other?.resume();
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const ended = () => reject(new Error(`The server did not start:\n${said.join('\n')}`));
    child.on('error', reject);
    child.on('exit', ended);
    createInterface({ input: child[says]! }).on('line', (line) => {
      said.push(line);
      if (!line.includes(ready)) return;
      child.off('exit', ended);
      resolve();
    });
  });
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT'); // An orderly stop; connections are cut.
    await ended;
  };
}
