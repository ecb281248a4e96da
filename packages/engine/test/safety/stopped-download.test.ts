import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';

const idleTimeoutMs = 1500;
const downloader = new URL('../../src/source/download.ts', import.meta.url).href;
const script = `
  import { download } from ${JSON.stringify(downloader)};
  const [url, path] = process.argv.slice(1);
  await download(url, {
    path, allowPrivate: true, maxBytes: 1e6, idleTimeoutMs: ${idleTimeoutMs},
    paceWindowMs: ${idleTimeoutMs}, signal: new AbortController().signal,
  });
`;

it('a download of a process that was stopped goes on: the server was not slow', async (t) => {
  const directory = await temporaryDirectory();
  t.after(() => directory.remove());
  const path = join(directory.path, 'file');
  const asked = Promise.withResolvers<ServerResponse>();
  const server = await mediaServer({ '/file': (_, response) => asked.resolve(response) });
  t.after(() => server.close());
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, server.url('/file'), path],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exit = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const response = await asked.promise;
  child.kill('SIGSTOP');
  response.end('whole');
  await setTimeout(idleTimeoutMs + 1500); // The fault itself.
  child.kill('SIGCONT');
  assert.deepEqual(await exit, [0, null]);
  assert.equal(await readFile(path, 'utf8'), 'whole');
});
