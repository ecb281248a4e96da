import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';

export interface HostProcessOptions {
  readonly store: {
    readonly kind: 'sqlite' | 'postgres' | 'redis';
    /** A file's path or a server's URL. */
    readonly address: string;
    /** Separates the data of one test on a server. */
    readonly name: string;
  };
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The store never writes the result of the start. */
  readonly neverWrites?: boolean;
}

export interface Asked {
  readonly user: string;
  readonly key?: string;
  readonly body?: object;
}

export interface Call extends Asked {
  readonly id: number;
  readonly method: string;
  readonly path: string;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export type HostMessage =
  | { readonly event: 'creation-refused' | 'about-to-write' }
  | ({ readonly event: 'answered'; readonly id: number } & Answered);

const program = fileURLToPath(new URL('host-process.ts', import.meta.url));

/** A host in a separate process, with its own connection to the store. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #messages = new EventEmitter();
  #calls = 0;

  constructor(t: TestContext, options: HostProcessOptions) {
    this.#child = fork(program, [JSON.stringify(options)]);
    this.#messages.setMaxListeners(0);
    this.#child.on('message', (message: HostMessage) => {
      this.#messages.emit(
        message.event === 'answered' ? `answered ${message.id}` : message.event,
        message,
      );
    });
    t.after(() => this.kill());
  }

  /** A request as a page of the site sends it. Never settles if the process ends first. */
  async call(method: string, path: string, asked: Asked): Promise<Answered> {
    const id = this.#calls++;
    const answered = once(this.#messages, `answered ${id}`) as Promise<[Answered]>;
    this.#child.send({ id, method, path, ...asked });
    const [{ status, body }] = await answered;
    return { status, body };
  }

  /** Resolves when the store gives this answer next, or is about to. */
  async tells(event: Exclude<HostMessage['event'], 'answered'>): Promise<void> {
    await once(this.#messages, event);
  }

  /** SIGKILL: the process can do nothing more. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
