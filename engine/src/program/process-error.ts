/**
 * How a program came to a bad end. `failed`: by itself, with an exit code. `killed`: by a signal from elsewhere (the kernel
 * short of memory is one who does that). `crashed`: by a signal of its own making. The others are limits.
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

/** A program that ended badly. `message` holds the end of what it said, with paths cut to file names. */
export class ProcessError extends Error {
  readonly end: ProcessEnd;
  /** Null where it was stopped. */
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
  crashed: ' as it crashed',
  deadline: ' as it took too long',
  cpu: ' as it used more processor time than it may',
  memory: ' for want of memory: it may use no more',
  'file-size': ' as it wrote a larger file than it may',
  output: ' as it said more than is read',
  'disk-full': ' as the disk is full',
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
  /^\S.*(?:cannot allocate memory|could not allocate memory|out of memory|bad_alloc|malloc of size \d+ failed|failed to map segment)/i;
const receivedSignal = /^\S.*received signal (\d+)/;

/**
 * The end of a program by its exit code, the signal that ended it (null: none) and the lines that it said last; null for a good one.
 * ffmpeg ends with 0 where the disk was full for the last bytes alone. Lines that are set in are not its own: they hold the
 * file's words (its title, say), which anyone can write.
 */
export function endOf(code: number | null, signal: string | null, said: string): ProcessEnd | null {
  // Line by line: for a regular expression lines end at U+2028 as well, which a title may hold.
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

/** Whether the input or the work itself is to blame, and the same again would end in the same way. */
export const isOfTheInput = ({ end }: ProcessError): boolean =>
  end !== 'killed' && end !== 'disk-full';

/** A program that cannot be started; `message` says what to install or to free. */
export class ProgramError extends Error {
  override name = 'ProgramError';
}
