/**
 * The packed host in each runtime, tested over HTTP: the same requests, the same answers. `npm run
 * test:runtimes` runs this.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, it } from 'node:test';
import type { Export } from '../../src/contract/export.ts';
import { freePort } from '../../tools/free-port.ts';
import { miniflare } from '../../tools/miniflare.ts';
import { installFromNpm } from '../../tools/npm-packages.ts';
import { packPackages } from '../../tools/pack.ts';
import { describeConformance } from '../support/conformance.ts';
import { FakeService } from 'clip-testkit/fake-service';
import { send } from 'clip-testkit/mounted-host';
import { runtimes, startRuntime } from './start-runtime.ts';

const directory = await mkdtemp(join(tmpdir(), 'clip-runtimes-'));
after(() => rm(directory, { recursive: true, force: true }));
const packed = await packPackages(directory);
await installFromNpm(
  directory,
  [
    ...['deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1', miniflare],
    'workerd-april@npm:workerd@1.20260426.1',
    ...packed.map(({ tarball }) => tarball),
  ],
  AbortSignal.timeout(10 * 60_000),
);
await writeFile(join(directory, 'package.json'), '{ "private": true, "type": "module" }\n');
for (const program of globSync(join(import.meta.dirname, '*.js'))) {
  await copyFile(program, join(directory, basename(program)));
}

for (const runtime of runtimes) {
  // workerd does not report a client that disconnects: its slot is free when its hold is over,
  // after 25 seconds.
  const seesLeaving = !runtime.startsWith('workerd');
  describeConformance(runtime, (env) => startRuntime(runtime, directory, env), seesLeaving);
}

it('two workers with one D1 database start one export for ten requests with one key at each', async (t) => {
  const service = await FakeService.open();
  t.after(() => service.close());
  const port = await freePort();
  const first = await startRuntime('workerd-d1', directory, {
    CLIP_API_URL: service.baseUrl,
    CLIP_API_KEY: service.apiKey,
    SECOND_PORT: `${port}`,
  });
  t.after(() => first.stop());
  const workers = [first.url, `http://127.0.0.1:${port}`];
  const headers = { Cookie: 'user=ann', 'Sec-Fetch-Site': 'same-origin' };
  // Both create the tables and the managed user.
  const lists = await Promise.all(
    workers.map((url) => send(url, 'GET', '/clips/exports', { headers })),
  );
  for (const { status, text } of lists) assert.equal(status, 200, text);
  const [user, ...others] = service.world.users.keys();
  assert.deepEqual(others, []);
  const sent = {
    body: { project_id: service.world.addProject(user!).id },
    headers: { ...headers, 'Idempotency-Key': 'attempt-1' },
  };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(workers[n % 2]!, 'POST', '/clips/exports', sent)),
  );
  const started = answers.filter(({ status }) => status === 200 || status === 201);
  assert.equal(started.filter(({ status }) => status === 201).length, 1);
  assert.equal(new Set(started.map((answer) => answer.json<Export>().id)).size, 1);
  assert.equal(service.sent('POST', /exports$/).length, 1);
  const last = await Promise.all(workers.map((url) => send(url, 'POST', '/clips/exports', sent)));
  for (const { status, text } of last) assert.equal(status, 200, text);
});
