import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { freePort } from '../../scripts/free-port.ts';

export const runtimes = ['node', 'deno', 'bun', 'workerd'] as const;
export type Runtime = (typeof runtimes)[number];

const entry = (runtime: Runtime): string =>
  fileURLToPath(new URL(`${runtime}.js`, import.meta.url));

interface Place {
  /** Where the runtimes are installed; also for files that are made on the way. */
  readonly directory: string;
  readonly port: number;
  readonly env: { readonly SERVICE_URL: string; readonly SERVICE_KEY: string };
}

/** A worker is one file, and is given what it may reach. */
const workerConfig = async ({ directory, port, env }: Place): Promise<string> => {
  await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'esnext',
      lib: { entry: entry('workerd'), formats: ['es'], fileName: () => 'worker.js' },
    },
  });
  const text = (value: string) => JSON.stringify(value);
  const file = join(directory, 'config.capnp');
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
      compatibilityFlags = ["enable_request_signal"],
      bindings = [
        (name = "SERVICE_URL", text = ${text(env.SERVICE_URL)}),
        (name = "SERVICE_KEY", text = ${text(env.SERVICE_KEY)}),
      ],
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  );
  return file;
};

const commandOf = async (runtime: Runtime, place: Place): Promise<string[]> => {
  const program = join(place.directory, 'node_modules', '.bin', runtime);
  switch (runtime) {
    case 'node':
      return [process.execPath, entry(runtime)];
    case 'deno':
      // Nothing but the network and its settings: no file, no other program.
      return [
        ...[program, 'run', '--no-prompt', '--node-modules-dir=manual', '--allow-net=127.0.0.1'],
        ...['--allow-env=SERVICE_URL,SERVICE_KEY,PORT', entry(runtime)],
      ];
    case 'bun':
      return [program, 'run', entry(runtime)];
    case 'workerd':
      return [program, 'serve', await workerConfig(place)];
  }
};

/** Resolves when something listens on the port; rejects when the program has ended before. */
const listening = async (child: ChildProcess, port: number, said: () => string): Promise<void> => {
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
};

/** Starts the host in a runtime. */
export const startRuntime = async (
  runtime: Runtime,
  directory: string,
  env: Place['env'],
): Promise<{ url: string; said: () => string; stop: () => Promise<void> }> => {
  const port = await freePort();
  const [command = '', ...args] = await commandOf(runtime, { directory, port, env });
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], HOME: directory, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // With what a launcher of its own starts, so that all of it can be ended.
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
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
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
  return { url: `http://127.0.0.1:${port}`, said, stop };
};
