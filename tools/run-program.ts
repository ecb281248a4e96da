import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** Returns a signal that is aborted when this process is interrupted. */
export function watchInterruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Runs a program to its end, and returns its output. */
export async function runProgram(
  [command = '', ...args]: readonly string[],
  { signal, ...how }: RunOptions,
): Promise<Ended> {
  const child = spawn(command, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): unknown => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', end);
  return { code, output };
}
