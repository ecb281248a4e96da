import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { endOf, ProcessError, ProgramError, type ProcessEnd } from './process-error.ts';
import { limitOptions, limitsFor, ownHardLimits, type ProcessLimits } from './process-limits.ts';

export { ProcessError };

export interface RunOptions {
  signal: AbortSignal;
  /** Longest time it may take, in seconds of the clock. */
  deadline: number;
  /** Where other limits than those of `limitsFor` hold. */
  limits?: Partial<ProcessLimits>;
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

const found = new Map<string, string>();

/**
 * The full path of a program of PATH (or of one that is named by its path), or null. What has been found is remembered; what is
 * missing may be installed while this process runs.
 */
export function findProgram(name: string): string | null {
  const known = found.get(name);
  if (known !== undefined) return known;
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const place of isAbsolute(name) ? [name] : places.map((one) => join(one, name))) {
    try {
      accessSync(place, constants.X_OK);
      found.set(name, place);
      return place;
    } catch {
      // Not here: the next directory.
    }
  }
  return null;
}

/** Cuts absolute paths down to file names: an error's text may reach a person who must not learn the layout. */
export const withoutPaths = (text: string): string =>
  text.replace(/(?:file:)?(?:\/[^\s/:'",;|]+)+\/([^\s/:'",;|]*)/g, '$1');

/** The command with what stands before it where it is installed: to die with the service, limits, low priority. */
function guarded(
  path: string,
  args: readonly string[],
  options: RunOptions,
): [string, ...string[]] {
  const linux = process.platform === 'linux';
  const setpriv = linux ? findProgram('setpriv') : null;
  const prlimit = linux ? findProgram('prlimit') : null;
  const nice = findProgram('nice');
  const limits = limitsFor(options.deadline, options.limits);
  const [first = path, ...rest] = [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
    ...(nice ? [nice, '-n', '10'] : []),
    ...(prlimit ? [prlimit, ...limitOptions(limits, ownHardLimits()), '--'] : []),
    path,
    ...args,
  ];
  return [first, ...rest];
}

function notStarted(program: string, { code = 'unknown reason' }: NodeJS.ErrnoException): Error {
  return new ProgramError(
    `${program} could not be started (${code}): see that it is installed and may be run, and that the machine has processes and memory left.`,
  );
}

/** Longest line that is kept together, in letters. */
const longestLine = 64 * 1024;

/**
 * Reads lines that end in a line feed or carriage return and in nothing else: Node's own reader also ends them at U+2028, so that
 * a film's title could look like a line of the program's.
 */
function readLines(input: Readable, onLine: (line: string) => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? '').slice(-longestLine);
    lines.forEach(onLine);
  });
  input.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

/**
 * Runs a program to its end at low priority, in a process group of its own, within limits of memory, processor time and
 * file size (where `prlimit` is installed). It dies with this process (where `setpriv` is installed), with the signal and
 * at the deadline. Throws the signal's reason, {@link ProcessError} on a bad end, or {@link ProgramError} where it is not there.
 */
export function run(program: string, args: string[], options: RunOptions): Promise<RunResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
  if (options.signal.aborted) return Promise.reject(options.signal.reason as Error);
  const path = findProgram(program);
  if (!path) {
    return Promise.reject(
      new ProgramError(`${program} is not installed on this machine: install it and try again`),
    );
  }
  const [command, ...rest] = guarded(path, args, options);
  const child = spawn(command, rest, {
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
  let stopped: ProcessEnd | null = null;
  const stop = (why: ProcessEnd) => {
    stopped ??= why;
    kill();
  };
  const timer = setTimeout(() => stop('deadline'), options.deadline * 1000);
  options.signal.addEventListener('abort', kill, { once: true });

  const tail: string[] = [];
  readLines(child.stderr, (line) => {
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
    else stop('output');
  });
  // A program that ends before it has read all is no error of this pipe's: its exit tells.
  pipeline(options.stdin ?? Readable.from([]), child.stdin, () => {});
  const settle = () => {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', kill);
  };
  child.on('error', (error) => {
    settle();
    reject(notStarted(program, error));
  });
  const close = (code: number | null, signal: NodeJS.Signals | null) => {
    settle();
    const stderrTail = withoutPaths(tail.join('\n'));
    if (options.signal.aborted) reject(options.signal.reason as Error);
    else if (refused !== null) reject(refused as Error);
    else if (stopped === 'deadline') {
      const after = `stopped after ${Math.round(options.deadline)} seconds`;
      reject(new ProcessError(program, null, after, stopped));
    } else if (stopped) reject(new ProcessError(program, null, '', stopped));
    else {
      const end = endOf(code, signal, stderrTail);
      if (end === null) {
        resolve({ stdout: Buffer.concat(pieces).toString('utf8'), stderrTail });
      } else reject(new ProcessError(program, end === 'killed' ? null : code, stderrTail, end));
    }
  };
  child.on('close', (code, signal) => void taken.then(() => close(code, signal)));
  return promise;
}
