/**
 * Runs each example of `examples/` as a site would: copied out of the project, installed with the
 * packed kit, built and started, with a cookie login instead of the example's own. Prints `N
 * passed, M failed` at the end.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examples } from '../test/frameworks/start-example.ts';
import { countedRun, runSuite } from './counted-run.ts';
import { packPackages } from './pack.ts';
import { withoutOwnNode } from './install-dependencies.mjs';
import { runProgram } from './run-program.ts';
import { suites } from './suites.ts';

const env = { ...withoutOwnNode(), NEXT_TELEMETRY_DISABLED: '1' };

async function must(
  what: string,
  command: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  const { code, output } = await runProgram(command, { cwd, env, signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${what} failed, so nothing was tried:\n${output}`);
  return output;
}

const session = (request: string): string => `export const userOf = async (${request}) => {
  const id = /user=([^;]+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
  return id === undefined ? null : { id };
};
`;

async function install(directory: string, signal: AbortSignal): Promise<void> {
  const packed = Object.fromEntries(
    (await packPackages(directory)).map(({ name, tarball }) => [name, `file:${tarball}`]),
  );
  for (const example of examples) {
    const place = join(directory, example);
    await cp(join('examples', example), place, {
      recursive: true,
      filter: (file) => !/node_modules|\.next|\.sqlite/.test(file),
    });
    const file = join(place, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    Object.assign(manifest.dependencies, packed);
    await writeFile(file, JSON.stringify(manifest));
    await (example === 'next'
      ? writeFile(join(place, 'app/session.ts'), session('request: Request'))
      : writeFile(join(place, 'session.js'), session('request')));
    console.log(`Installing the example of ${example} ...`);
    await must('npm install', ['npm', 'install', '--no-audit', '--no-fund'], place, signal);
  }
  console.log('Building the example of next ...');
  // Without a key, as on a build server.
  const next = 'node_modules/next/dist/bin/next';
  await must('next build', [process.execPath, next, 'build'], join(directory, 'next'), signal);
}

await countedRun(async (signal) => {
  const directory = await mkdtemp(join(tmpdir(), 'clip-examples-'));
  try {
    await install(directory, signal);
    return await runSuite(suites['frameworks']!.files, { EXAMPLES_DIRECTORY: directory }, signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
