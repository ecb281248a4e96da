import { spawn } from 'node:child_process';
import { treeSeconds } from './process-tree.ts';
import { stallWatch, usualLimits, type StallLimits } from './stall.ts';

export interface WatchedCommand {
  /** In addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command. */
  readonly signal: AbortSignal;
  /** Receives the output as it is written. */
  readonly say: (text: string) => void;
  readonly limits?: StallLimits;
}

export interface EndedCommand {
  readonly code: number;
  readonly output: string;
}

/** Between two looks, and between asking a command to end and killing it. */
const lookMs = 5000;

/**
 * Runs a command until it ends or makes no progress. In the second case it fails, and its output
 * says so.
 */
export const runWatched = (
  [command = '', ...args]: readonly string[],
  { env, signal, say, limits = usualLimits }: WatchedCommand,
): Promise<EndedCommand> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that all of it can be ended.
      detached: process.platform !== 'win32',
    });
    let output = '';
    const onOutput = (text: string): void => {
      output += text;
      say(text);
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', onOutput);
    const kill = (how: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, how);
      } catch {
        // All of it has already ended.
      }
    };
    let ending: NodeJS.Timeout | undefined;
    const end = (): void => {
      // The runner of the elements ends its browser only on this signal.
      kill('SIGINT');
      ending ??= setTimeout(() => kill('SIGKILL'), 2 * lookMs);
    };
    signal.addEventListener('abort', end);
    const see = () => ({
      now: performance.now(),
      said: output.length,
      seconds: child.pid === undefined ? 0 : treeSeconds(child.pid),
    });
    const hasStopped = stallWatch(limits, see());
    const looking = setInterval(
      () => {
        if (ending || !hasStopped(see())) return;
        const { silentMs, busySeconds, busySilentMs } = limits;
        onOutput(
          `\nStopped: it printed nothing for ${silentMs / 1000} s while it used less than ${busySeconds} s of processor time, or for ${busySilentMs / 1000} s.\n`,
        );
        end();
      },
      Math.min(lookMs, limits.silentMs),
    );
    const ended = (code: number): void => {
      clearInterval(looking);
      clearTimeout(ending);
      signal.removeEventListener('abort', end);
      resolve({ code: ending ? code || 1 : code, output });
    };
    child.on('error', (error) => {
      onOutput(`${error.message}\n`);
      ended(1);
    });
    child.on('close', (code) => ended(code ?? 1));
  });
