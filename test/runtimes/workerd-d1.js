// Two workers with one D1 database, in Miniflare: at PORT and at SECOND_PORT.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CLIP_API_URL, CLIP_API_KEY, PORT, SECOND_PORT, RUNTIMES_DIRECTORY } = process.env;
const { Miniflare } = createRequire(join(RUNTIMES_DIRECTORY, 'package.json'))('miniflare');
const worker = {
  modules: true,
  modulesRoot: RUNTIMES_DIRECTORY,
  scriptPath: join(RUNTIMES_DIRECTORY, 'worker.js'),
  compatibilityDate: '2026-07-01',
  bindings: { CLIP_API_URL, CLIP_API_KEY },
  d1Databases: { DB: 'clips' },
};
const miniflare = new Miniflare({
  host: '127.0.0.1',
  port: Number(PORT),
  handleRuntimeStdio: (out, error) => {
    out.pipe(process.stdout);
    error.pipe(process.stderr);
  },
  workers: [
    { ...worker, name: 'first' },
    {
      ...worker,
      name: 'second',
      unsafeDirectSockets: [{ host: '127.0.0.1', port: Number(SECOND_PORT ?? 0) }],
    },
  ],
});
await miniflare.ready;
console.log('listening');
process.on('SIGTERM', () => void miniflare.dispose().then(() => process.exit()));
