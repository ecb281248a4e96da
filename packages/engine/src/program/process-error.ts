/**
 * The kind of failure of a program. `failed`: it ended with an exit code. `killed`: a signal from
 * outside ended it (often the kernel, when memory is short). `crashed`: a signal that it caused
 * itself. The other values are limits.
 */
export type ProcessEnd =
  | 'failed'
  | 'killed'
  | 'crashed'
  | 'deadline'
  | 'cpu'
  | 'memory'
  | 'file-size'
  | 'output'
  | 'disk-full';

/**
 * A program failed. `message` contains the last lines of its log, with paths shortened to file
 * names.
 */
export class ProcessError extends Error {
  readonly end: ProcessEnd;
  /** Null if it was stopped. */
  readonly exitCode: number | null;
  readonly stderrTail: string;

  constructor(
    program: string,
    exitCode: number | null,
    stderrTail: string,
    end: ProcessEnd = exitCode === null ? 'killed' : 'failed',
  ) {
    const last = stderrTail.trim().split('\n').slice(-4).join(' | ');
    const how = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
    super(`${program} ${how}${meanings[end]}${last ? `: ${last}` : ''}`);
    this.name = 'ProcessError';
    this.end = end;
    this.exitCode = exitCode;
    this.stderrTail = stderrTail;
  }
}

const meanings: Readonly<Record<ProcessEnd, string>> = {
  failed: '',
  killed: ' by a signal from outside',
  crashed: ' because it crashed',
  deadline: ' because it took too long',
  cpu: ' because it used more processor time than it may',
  memory: ' because it needed more memory than it may use',
  'file-size': ' because it wrote a larger file than it may',
  output: ' because its output was too long',
  'disk-full': ' because the disk is full',
};

const crashes: ReadonlySet<string> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGSYS',
]);

const fullDisk = /^\S.*(?:no space left on device|disk quota exceeded)\s*$/i;
const fileTooLarge = /^\S.*file too large/i;
const noMemory =
  /^\S.*(?:cannot allocate memory|could not allocate memory|insufficient memory|out of memory|bad_alloc|malloc of size \d+ failed|failed to map segment)/i;
const receivedSignal = /^\S.*received signal (\d+)/;

/**
 * Explains the end of a program, from its exit code, its signal (null: none) and its last log
 * lines; null for success. ffmpeg can exit with 0 when only the last bytes did not fit on the disk.
 * Indented lines are ignored: they contain text from the file (its title, for example), which
 * anyone can write.
 */
export function explainEnd(
  code: number | null,
  signal: string | null,
  said: string,
): ProcessEnd | null {
  // Test line by line: in a regular expression U+2028 also ends a line, and a title can contain it.
  const lines = said.split('\n');
  const says = (pattern: RegExp) => lines.some((line) => pattern.test(line));
  if (says(fullDisk)) return 'disk-full';
  if (code === 0) return null;
  const received = lines.map((line) => receivedSignal.exec(line)?.[1]).find(Boolean);
  if (signal === 'SIGXCPU' || received === '24') return 'cpu';
  if (signal === 'SIGXFSZ' || says(fileTooLarge)) return 'file-size';
  if (says(noMemory)) return 'memory';
  if (signal !== null && crashes.has(signal)) return 'crashed';
  return signal !== null || received !== undefined ? 'killed' : 'failed';
}

const lacks =
  /^(?:\[[^\]]+\] )?((?:Unrecognized option|No such filter:|Unknown encoder) '[\w:./-]+')/;

/**
 * The part that a program does not have, in its own words; null if the log names none. It is a
 * fault of the installation, never of the file.
 */
export function findLack(said: string): string | null {
  for (const line of said.split('\n')) {
    const found = lacks.exec(line)?.[1];
    if (found) return `${found}.`;
  }
  return null;
}

/** Whether the input or the work caused the error, so that a retry would fail in the same way. */
export const isOfTheInput = ({ end }: ProcessError): boolean =>
  end !== 'killed' && end !== 'disk-full';

/** A program cannot be started. `message` says what to install or to free. */
export class ProgramError extends Error {
  override name = 'ProgramError';
}

/** A problem of the machine, not of the request or the video. `message` is for a person. */
export interface MachineFault {
  code: 'disk-full' | 'disk-failing' | 'network-down' | 'program-missing' | 'program-killed';
  message: string;
  /** Whether the same work may succeed later. */
  transient: boolean;
}

/** Error codes of Node. EFBIG: this process itself has a file size limit. */
const diskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const diskFull: MachineFault = {
  code: 'disk-full',
  message: 'The disk of the service is full. Ask its operator to free some space, then try again.',
  transient: false,
};

const isDiskFull = (error: Error): boolean =>
  diskCodes.has((error as NodeJS.ErrnoException).code) ||
  (error instanceof ProcessError && error.end === 'disk-full');

/** Error codes of Node for a disk that is mounted read-only, or that has a defect. */
const failingCodes: ReadonlySet<unknown> = new Set(['EROFS', 'EIO']);

export const diskFailing: MachineFault = {
  code: 'disk-failing',
  message: 'The service cannot write to its disk. Ask its operator to check it, then try again.',
  transient: false,
};

/** A program cannot write its output. */
const isDiskFailing = (error: Error): boolean =>
  failingCodes.has((error as NodeJS.ErrnoException).code) ||
  (error instanceof ProcessError && /^\S.*read-only file system\s*$/im.test(error.stderrTail));

export const networkDown: MachineFault = {
  code: 'network-down',
  message: 'The service has no network at the moment. Try again later.',
  transient: false,
};

/** This machine has no route to any other network. */
export class NetworkDown extends Error {
  override name = 'NetworkDown';
}

/**
 * Finds a problem of the machine in an error or its causes.
 * @returns null if it is not one
 */
export function findMachineFault(error: unknown): MachineFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (isDiskFull(at)) return diskFull;
    if (isDiskFailing(at)) return diskFailing;
    if (at instanceof NetworkDown) return networkDown;
    if (at instanceof ProgramError) {
      return {
        code: 'program-missing',
        message: 'A program that the service needs is missing. Ask its operator to check the log.',
        transient: false,
      };
    }
    if (at instanceof ProcessError && at.end === 'killed') {
      return {
        code: 'program-killed',
        message:
          'A program of the service was stopped by the machine, probably because it is short of memory. Try again later.',
        transient: true,
      };
    }
  }
  return null;
}
