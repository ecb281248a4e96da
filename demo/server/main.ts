import { join } from 'node:path';
import { startDemo } from './demo.ts';
import { readDemoEnv } from './env.ts';
import { busyMessage } from './ports.mjs';

const log = (line: string): void => console.log(line);

function explain(error: unknown): string {
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return busyMessage(port);
  return error instanceof Error ? error.message : String(error);
}

function stop(error: unknown): never {
  console.error(explain(error));
  process.exit(1);
}

try {
  const env = readDemoEnv(process.env);
  const build = process.argv.includes('--build');
  const demo = await startDemo({ ...env, log, build });
  log(`
  Open   ${demo.url}

  ${demo.url.padEnd(30)} the demo site: login, studio, a page for each element
  ${`${demo.service.url}/v2`.padEnd(30)} the clip service (embedded database, jobs, ffmpeg)
  ${`${demo.service.url}/host`.padEnd(30)} its host, which the pages call with a session of the site
  ${join(env.dataDir, '').padEnd(30)} where all of it is kept

  Ctrl-C stops everything.
`);
  let stopping = false;
  const close = (): void => {
    if (stopping) return;
    stopping = true;
    log('Stopping ...');
    demo.close().then(() => process.exit(0), stop);
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  demo.ownPage().then(
    (page) => {
      log(`  A clip for a page of your own, on any port (docs/start.md):

${page}

  A studio of your own, where a signed-in person uploads a video and gets clips (docs/start/studio.md).
  Save it as studio.mjs, and run: node studio.mjs

${demo.ownStudio}`);
      // Encoding them any earlier would delay the first clips.
      demo.addSampleMedia().catch((error) => stopping || log(explain(error)));
    },
    (error) => stopping || log(`  No clip for a page of your own: ${explain(error)}\n`),
  );
} catch (error) {
  stop(error);
}
