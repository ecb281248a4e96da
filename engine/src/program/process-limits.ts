import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** What a program may use at the most; the operating system holds it to that. */
export interface ProcessLimits {
  /** Address space in bytes, which is more than the memory that is really touched. */
  memoryBytes: number;
  /** Processor time of all threads, in seconds. */
  cpuSeconds: number;
  /** Size of each file that it writes, in bytes. */
  fileBytes: number;
  openFiles: number;
}

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

/**
 * Address space for one program where nothing else is said, in bytes. Threads take most of it: measured were 1.5 GB for an
 * encode of 4K with two processors, and 9.2 GB with 64 threads in decoder and encoder each.
 */
export const usualMemoryBytes = (processors: number): number =>
  4 * gibibyte + processors * 512 * mebibyte;

let memoryBytes: number | null = null;

/** Sets the address space of the programs that this process starts from now on; null: the usual one. */
export const setProgramMemory = (bytes: number | null): void => {
  memoryBytes = bytes;
};

/** The limits of a program that has `deadline` seconds: it could not use more processor time than that on each processor. */
export function limitsFor(deadline: number, more: Partial<ProcessLimits> = {}): ProcessLimits {
  const processors = availableParallelism();
  const usual = memoryBytes ?? usualMemoryBytes(processors);
  return {
    cpuSeconds: Math.ceil(deadline * processors) + 10,
    fileBytes: 32 * gibibyte,
    openFiles: 256,
    ...more,
    // A program that needs less than others may have still less where the operator says so.
    memoryBytes: Math.min(usual, more.memoryBytes ?? Infinity),
  };
}

/** The hard limits in the text of `/proc/self/limits`; those that are unlimited are left out. */
export function hardLimits(text: string): Partial<ProcessLimits> {
  const hard = (name: string): number | undefined => {
    const value = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const found = {
    memoryBytes: hard('Max address space'),
    cpuSeconds: hard('Max cpu time'),
    fileBytes: hard('Max file size'),
    openFiles: hard('Max open files'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The hard limits that this process itself is under; none where they cannot be read. */
export function ownHardLimits(): Partial<ProcessLimits> {
  try {
    return hardLimits(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Options of util-linux's `prlimit`. `hard` are the limits that the service itself is under: a lower one stays, as asking for
 * more is refused. Five seconds after the first signal (SIGXCPU) the kernel ends what goes on.
 */
export function limitOptions(limits: ProcessLimits, hard: Partial<ProcessLimits>): string[] {
  const within = (name: keyof ProcessLimits, value: number) =>
    Math.min(value, hard[name] ?? Infinity);
  const cpu = within('cpuSeconds', limits.cpuSeconds);
  return [
    `--as=${within('memoryBytes', limits.memoryBytes)}`,
    `--cpu=${cpu}:${within('cpuSeconds', cpu + 5)}`,
    `--fsize=${within('fileBytes', limits.fileBytes)}`,
    `--nofile=${within('openFiles', limits.openFiles)}`,
    '--core=0',
  ];
}
