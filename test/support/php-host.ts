import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/free-port.ts';
import { startProgram, type Program } from './program.ts';

const script = fileURLToPath(new URL('../wordpress/host/host.php', import.meta.url));

/** PHP's workers may hold the port for a moment after the process that started them has ended. */
async function released(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    });
    socket.destroy();
    if (!open) return;
    await pause(20);
  }
}

/** The host of the WordPress plugin as a process without WordPress, with SQLite in a directory. */
export class PhpHost {
  readonly #env: Readonly<Record<string, string>>;
  readonly #data: string;
  readonly #port: number;
  #program: Program | null = null;
  #said = '';

  private constructor(env: Readonly<Record<string, string>>, data: string, port: number) {
    this.#env = env;
    this.#data = data;
    this.#port = port;
  }

  static async open(service: {
    readonly baseUrl: string;
    readonly apiKey: string;
  }): Promise<PhpHost> {
    const data = await mkdtemp(join(tmpdir(), 'clip-php-host-'));
    const env = {
      CLIP_API_URL: service.baseUrl,
      CLIP_API_KEY: service.apiKey,
      CLIP_DATABASE: join(data, 'clips.sqlite'),
      // PHP's own server answers one request at a time, unless it has workers.
      PHP_CLI_SERVER_WORKERS: '20',
    };
    const host = new PhpHost(env, data, await freePort());
    await host.start();
    return host;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}/clips`;
  }

  /** The output of its processes. */
  get said(): string {
    return this.#said + (this.#program?.said() ?? '');
  }

  async start(): Promise<void> {
    const command = ['php', '-S', `127.0.0.1:${this.#port}`, script];
    this.#program = await startProgram(command, { port: this.#port, env: this.#env });
  }

  /** Ends it at once, as a power cut would. */
  async kill(): Promise<void> {
    this.#said = this.said;
    await this.#program?.stop();
    this.#program = null;
    await released(this.#port);
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#data, { recursive: true, force: true });
  }
}
