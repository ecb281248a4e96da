import { join } from 'node:path';
import { startDemo } from './demo.ts';
import { readDemoEnv } from './env.ts';
import { busyMessage } from './ports.mjs';

const say = (line: string): void => console.log(line);

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
  const demo = await startDemo({ ...env, say });
  say(`
  Open   ${demo.url}

  ${demo.url.padEnd(30)} the demo site: login, studio, a page for each element
  ${`${demo.url}/clips`.padEnd(30)} its host endpoint (clip-host), which keeps the API key
  ${`${demo.service.url}/v2`.padEnd(30)} the clip service (embedded database, jobs, ffmpeg)
  ${join(env.dataDir, '').padEnd(30)} where all of it is kept

  Ctrl-C stops everything.
`);
  let stopping = false;
  const close = (): void => {
    if (stopping) return;
    stopping = true;
    say('Stopping ...');
    demo.close().then(() => process.exit(0), stop);
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  demo.ownPage().then(
    (page) => say(`  A clip for a page of your own, on any port (docs/start.md):\n\n${page}\n`),
    (error) => stopping || say(`  No clip for a page of your own: ${explain(error)}\n`),
  );
} catch (error) {
  stop(error);
}
