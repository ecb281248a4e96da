/** The built host in each runtime, asked over HTTP: the same questions, the same answers. Run by `npm run test:runtimes`. */
import { describeConformance } from '../support/conformance.ts';
import { runtimes, startRuntime } from './start-runtime.ts';

const directory = process.env['RUNTIMES_DIRECTORY'];
if (!directory) throw new Error('Run this by: npm run test:runtimes');

for (const runtime of runtimes) {
  // workerd does not tell of a client that leaves: its place is free when its hold is over, after 25 seconds.
  const seesLeaving = runtime !== 'workerd';
  describeConformance(runtime, (env) => startRuntime(runtime, directory, env), seesLeaving);
}
