import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LogEntry } from '../../src/config/config.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as its own process. */
export interface ChildService {
  process: ChildProcess;
  /** Empty for a worker. */
  url: string;
  /** The key if it was made now. */
  apiKey: string | null;
  /** The entries of its log so far. */
  log(): LogEntry[];
  /** Ends the process by the signal and gives its exit code; null where the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>;
}

const { PATH = '', NODE_COMPILE_CACHE } = process.env;
const shared = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

function launch(environment: Record<string, string>, program = main) {
  const child = spawn(process.execPath, [program], {
    env: { ...shared, PORT: '0', FACES: 'off', SPEECH_MODEL: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  return { child, output };
}

/** All lines that a process has written so far: each is an entry of the log. */
const entriesOf = (output: string): LogEntry[] =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogEntry);

/** Starts the service (or another program that logs the same) and waits until it has started. */
export async function startChild(
  environment: Record<string, string>,
  program?: string,
): Promise<ChildService> {
  const { child, output } = launch(environment, program);
  const exit = once(child, 'exit');
  const log = (): LogEntry[] => entriesOf(output.out);
  const entry = (event: string) => log().find((one) => one.event === event);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => entry('started') && resolve());
    child.once('exit', () => reject(new Error(`The service ended: ${output.out}${output.err}`)));
  });
  const keyFile = entry('api-key-made')?.['path'];
  return {
    process: child,
    url: String(entry('started')?.['url'] ?? ''),
    apiKey: keyFile === undefined ? null : (await readFile(String(keyFile), 'utf8')).trim(),
    log,
    async end(signal) {
      child.kill(signal);
      return (await exit)[0] as number | null;
    },
  };
}

/** Calls a running service as an API client; the client holds its requests, as the kit does. */
export async function callChild(
  service: ChildService,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`${service.url}/v2${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      Prefer: 'wait=25',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Runs the service where it is expected to refuse: gives the exit code and what it said. */
export async function refusedStart(
  environment: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const { child, output } = launch(environment);
  const [code] = await once(child, 'close');
  const last = entriesOf(output.out).at(-1);
  return { code, said: String(last?.['message']) };
}

/**
 * Processes (other than this one's) that have the text in their arguments. Linux only; empty
 * elsewhere.
 */
export function processesWith(text: string): string[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .flatMap((name) => {
        try {
          const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
          return line.includes(text) ? [line] : [];
        } catch {
          return [];
        }
      });
  } catch {
    return [];
  }
}
