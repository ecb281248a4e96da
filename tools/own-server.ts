import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/** A server that accepts connections until it is stopped. */
export interface OwnServer {
  /** The environment variables that tell the tests where it is. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Lines of a server's output that are shown if it does not start. */
const maxLines = 100;

const isRoot = process.getuid?.() === 0;

/** The user id of an account that should own files. */
const readId = (kind: '-u' | '-g', user: string): number =>
  Number(spawnSync('id', [kind, user], { encoding: 'utf8' }).stdout);

/** Gives files to the server's user, if this process runs as root and must. */
export async function giveTo(user: string, ...paths: string[]): Promise<void> {
  if (!isRoot) return;
  for (const path of paths) await chown(path, readId('-u', user), readId('-g', user));
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
  /** Ends the server. By default SIGINT: an orderly stop that cuts connections. */
  readonly stopSignal?: 'SIGKILL';
  /** The sign that the server is ready: a line on an output, or any answer at a URL. */
  readonly ready: { readonly on: 'stdout' | 'stderr'; readonly text: string } | { url: string };
}

/** Waits until there is an answer at the URL. */
async function waitForAnswer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return;
    await setTimeout(50);
  }
}

/**
 * Starts a server and waits until it reports that it is ready. If it ends before that, throws with
 * its output. Returns a function that stops it.
 */
export async function startServer(server: ServerCommand): Promise<() => Promise<void>> {
  const [command = '', ...args] = server.command;
  const { env, directory: cwd, ready, stopSignal = 'SIGINT' } = server;
  const child: ChildProcess = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const stop = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const ended = () => {
      stop.abort();
      reject(new Error(`The server did not start:\n${said.join('\n')}`));
    };
    const isReady = () => {
      child.off('exit', ended);
      resolve();
    };
    child.on('error', reject);
    child.on('exit', ended);
    for (const on of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[on]! }).on('line', (line) => {
        if (said.push(line) > maxLines) said.shift();
        if ('text' in ready && ready.on === on && line.includes(ready.text)) isReady();
      });
    }
    if ('url' in ready) waitForAnswer(ready.url, stop.signal).then(isReady, reject);
  });
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(stopSignal);
    await ended;
  };
}
