/**
 * The complete programs of docs/host.md are those of `examples/`, and the first one does what the
 * page says.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.ts';
import { FakeService } from '../support/fake-service.ts';
import { send } from '../support/mounted-host.ts';
import { startProgram, type Program } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

/** Each program of the page, by its example. */
const programs = new Map(
  [...read('docs/host.md').matchAll(/^<!-- (examples\/\S+) -->\n```jsx?\n(.*?)^```$/gms)].map(
    ([, path = '', code = '']) => [path, code],
  ),
);

describe('the programs of docs/host.md', () => {
  it('are as many as are marked', () => {
    assert.equal(programs.size, read('docs/host.md').split('<!-- examples/').length - 1);
    assert.equal(programs.size, 7);
  });

  for (const [path, code] of programs) {
    it(`${path} is what the page says`, () => assert.equal(code, read(path)));
  }

  it('are all files of the example of Express', async () => {
    const files = (await readdir(`${root}examples/express`)).filter((file) => file.endsWith('.js'));
    const shown = [...programs.keys()].filter((path) => path.startsWith('examples/express/'));
    assert.deepEqual(shown.map((path) => basename(path)).toSorted(), files.toSorted());
  });

  for (const example of ['node', 'fastify', 'hono']) {
    it(`the login and the host are the same in the example of ${example}`, () => {
      for (const file of ['session.js', 'clips.js']) {
        assert.equal(read(`examples/${example}/${file}`), read(`examples/express/${file}`));
      }
    });
  }
  it('the login is the same in the example of Next', () => {
    assert.equal(read('examples/next/app/session.js'), read('examples/express/session.js'));
  });
});

/** The Express programs, copied from the page into their own directory, and started. */
async function start(
  t: TestContext,
  more: Readonly<Record<string, string>>,
): Promise<{ service: FakeService; site: Program }> {
  const directory = mkdtempSync(join(tmpdir(), 'clip-docs-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [path, code] of programs) {
    if (path.startsWith('examples/express/')) writeFileSync(join(directory, basename(path)), code);
  }
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const service = await FakeService.open();
  t.after(() => service.close());
  const site = await startProgram([process.execPath, 'server.js'], {
    port: await freePort(),
    cwd: directory,
    env: { CLIP_API_URL: service.baseUrl, CLIP_API_KEY: service.apiKey, ...more },
  });
  t.after(() => site.stop());
  return { service, site };
}

describe('docs/host.md: Express, from nothing', () => {
  const ask = (site: Program, path: string, body: unknown) =>
    send(site.url, 'POST', path, {
      body,
      headers: { Origin: site.url, 'Idempotency-Key': 'my-first-task' },
    });

  it('gives a token, makes a clip, and shows a page with the element on it', async (t) => {
    const { service, site } = await start(t, { DEV_USER: 'ann' });
    const token = await ask(site, '/clips/token', {});
    assert.equal(token.status, 200, site.said());
    assert.ok(token.json()['external_access_token']);
    const task = await ask(site, '/clips/tasks/video-to-video', {
      source_video_url: 'https://example.com/talk.mp4',
      editing_options: {},
    });
    assert.equal(task.status, 201);
    const { id, output_id } = task.json<{ id: string; output_id: string }>();
    assert.equal((await send(site.url, 'GET', `/clips/tasks/${id}`)).status, 200);
    const page = await send(site.url, 'GET', `/?project=${output_id}`);
    assert.match(page.text, /<clip-export-button endpoint="\/clips">/);
    const script = /src="([^"]+\.js)"/.exec(page.text)![1]!;
    const kit = await send(site.url, 'GET', script);
    assert.match(kit.headers['content-type'] ?? '', /javascript/);
    assert.equal(kit.text, read('dist/cdn/clip-kit.js'));
    assert.equal(service.world.users.size, 1);
    assert.ok(!site.said().includes(service.apiKey));
  });

  it('lets nobody in before there is a login', async (t) => {
    const { site } = await start(t, {});
    assert.equal((await ask(site, '/clips/token', {})).status, 401);
  });

  it('ends in order while a request is held, which is answered', async (t) => {
    const { service, site } = await start(t, { DEV_USER: 'ann' });
    assert.equal((await ask(site, '/clips/token', {})).status, 200);
    const [author = ''] = service.world.users.keys();
    const { id } = service.world.addExport(author, service.world.addProject(author));
    const received = service.received();
    const held = send(site.url, 'GET', `/clips/exports?id=${id}`, {
      headers: { Prefer: 'wait=25' },
    });
    await received;
    assert.equal(await site.terminate(), 0);
    assert.equal((await held).status, 200);
  });
});
