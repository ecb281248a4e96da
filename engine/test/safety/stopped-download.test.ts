import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const idleTimeoutMs = 1000;
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
  const directory = await mkdtemp(join(tmpdir(), 'clip-stopped-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const path = join(directory, 'file');
  const asked = once(server, 'request');
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, `http://127.0.0.1:${port}/file`, path],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exit = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const response = (await asked)[1] as ServerResponse;
  child.kill('SIGSTOP');
  response.end('whole');
  await setTimeout(idleTimeoutMs + 1500); // The fault itself.
  child.kill('SIGCONT');
  assert.deepEqual(await exit, [0, null]);
  assert.equal(await readFile(path, 'utf8'), 'whole');
});
