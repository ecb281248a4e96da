import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program to start. */
export interface ProgramCall {
  /** The path of the program. */
  command: string;
  args: readonly string[];
  options: { cwd?: string; env: Record<string, string> };
}

/** The end of a program: its exit code, or the signal that ended it. */
export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running program, the leader of a process group. */
export interface StartedProgram {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the program has ended and its output was read. */
  ended: Promise<ProgramExit>;
}

let helper: ProgramHelper | null = null;

/**
 * Has programs started by a small process from now on. To start one, Linux copies the tables of all
 * memory of the process that starts it, which stands still meanwhile: 100 ms with 1 GB.
 */
export function startProgramsByHelper(): void {
  if (process.platform === 'linux') helper ??= new ProgramHelper();
}

/**
 * Starts a program in a process group of its own.
 * @throws the error of the system if it cannot be started
 */
export const startProgram = (call: ProgramCall): Promise<StartedProgram> =>
  helper ? helper.start(call) : startHere(call);

async function startHere({ command, args, options }: ProgramCall): Promise<StartedProgram> {
  const child = spawn(command, args, {
    ...options,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<ProgramExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw (await once(child, 'error'))[0];
  return { pid, stdin, stdout, stderr, ended };
}

/**
 * Starts a script of this package as a process of its own, which is sent messages. It must end at
 * the event `disconnect`: it outlives the signals that stop this process in an orderly way.
 */
export const startScript = (script: URL, args: readonly string[] = []): ChildProcess =>
  fork(script, [...args], {
    detached: true,
    execArgv: [],
    // It needs no variable, and secrets are among them.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** A message of the helper about a program. */
type Answer = { id: string } & ({ pid: number } | { failed?: string } | { end: ProgramExit });

/** A program that the helper starts, or has started. */
class HelpedProgram {
  /** Not to be guessed: who names it at the socket gets its input. */
  readonly id = randomUUID();
  readonly streams = [0, 1, 2].map(() => Promise.withResolvers<Socket>());
  readonly #started = Promise.withResolvers<number>();
  readonly #exit = Promise.withResolvers<ProgramExit>();
  /** While it runs. */
  #pid: number | null = null;

  async running(): Promise<StartedProgram> {
    const opened = Promise.all(this.streams.map(({ promise }) => promise));
    try {
      const pid = await this.#started.promise;
      const [stdin, stdout, stderr] = (await opened) as [Socket, Socket, Socket];
      const closed = [stdout, stderr].map((stream) => {
        stream.end();
        return stream.closed || new Promise((resolve) => stream.once('close', resolve));
      });
      const ended = Promise.all([this.#exit.promise, ...closed]).then(([exit]) => {
        stdin.destroy();
        return exit;
      });
      return { pid, stdin, stdout, stderr, ended };
    } catch (error) {
      void opened.then((streams) => streams.forEach((stream) => stream.destroy()));
      throw error;
    }
  }

  take(answer: Answer): void {
    if ('pid' in answer) {
      this.#pid = answer.pid;
      this.#started.resolve(answer.pid);
    } else if ('end' in answer) {
      this.#pid = null;
      this.#exit.resolve(answer.end);
    } else this.lose(answer.failed);
  }

  /** The program could not be started, or has lost the helper. */
  lose(code: string | undefined): void {
    this.#started.reject(Object.assign(new Error('The program was not started.'), { code }));
    this.#exit.resolve({ code: null, signal: 'SIGKILL' });
    try {
      // Where nothing has it end with the process that started it.
      if (this.#pid !== null) process.kill(-this.#pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

/** Starts programs by a process of its own, which is started again if it has ended. */
class ProgramHelper {
  readonly #programs = new Map<string, HelpedProgram>();
  #name: Promise<string> | null = null;
  #process: Promise<ChildProcess> | null = null;

  async start(call: ProgramCall): Promise<StartedProgram> {
    const program = new HelpedProgram();
    this.#programs.set(program.id, program);
    const child = await (this.#process ??= this.#open());
    child.channel?.ref();
    const release = (): void => {
      this.#programs.delete(program.id);
      if (this.#programs.size === 0) child.channel?.unref();
    };
    child.send({ id: program.id, ...call }, (error) => error && program.lose('EPIPE'));
    try {
      const running = await program.running();
      void running.ended.then(release);
      return running;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #open(): Promise<ChildProcess> {
    const name = await (this.#name ??= this.#listen());
    const path = fileURLToPath(new URL('program-helper.mjs', import.meta.url));
    const child = spawn(process.execPath, [path, name], {
      // It outlives the signals that stop this process in an orderly way.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {},
    });
    const lose = (code: string | undefined): void => {
      this.#process = null;
      for (const program of this.#programs.values()) program.lose(code);
    };
    child.once('error', ({ code }: NodeJS.ErrnoException) => lose(code));
    child.once('disconnect', () => lose('EPIPE'));
    child.on('message', (answer: Answer) => this.#programs.get(answer.id)?.take(answer));
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** Receives the streams of programs; each begins with the program's id and its number. */
  async #listen(): Promise<string> {
    // A program may end before its input is written.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.setTimeout(10_000, () => socket.destroy());
      const read = (): void => {
        const first = (socket.read(37) as Buffer | null)?.toString('latin1');
        if (first === undefined) return;
        socket.off('readable', read);
        socket.setTimeout(0);
        const stream = this.#programs.get(first.slice(0, -1))?.streams[Number(first.at(-1))];
        if (stream) stream.resolve(socket);
        else socket.destroy();
      };
      socket.on('readable', read);
    });
    // In the abstract namespace: no file stays behind.
    const name = `clip-programs-${randomUUID()}`;
    server.listen(`\0${name}`);
    await once(server, 'listening');
    server.unref();
    return name;
  }
}
