import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/free-port.ts';
import { startProgram, type Program } from '../support/program.ts';

export const examples = ['node', 'express', 'fastify', 'hono', 'next'] as const;
export type Example = (typeof examples)[number];

/** Starts an example that is installed below the directory. */
export async function startExample(
  example: Example,
  directory: string,
  env: { readonly CLIP_API_URL: string; readonly CLIP_API_KEY: string },
): Promise<Program> {
  const port = await freePort();
  const cwd = join(directory, example);
  const program =
    example === 'next' ? ['node_modules/next/dist/bin/next', 'start', cwd] : ['server.js'];
  const [script = '', ...args] = program;
  return startProgram([process.execPath, join(cwd, script), ...args], {
    port,
    // The directory of `clips.sqlite`, new for each start.
    cwd: mkdtempSync(join(cwd, 'run-')),
    env: {
      ...env,
      SITE_ORIGIN: `http://127.0.0.1:${port}`,
      HOME: directory,
      NEXT_TELEMETRY_DISABLED: '1',
    },
  });
}
