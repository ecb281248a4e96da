import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';

/** A program that ended badly. `message` holds the end of what it said, with paths cut to file names. */
export class ProcessError extends Error {
  readonly exitCode: number | null;
  readonly stderrTail: string;

  constructor(program: string, exitCode: number | null, stderrTail: string) {
    const last = stderrTail.trim().split('\n').slice(-4).join(' | ');
    super(`${program} ended with ${exitCode ?? 'a signal'}${last ? `: ${last}` : ''}`);
    this.name = 'ProcessError';
    this.exitCode = exitCode;
    this.stderrTail = stderrTail;
  }
}

export interface RunOptions {
  signal: AbortSignal;
  /** Longest time it may take, in seconds of the clock. */
  deadline: number;
  cwd?: string;
  onStderrLine?: (line: string) => void;
  /** What the program reads from its standard input; nothing where left out. */
  stdin?: Readable;
  /**
   * Given each piece of the output as it comes; without it the output is gathered. The program is held up while a promise
   * that it gave is open; where that is rejected, the program is ended, and so does this.
   */
  onStdout?: (piece: Buffer) => void | Promise<void>;
}

export interface RunResult {
  /** Empty where `onStdout` took it. */
  stdout: string;
  stderrTail: string;
}

const tailLines = 40;
const gatheredLimit = 64 * 1024 * 1024;

const found = new Map<string, string | null>();

/** The full path of a program of PATH (or of one that is named by its path), or null. Found once a process. */
export function findProgram(name: string): string | null {
  const known = found.get(name);
  if (known !== undefined) return known;
  let path: string | null = null;
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const place of isAbsolute(name) ? [name] : places.map((one) => join(one, name))) {
    try {
      accessSync(place, constants.X_OK);
      path = place;
      break;
    } catch {
      // Not here: the next directory.
    }
  }
  found.set(name, path);
  return path;
}

/** Cuts absolute paths down to file names: an error's text may reach a person who must not learn the layout. */
export const withoutPaths = (text: string): string =>
  text.replace(/(?:file:)?(?:\/[^\s/:'",;|]+)+\/([^\s/:'",;|]*)/g, '$1');

/**
 * Runs a program to its end at low priority, in a process group of its own. It dies with this process (where `setpriv` is
 * installed), with the signal and at the deadline. Throws the signal's reason, or {@link ProcessError} on a bad end.
 */
export function run(program: string, args: string[], options: RunOptions): Promise<RunResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
  if (options.signal.aborted) return Promise.reject(options.signal.reason as Error);
  const path = findProgram(program);
  if (!path) {
    return Promise.reject(
      new Error(`${program} is not installed on this machine: install it and try again`),
    );
  }
  const nice = findProgram('nice');
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : null;
  const command = [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
    ...(nice ? [nice, '-n', '10'] : []),
    path,
    ...args,
  ];
  const child = spawn(command[0]!, command.slice(1), {
    ...(options.cwd ? { cwd: options.cwd } : {}),
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LC_ALL: 'C.UTF-8' },
  });

  const kill = () => {
    try {
      if (child.pid === undefined) return;
      if (process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, options.deadline * 1000);
  options.signal.addEventListener('abort', kill, { once: true });

  const tail: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    tail.push(line.slice(0, 500));
    if (tail.length > tailLines) tail.shift();
    options.onStderrLine?.(line);
  });
  const pieces: Buffer[] = [];
  let gathered = 0;
  let taken: Promise<void> = Promise.resolve();
  let refused: unknown = null;
  child.stdout.on('data', (piece: Buffer) => {
    if (options.onStdout) {
      const taking = options.onStdout(piece);
      if (!taking) return;
      child.stdout.pause();
      taken = taking
        .catch((error: unknown) => {
          refused ??= error;
          kill();
        })
        .then(() => void child.stdout.resume());
    } else if ((gathered += piece.length) <= gatheredLimit) pieces.push(piece);
    else kill();
  });
  // A program that ends before it has read all is no error of this pipe's: its exit tells.
  pipeline(options.stdin ?? Readable.from([]), child.stdin, () => {});
  const settle = () => {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', kill);
  };
  child.on('error', (error) => {
    settle();
    reject(error);
  });
  const close = (code: number | null) => {
    settle();
    const stderrTail = withoutPaths(tail.join('\n'));
    if (options.signal.aborted) reject(options.signal.reason as Error);
    else if (refused !== null) reject(refused as Error);
    else if (late) {
      reject(
        new ProcessError(program, null, `stopped after ${Math.round(options.deadline)} seconds`),
      );
    } else if (code !== 0) reject(new ProcessError(program, code, stderrTail));
    else resolve({ stdout: Buffer.concat(pieces).toString('utf8'), stderrTail });
  };
  child.on('close', (code) => void taken.then(() => close(code)));
  return promise;
}
