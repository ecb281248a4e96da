import { channel } from 'node:diagnostics_channel';
import { accessSync, constants } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import {
  explainEnd,
  findLack,
  type ProcessEnd,
  ProcessError,
  ProgramError,
} from './process-error.ts';
import {
  limitOptions,
  makeLimits,
  getOwnHardLimits,
  type ProcessLimits,
} from './process-limits.ts';
import { startProgram } from './start-program.ts';
import { isUrgent } from './urgency.ts';

export { ProcessError };

export interface RunOptions {
  signal: AbortSignal;
  /** Maximum running time in seconds. */
  deadlineSeconds: number;
  /** Limits that replace those of `makeLimits`. */
  limits?: Partial<ProcessLimits>;
  cwd?: string;
  /**
   * Priority of the program: a higher number gives way to a lower one. Without effect on what a
   * person waits for (`runUrgently`): that is 0.
   * @default 10
   */
  niceness?: number;
  onStderrLine?: (line: string) => void;
  /** Standard input of the program; empty if omitted. */
  stdin?: Readable;
  /**
   * Receives the output in chunks, one after the other; if omitted, the output is collected. While
   * a returned promise is pending, the program waits. If it rejects, the program is killed and
   * `run` rejects with the same error.
   */
  onStdout?: (chunk: Buffer) => void | Promise<void>;
}

export interface RunResult {
  /** Empty if `onStdout` received the output. */
  stdout: string;
  stderrTail: string;
}

const maxTailLines = 40;
const maxOutputBytes = 64 * 1024 * 1024;

const foundPrograms = new Map<string, string>();

/**
 * The full path of a program in PATH (or of one that is named by its path), or null. Only found
 * programs are cached: a missing one may be installed while this process runs.
 */
export function findProgram(name: string): string | null {
  const known = foundPrograms.get(name);
  if (known !== undefined) return known;
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const place of isAbsolute(name) ? [name] : places.map((one) => join(one, name))) {
    try {
      accessSync(place, constants.X_OK);
      foundPrograms.set(name, place);
      return place;
    } catch {
      // Not here: try the next directory.
    }
  }
  return null;
}

/**
 * Shortens absolute paths to file names, so that a message does not show the layout of the machine.
 */
export const withoutPaths = (text: string): string =>
  text.replace(/(?:file:)?\/(?:[^\s/:'",;|]+\/)+([^\s/:'",;|]*)/g, '$1');

const usualNiceness = 10;

/**
 * Has a program of lower priority than others give way to them. Each is a session of its own, and
 * where Linux shares processors between sessions first, a niceness counts only within one. A system
 * that does not is as good without.
 */
async function lowerSession(pid: number, niceness: number): Promise<void> {
  if (niceness <= usualNiceness) return;
  await writeFile(`/proc/${pid}/autogroup`, String(niceness - usualNiceness)).catch(() => {});
}

const getNiceness = ({ niceness = usualNiceness }: RunOptions): number =>
  isUrgent() ? 0 : niceness;

/** Adds wrappers if they are installed: die with the service, resource limits, low priority. */
function guardCommand(path: string, args: readonly string[], options: RunOptions): string[] {
  const linux = process.platform === 'linux';
  const setpriv = linux ? findProgram('setpriv') : null;
  const prlimit = linux ? findProgram('prlimit') : null;
  const nice = findProgram('nice');
  const limits = makeLimits(options.deadlineSeconds, options.limits);
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
    ...(nice ? [nice, '-n', String(getNiceness(options))] : []),
    ...(prlimit ? [prlimit, ...limitOptions(limits, getOwnHardLimits()), '--'] : []),
    path,
    ...args,
  ];
}

function makeStartError(
  program: string,
  { code = 'unknown reason' }: NodeJS.ErrnoException,
): Error {
  return new ProgramError(
    `${program} could not be started (${code}). Check that it is installed and executable, and that the machine has free memory and processes.`,
  );
}

/** Characters of an unfinished line that are retained. */
const maxLineCharacters = 64 * 1024;

/**
 * Splits at line feeds and carriage returns only. Node's own reader also splits at U+2028, so a
 * title in the file could look like a line of the program.
 */
function readLines(input: Readable, onLine: (line: string) => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? '').slice(-maxLineCharacters);
    lines.forEach(onLine);
  });
  input.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path) return path;
  throw new ProgramError(`${name} is not installed on this machine. Install it and try again.`);
}

function startGuarded(path: string, args: readonly string[], options: RunOptions) {
  const [command = path, ...rest] = guardCommand(path, args, options);
  return startProgram({
    command,
    args: rest,
    options: {
      ...(options.cwd && { cwd: options.cwd }),
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LC_ALL: 'C.UTF-8' },
    },
  });
}

/** Kills a program and all that it has started. */
function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** Notifies the tracer of each program that has ended, and after how many milliseconds. */
const ended = channel('clip-engine:program');

/**
 * Runs a program at low priority, in its own process group, within limits of memory, processor time
 * and file size (if `prlimit` is installed). It is killed when this process ends (if `setpriv` is
 * installed), when the signal aborts and at the deadline.
 * Throws the signal's reason, {@link ProcessError} if the program fails, or {@link ProgramError} if
 * it cannot be started.
 */
export async function run(
  program: string,
  args: string[],
  options: RunOptions,
): Promise<RunResult> {
  options.signal.throwIfAborted();
  const command = requireProgram(program);
  const began = performance.now();
  const settle = () => {
    if (ended.hasSubscribers) ended.publish({ program, ms: performance.now() - began });
  };
  const child = await startGuarded(command, args, options).catch((error: unknown) => {
    settle();
    throw makeStartError(program, error as NodeJS.ErrnoException);
  });

  void lowerSession(child.pid, getNiceness(options));
  const kill = () => killGroup(child.pid);
  let stopped: ProcessEnd | null = null;
  const stop = (why: ProcessEnd) => {
    stopped ??= why;
    kill();
  };
  const timer = setTimeout(() => stop('deadline'), options.deadlineSeconds * 1000);
  options.signal.addEventListener('abort', kill, { once: true });
  // It may have been aborted meanwhile.
  if (options.signal.aborted) kill();

  const tail: string[] = [];
  readLines(child.stderr, (line) => {
    tail.push(line.slice(0, 500));
    if (tail.length > maxTailLines) tail.shift();
    options.onStderrLine?.(line);
  });
  const output = readOutput(child.stdout, options.onStdout, stop, kill);
  // A program may end before it has read everything. Its exit code shows if that is an error.
  pipeline(options.stdin ?? Readable.from([]), child.stdin, () => {});
  const { code, signal } = await child.ended;
  await output.taken();
  settle();
  clearTimeout(timer);
  options.signal.removeEventListener('abort', kill);
  const stderrTail = withoutPaths(tail.join('\n'));
  options.signal.throwIfAborted();
  if (output.refusal !== null) throw output.refusal as Error;
  if (stopped === 'deadline') {
    const after = `stopped after ${Math.round(options.deadlineSeconds)} seconds`;
    throw new ProcessError(program, null, after, stopped);
  }
  if (stopped) throw new ProcessError(program, null, '', stopped);
  const end = explainEnd(code, signal, stderrTail);
  if (end === null) return { stdout: output.text(), stderrTail };
  throw makeFailure(program, { end, code: end === 'killed' ? null : code, stderrTail });
}

/** Returns an `onStdout` for a program that writes lines of JSON, which passes on their values. */
export function readJsonLines(onValue: (value: unknown) => void): (chunk: Buffer) => Promise<void> {
  let parts: Buffer[] = [];
  return async (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.subarray(start, end));
      onValue(JSON.parse(Buffer.concat(parts).toString()));
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  };
}

/** Returns the error of a program that has failed and was not stopped. */
function makeFailure(
  program: string,
  { end, code, stderrTail }: { end: ProcessEnd; code: number | null; stderrTail: string },
): Error {
  const lack = findLack(stderrTail);
  if (lack === null) return new ProcessError(program, code, stderrTail, end);
  return new ProgramError(
    `The installed ${program} is too old, too new or incomplete: ${lack} Install another build of it and try again.`,
  );
}

/**
 * Reads a program's output: gathers it, or gives it to `onStdout` chunk by chunk, and the program
 * waits for each. `stop`: called when it is too long. `kill`: called when `onStdout` fails.
 */
function readOutput(
  stdout: Readable,
  onStdout: RunOptions['onStdout'],
  stop: (why: ProcessEnd) => void,
  kill: () => void,
) {
  const chunks: Buffer[] = [];
  let gathered = 0;
  let taken: Promise<void> = Promise.resolve();
  /** Chunks that are not taken yet. */
  let open = 0;
  let refusal: unknown = null;
  stdout.on('data', (chunk: Buffer) => {
    if (!onStdout) {
      if ((gathered += chunk.length) <= maxOutputBytes) chunks.push(chunk);
      else stop('output');
      return;
    }
    // Node resumes the output when the program ends: what comes then waits for its turn.
    const taking =
      open > 0
        ? taken.then(() => (refusal === null ? onStdout(chunk) : undefined))
        : onStdout(chunk);
    if (!taking) return;
    open += 1;
    stdout.pause();
    taken = taking
      .catch((error: unknown) => {
        refusal ??= error;
        kill();
      })
      .then(() => {
        open -= 1;
        if (open === 0) stdout.resume();
      });
  });
  return {
    taken: () => taken,
    text: () => Buffer.concat(chunks).toString('utf8'),
    get refusal(): unknown {
      return refusal;
    },
  };
}

/**
 * The text of an error for logs and messages, without paths: they would show names that must stay
 * private.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return withoutPaths(String(error));
  // The messages of file system errors contain the path.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined
    ? `${code} (${syscall})`
    : withoutPaths(error.message);
}

/** Seconds of output from a line of `-progress`; null for any other line. */
export function readProgressSeconds(line: string): number | null {
  const match = /^out_time_(?:us|ms)=(\d+)/m.exec(line);
  return match ? Number(match[1]) / 1e6 : null;
}

/** Moves a finished file to its place, on the same disk: it is there whole, or not at all. */
export async function placeFile(part: string, output: string): Promise<void> {
  const file = await open(part, 'r+');
  await file.sync().finally(() => file.close());
  await rename(part, output);
}
