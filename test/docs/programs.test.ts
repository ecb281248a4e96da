/** Pages of hosts show the files of `examples/`, and the first program does what its page says. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { freePort } from '../../tools/free-port.ts';
import { FakeService } from 'clip-testkit/fake-service';
import { shownFiles } from './shown-files.ts';
import { send } from 'clip-testkit/mounted-host';
import { startProgram, type Program } from '../support/program.ts';
import { linkPublished } from '../support/published-packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

/** The pages, each with its example. */
const pages = { express: 'express', next: 'next', fastify: 'fastify' } as const;

const express = new Map(
  shownFiles(read('docs/hosts/express.md')).map(({ path, text }) => [path, text]),
);

describe('the programs of the pages of hosts', () => {
  for (const [page, example] of Object.entries(pages)) {
    for (const { path, text } of shownFiles(read(`docs/hosts/${page}.md`))) {
      it(`${page}: ${path} is the file of the example`, () =>
        assert.equal(text, read(`examples/${example}/${path}`)));
    }
  }

  it('are all files of the example of Express', async () => {
    const files = (await readdir(`${root}examples/express`)).filter((file) => file.endsWith('.js'));
    assert.deepEqual([...express.keys()].toSorted(), files.toSorted());
  });

  for (const example of ['node', 'fastify', 'hono']) {
    it(`the login and the host are the same in the example of ${example}`, () => {
      for (const file of ['session.js', 'clips.js']) {
        assert.equal(read(`examples/${example}/${file}`), read(`examples/express/${file}`));
      }
    });
  }
});

/** The Express programs, copied from the page into their own directory, and started. */
async function start(
  t: TestContext,
  more: Readonly<Record<string, string>>,
  files: ReadonlyMap<string, string> = express,
): Promise<{ service: FakeService; site: Program }> {
  const directory = mkdtempSync(join(tmpdir(), 'clip-docs-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [path, text] of files) writeFileSync(join(directory, path), text);
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  linkPublished(directory);
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

/** The errors of a type check of these files, in a project with the kit installed. */
function typeErrors(
  t: TestContext,
  files: ReadonlyMap<string, string>,
  compilerOptions: unknown,
): unknown[] {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'clip-types-'));
  t.after(() => rmSync(directory, { recursive: true }));
  linkPublished(directory);
  const paths = [...files].map(([path, text]) => {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions }, ts.sys, directory);
  const program = ts.createProgram(paths, {
    ...options,
    incremental: false,
    preserveSymlinks: true,
    types: ['node'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
}

describe('docs/hosts/next.md', () => {
  it('type-checks in a project of create-next-app', (t) => {
    const files = shownFiles(read('docs/hosts/next.md')).map(
      ({ path, text }) => [path, text] as const,
    );
    assert.equal(files.length, 3);
    const { config } = ts.readConfigFile(`${root}examples/next/tsconfig.json`, ts.sys.readFile);
    assert.deepEqual(typeErrors(t, new Map(files), config.compilerOptions), []);
  });
});

const ask = (site: Program, path: string, body: unknown) =>
  send(site.url, 'POST', path, {
    body,
    headers: { Origin: site.url, 'Idempotency-Key': crypto.randomUUID() },
  });

describe('docs/hosts/express.md', () => {
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

describe('docs/host-policies.md', () => {
  const files = new Map([
    ...express,
    ...shownFiles(read('docs/host-policies.md')).map(({ path, text }) => [path, text] as const),
  ]);
  const task = { source_video_url: 'https://example.com/talk.mp4', editing_options: {} };

  it('uses what the policies are given', (t) => {
    const options = { checkJs: true, module: 'nodenext', noEmit: true, strict: false };
    const shown = new Map(['clips.js', 'session.js'].map((path) => [path, files.get(path)!]));
    shown.set('package.json', '{ "type": "module" }');
    assert.deepEqual(typeErrors(t, shown, options), []);
  });

  it('lets a user who pays make clips, and export without a watermark', async (t) => {
    const { service, site } = await start(t, { DEV_USER: 'ann' }, files);
    const made = await ask(site, '/clips/tasks/video-to-video', task);
    assert.equal(made.status, 201, made.text);
    const { output_id } = made.json<{ output_id: string }>();
    assert.equal((await ask(site, '/clips/exports', { project_id: output_id })).status, 201);
    assert.deepEqual(
      service.sent('POST', /\/exports$/).map(({ body }) => body),
      [{}],
    );
  });

  it('lets others export with the watermark of the site', async (t) => {
    const { service, site } = await start(t, { DEV_USER: 'ben' }, files);
    assert.equal((await ask(site, '/clips/tasks/video-to-video', task)).status, 403);
    assert.equal((await ask(site, '/clips/token', {})).status, 200);
    const [author = ''] = service.world.users.keys();
    const { id: project_id } = service.world.addProject(author);
    assert.equal((await ask(site, '/clips/exports', { project_id })).status, 201);
    const [sent] = service.sent('POST', /\/exports$/);
    assert.deepEqual(sent?.body, {
      watermark: {
        src_url: 'https://site.example/mark.png',
        pos_x: 0.9,
        pos_y: 0.5,
        scale: 1,
      },
    });
  });
});
