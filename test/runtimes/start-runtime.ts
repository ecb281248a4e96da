import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/free-port.ts';
import { buildWorker } from '../../tools/miniflare.ts';
import { startProgram, type Program } from '../support/program.ts';

/**
 * Of workerd also one from before requests could use each other's signals, and two workers in
 * Miniflare with one D1 database.
 */
export const runtimes = ['node', 'deno', 'bun', 'workerd', 'workerd-april', 'workerd-d1'] as const;
export type Runtime = (typeof runtimes)[number];

interface Place {
  /** Where the runtimes, the packages and the programs of this folder are. */
  readonly directory: string;
  readonly port: number;
  readonly env: {
    readonly CLIP_API_URL: string;
    readonly CLIP_API_KEY: string;
    /** Of the second worker. */
    readonly SECOND_PORT?: string;
  };
}

/** A worker receives everything that it may use. */
function workerConfig({ directory, port, env }: Place, compatibilityDate: string): string {
  const text = (value: string) => JSON.stringify(value);
  const file = join(directory, 'config.capnp');
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = ${text(compatibilityDate)},
      bindings = [
        (name = "CLIP_API_URL", text = ${text(env.CLIP_API_URL)}),
        (name = "CLIP_API_KEY", text = ${text(env.CLIP_API_KEY)}),
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
}

async function commandOf(runtime: Runtime, place: Place): Promise<string[]> {
  const packages = join(place.directory, 'node_modules');
  const entry = (name: string): string => join(place.directory, `${name}.js`);
  const program = join(packages, '.bin', runtime);
  switch (runtime) {
    case 'node':
      return [process.execPath, entry(runtime)];
    case 'deno':
      // Only the network and its settings: no file, no other program.
      // prettier-ignore
      return [
        program, 'run', '--no-prompt', '--node-modules-dir=manual', '--allow-net=127.0.0.1',
        '--allow-env=CLIP_API_URL,CLIP_API_KEY,PORT', entry(runtime),
      ];
    case 'bun':
      return [program, 'run', entry(runtime)];
    case 'workerd':
    case 'workerd-april': {
      const date = runtime === 'workerd' ? '2026-11-01' : '2026-04-01';
      await buildWorker(entry('workerd'), place.directory);
      return [join(packages, runtime, 'bin', 'workerd'), 'serve', workerConfig(place, date)];
    }
    case 'workerd-d1': {
      await buildWorker(entry('workerd'), place.directory);
      return [process.execPath, entry(runtime)];
    }
  }
}

/** Starts the host in a runtime. */
export async function startRuntime(
  runtime: Runtime,
  directory: string,
  env: Place['env'],
): Promise<Program> {
  const port = await freePort();
  return startProgram(await commandOf(runtime, { directory, port, env }), {
    port,
    env: { ...env, HOME: directory, RUNTIMES_DIRECTORY: directory },
  });
}
