import { startScript } from './start-program.ts';
import { isUrgent } from './urgency.ts';

/** A process ends when it had nothing to do for this long. */
const idleMs = 20_000;

/**
 * A process that runs networks, for all work of this one that a person waits for, or for all other:
 * a process cannot raise its priority again. The memory of its networks, which is freed with it, is
 * not added to that of this process. Its answers come in the order of the tasks.
 */
export class NetworkProcess<Task extends object, Answer> {
  readonly #child: ReturnType<typeof startScript>;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];
  #failure: unknown = null;
  #users = 0;
  #opened = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor(script: URL, urgent: boolean) {
    this.#child = startScript(script, urgent ? ['urgent'] : []);
    this.#child.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', () => this.#fail(new Error('The process of a network has ended.')));
    this.#rest();
  }

  /** Ends the process if it has nothing to do for long, and does not keep this one. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => {
      this.#fail(new Error('The process of a network has ended.'));
      this.#child.kill();
    }, idleMs).unref();
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }

  /** Sends a task that has no answer. */
  send(task: Task): void {
    this.#child.send(task, (error) => error && this.#fail(error));
  }

  /** @returns the number of a new user, such as a clip */
  open(): number {
    if (this.#idle) clearTimeout(this.#idle);
    this.#users += 1;
    this.#child.ref();
    this.#child.channel?.ref();
    return (this.#opened += 1);
  }

  ask(task: Task): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure as Error);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ resolve, reject });
    this.send(task);
    return promise;
  }

  close(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#rest();
  }
}

const shared = new Map<string, NetworkProcess<object, unknown>>();

/** Returns the process of a script for what a person waits for, or for the rest. */
export function getNetworkProcess<Task extends object, Answer>(
  script: URL,
): NetworkProcess<Task, Answer> {
  const urgent = isUrgent();
  const key = `${script.href} ${urgent}`;
  const known = shared.get(key);
  if (known && !known.failed) return known as NetworkProcess<Task, Answer>;
  const started = new NetworkProcess<Task, Answer>(script, urgent);
  shared.set(key, started as NetworkProcess<object, unknown>);
  return started;
}
