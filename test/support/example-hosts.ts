import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.ts';

const directory = (name: string): string =>
  fileURLToPath(new URL(`../../examples/hosts/${name}/`, import.meta.url));

interface Example {
  readonly sources: readonly string[];
  /** How many of the optional rules of the contract it does not offer. */
  readonly absentRules: number;
  /** Builds the example into the directory, if it needs a build. */
  readonly build?: (into: string) => { readonly command: readonly string[]; readonly cwd: string };
  readonly command: (port: number, built: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The example hosts in other languages. */
export const examples: Readonly<Record<string, Example>> = {
  php: {
    sources: [`${directory('php')}host.php`],
    absentRules: 2,
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, `${directory('php')}host.php`],
    // PHP's own server answers one request at a time, unless it has workers.
    env: { PHP_CLI_SERVER_WORKERS: '20' },
  },
  python: {
    sources: [`${directory('python')}host.py`],
    absentRules: 2,
    command: () => ['python3', `${directory('python')}host.py`],
  },
  go: {
    sources: ['host', 'attempts', 'service'].map((file) => `${directory('go')}${file}.go`),
    absentRules: 13,
    build: (into) => ({
      command: ['go', 'build', '-buildvcs=false', '-o', join(into, 'host')],
      cwd: directory('go'),
    }),
    command: (_, built) => [join(built, 'host')],
  },
};

const sessionSecret = 'session-secret-4c1f';

/** The demo's session cookie of a user. */
export const sessionOf = (user: string, secret = sessionSecret): string =>
  `session=${user}.${createHmac('sha256', secret).update(user).digest('hex')}`;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  // The process group, because PHP's workers are separate processes.
  process.kill(-child.pid, signal);
  await exit;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function listening(port: number, child: ChildProcess, said: () => string): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`The host ended: ${said()}`);
    await pause(20);
  }
}

/** PHP's workers may hold the port for a moment after the process that started them has ended. */
async function released(port: number): Promise<void> {
  while (await accepts(port)) await pause(20);
}

/** One example host as a process on a free port, with its own data directory. */
export class ExampleHost {
  readonly #example: Example;
  readonly #service: { readonly baseUrl: string; readonly apiKey: string };
  readonly #kept: string;
  readonly #port: number;
  readonly #secret: string;
  #child: ChildProcess | null = null;
  #said = '';

  private constructor(
    example: Example,
    service: { baseUrl: string; apiKey: string },
    kept: string,
    port: number,
    secret: string,
  ) {
    this.#secret = secret;
    this.#example = example;
    this.#service = service;
    this.#kept = kept;
    this.#port = port;
  }

  static async open(
    name: string,
    service: { baseUrl: string; apiKey: string },
    secret = sessionSecret,
  ): Promise<ExampleHost> {
    const kept = await mkdtemp(join(tmpdir(), `clip-host-${name}-`));
    const host = new ExampleHost(examples[name]!, service, kept, await freePort(), secret);
    try {
      const build = host.#example.build?.(kept);
      if (build) {
        const child = host.#spawn(build.command, build.cwd);
        const [code] = (await once(child, 'exit')) as [number | null];
        if (code !== 0) throw new Error(`It could not be built: ${host.#said}`);
      }
      await host.start();
    } catch (error) {
      await host.close();
      throw error;
    }
    return host;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}/clips`;
  }

  /** The output of the process. */
  get said(): string {
    return this.#said;
  }

  async start(): Promise<void> {
    const child = this.#spawn(this.#example.command(this.#port, this.#kept));
    this.#child = child;
    await listening(this.#port, child, () => this.#said);
  }

  /** Ends the process at once, as a power cut would. */
  async kill(): Promise<void> {
    if (!this.#child) return;
    await ended(this.#child, 'SIGKILL');
    await released(this.#port);
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#kept, { recursive: true, force: true });
  }

  #spawn([command = '', ...args]: readonly string[], cwd = this.#kept): ChildProcess {
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        CLIP_SERVICE_URL: this.#service.baseUrl,
        CLIP_API_KEY: this.#service.apiKey,
        SESSION_SECRET: this.#secret,
        CLIP_DATABASE: join(this.#kept, 'clips.data'),
        PORT: String(this.#port),
        ...this.#example.env,
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    }
    child.on('error', (error) => (this.#said += error.message));
    return child;
  }
}
