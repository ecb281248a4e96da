import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readJsonLines, run } from './ffmpeg-process.ts';
import { ProcessError } from './process-error.ts';

/** Further files wait for their turn. */
const maxReaders = 2;
const maxHeapMb = 512;
/** With the memory of WebAssembly, and of Node itself. */
const dataBytes = 1024 ** 3;
/** 16 MB of subtitles take six. The deadline is longer: other programs may use the processor. */
const cpuSeconds = 20;
const deadlineSeconds = 60;

let readers = 0;
const waiting: (() => void)[] = [];

/** A script that reads an untrusted file. */
export interface FileReading {
  /** Writes each answer as a line of JSON. */
  script: URL;
  args: string[];
  /** The standard input of the script; empty if omitted. */
  input?: Uint8Array | string;
  signal: AbortSignal;
}

/**
 * Reads a file in a Node process of its own, at low priority: it may take long, need much memory,
 * or end the code that reads it. A thread is not enough: one allocation beyond its limit of memory
 * ends the whole process. Returns the script's answers.
 * @throws {@link ProcessError} if the file is too much work, or the signal's reason
 */
export async function readInProcess(reading: FileReading): Promise<unknown[]> {
  while (readers >= maxReaders) await new Promise<void>((resolve) => waiting.push(resolve));
  readers += 1;
  try {
    return await runTwice(reading);
  } finally {
    readers -= 1;
    waiting.shift()?.();
  }
}

/**
 * The kernel kills what needs memory, perhaps because of others: there is a second try. Killed
 * again, the file is too much work.
 */
async function runTwice(reading: FileReading): Promise<unknown[]> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await runScript(reading);
    } catch (error) {
      if (!(error instanceof ProcessError) || error.end !== 'killed') throw error;
      if (isAgain) throw new ProcessError(process.execPath, null, error.stderrTail, 'memory');
    }
  }
}

async function runScript({ script, args, input, signal }: FileReading): Promise<unknown[]> {
  const answers: unknown[] = [];
  const command = [`--max-old-space-size=${maxHeapMb}`, fileURLToPath(script), ...args];
  await run(process.execPath, command, {
    signal,
    deadlineSeconds,
    limits: { cpuSeconds, dataBytes },
    ...(input !== undefined && { stdin: Readable.from([input]) }),
    onStdout: readJsonLines((answer) => answers.push(answer)),
  });
  return answers;
}
