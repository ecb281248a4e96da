import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A server in a separate process. */
export interface Program {
  readonly url: string;
  /** Its whole output. */
  said(): string;
  /** Asks it to end (`SIGTERM`), and returns its exit code. */
  terminate(): Promise<number | null>;
  /** Ends it, with everything that it has started. */
  stop(): Promise<void>;
}

/** Resolves when something listens on the port; rejects if the program ends first. */
async function listening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${said()}`);
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts a server that listens on `port` of loopback, passed in `PORT`; resolves when it does. */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  { port, env, cwd }: { port: number; env: Readonly<Record<string, string>>; cwd?: string },
): Promise<Program> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    ...(cwd ? { cwd } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that everything that its launcher starts can be ended.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const said = () => output;
  await new Promise((resolve, reject) =>
    child.on('spawn', () => resolve(null)).on('error', reject),
  );
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const terminate = async () => {
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  const stop = async () => {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  };
  try {
    await listening(child, port, said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, said, terminate, stop };
}
