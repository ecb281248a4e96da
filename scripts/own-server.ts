import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server that takes connections until it is stopped. */
export interface OwnServer {
  /** Where the tests are told to find it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;

/** The number of an account, which files are given to by. */
const idOf = (kind: '-u' | '-g', user: string): number =>
  Number(spawnSync('id', [kind, user], { encoding: 'utf8' }).stdout);

/** Gives files to the server's user, where this process may and need. */
export const giveTo = async (user: string, ...paths: string[]): Promise<void> => {
  if (!isRoot) return;
  for (const path of paths) await chown(path, idOf('-u', user), idOf('-g', user));
};

/** The command as the server's user, where this is root; on Linux it ends with this process, however that ends. */
export const asServerUser = (user: string, command: readonly string[]): string[] => {
  if (process.platform !== 'linux') return [...command];
  const change = isRoot ? ['--reuid', user, '--regid', user, '--init-groups'] : [];
  return ['setpriv', ...change, '--pdeathsig', 'INT', '--', ...command];
};

export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Where the server says that it is ready, and in what words. */
  readonly says: 'stdout' | 'stderr';
  readonly ready: string;
}

/** Starts a server and waits until it says that it is ready; throws what it said when it ends before. Gives the way to stop it. */
export const startServer = async (server: ServerCommand): Promise<() => Promise<void>> => {
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
    child.kill('SIGINT'); // Postgres' "fast", Redis' usual end: connections are cut, the server ends in order.
    await ended;
  };
};
