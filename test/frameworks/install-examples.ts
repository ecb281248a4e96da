import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackages } from '../../tools/pack.ts';
import { runIn } from '../sites/run-in.ts';
import { examples } from './start-example.ts';

const session = (request: string): string => `export const userOf = async (${request}) => {
  const id = /user=([^;]+)/.exec(request.headers.get('Cookie') ?? '')?.[1];
  return id === undefined ? null : { id };
};
`;

/**
 * Copies each of `examples/` out of the project, installs it with the packed kit, and builds it,
 * with a cookie login instead of its own.
 */
export async function installExamples(directory: string): Promise<void> {
  const signal = AbortSignal.timeout(10 * 60_000);
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
    await runIn(place, ['npm', 'install', '--no-audit', '--no-fund'], signal);
  }
  // Without a key, as on a build server.
  await runIn(join(directory, 'next'), ['next', 'build'], signal);
}
