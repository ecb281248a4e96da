import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The resources that a program may use. The operating system enforces them. */
export interface ProcessLimits {
  /** Address space in bytes. This is more than the memory that is really used. */
  memoryBytes: number;
  /**
   * Memory that it can write, in bytes, instead of its address space: Node reserves 10 GB of
   * addresses for each memory of WebAssembly.
   */
  dataBytes?: number;
  /** Processor time of all threads, in seconds. */
  cpuSeconds: number;
  /** Maximum size of each file that it writes, in bytes. */
  fileBytes: number;
  openFiles: number;
}

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

/**
 * Default address space for one program, in bytes. Threads take most of it: an encode of 4K used
 * 1.5 GB with two processors, and 9.2 GB with 64 threads each in decoder and encoder.
 */
export const getUsualMemoryBytes = (processors: number): number =>
  4 * gibibyte + processors * 512 * mebibyte;

let memoryBytes: number | null = null;

/**
 * Sets the maximum address space, in bytes, of all programs that this process starts from now on.
 * @param bytes null restores the default: 4 GiB, and 512 MiB for each processor
 */
export function setProgramMemory(bytes: number | null): void {
  memoryBytes = bytes;
}

/**
 * The limits of a program that may run for `deadlineSeconds`. It cannot use more processor time
 * than that on each processor.
 */
export function makeLimits(
  deadlineSeconds: number,
  more: Partial<ProcessLimits> = {},
): ProcessLimits {
  const processors = availableParallelism();
  const usual = memoryBytes ?? getUsualMemoryBytes(processors);
  return {
    cpuSeconds: Math.ceil(deadlineSeconds * processors) + 10,
    fileBytes: 32 * gibibyte,
    openFiles: 256,
    ...more,
    memoryBytes: Math.min(usual, more.memoryBytes ?? Infinity),
  };
}

/** The hard limits in the text of `/proc/self/limits`. Unlimited ones are omitted. */
export function readHardLimits(text: string): Partial<ProcessLimits> {
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

/** The hard limits of this process; none if they cannot be read. */
export function getOwnHardLimits(): Partial<ProcessLimits> {
  try {
    return readHardLimits(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Options of util-linux's `prlimit`. `hard` are the limits of the service itself: a lower one
 * stays, because a process may not raise it. Five seconds after the first signal (SIGXCPU) the
 * kernel kills the program.
 */
export function limitOptions(limits: ProcessLimits, hard: Partial<ProcessLimits>): string[] {
  const within = (name: keyof ProcessLimits, value: number) =>
    Math.min(value, hard[name] ?? Infinity);
  const cpu = within('cpuSeconds', limits.cpuSeconds);
  return [
    limits.dataBytes === undefined
      ? `--as=${within('memoryBytes', limits.memoryBytes)}`
      : `--data=${limits.dataBytes}`,
    `--cpu=${cpu}:${within('cpuSeconds', cpu + 5)}`,
    `--fsize=${within('fileBytes', limits.fileBytes)}`,
    `--nofile=${within('openFiles', limits.openFiles)}`,
    '--core=0',
  ];
}

/** Priority of analysing a clip: it gives way to the render of another clip. */
export const analysisNiceness = 12;
