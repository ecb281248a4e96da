/**
 * The contract of docs/host-contract.md, asked of a host from outside: of the one at CLIP_HOST_URL,
 * or of our own, behind `node:http` and as the handler itself.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { exportSchema, problemStatuses, projectSchema } from 'clip-kit/contract';
import { createServer } from 'node:http';
import { nodeHandler } from '../src/adapters/node.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { listen } from 'clip-testkit/mounted-host';
import { sessionOf, siteSecret } from 'clip-testkit/site-session';

interface Host {
  readonly endpoint: string;
  readonly secret: string;
  readonly user: string;
  /** A clip of the user, and its folder. */
  readonly project: string | undefined;
  readonly folder: string | undefined;
  readonly send: (request: Request) => Promise<Response>;
}

const ours: HostWorld[] = [];
const ends: (() => unknown)[] = [];
after(() => Promise.all(ends.map((end) => end())));

async function openOurs(isServed: boolean): Promise<Host> {
  const t = { after: (end: () => unknown) => void ends.push(end) };
  const world = await HostWorld.open(t, { host: { sessions: { secrets: [siteSecret] } } });
  ours.push(world);
  const { service, records, host } = world;
  const user = await records.keepManagedUser('ann', service.world.addUser().id);
  const folder = 'folder-1';
  const { id: project } = service.world.addProject(user, folder);
  service.world.addTask(user, 'video-to-shorts');
  const endpoint = `${await listen(createServer(nodeHandler(host)), t)}/clips`;
  return {
    endpoint,
    secret: siteSecret,
    user: 'ann',
    project,
    folder,
    send: isServed ? fetch : host,
  };
}

const { env } = process;
const url = env['CLIP_HOST_URL'];
const hosts: Readonly<Record<string, () => Promise<Host>>> = url
  ? {
      [`the host at ${url}`]: async () => ({
        endpoint: url.replace(/\/+$/, ''),
        secret: env['CLIP_HOST_SECRET'] ?? '',
        user: env['CLIP_HOST_USER'] ?? 'conformance',
        project: env['CLIP_HOST_CLIP'],
        folder: env['CLIP_HOST_FOLDER'],
        send: fetch,
      }),
    }
  : { 'our host, served': () => openOurs(true), 'our host, as a handler': () => openOurs(false) };

interface Sent {
  readonly as?: 'user' | 'other' | 'ended' | 'forged' | 'nobody';
  /** Replace those of a page; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
}

type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: Json;
}

const none = crypto.randomUUID();
const newKey = (): string => `conformance-${crypto.randomUUID()}`;
const idsOf = ({ json }: Answer): unknown[] => json.map(({ id }: { id: string }) => id);

/** The reader of the contract accepts more than a host may send, and mends it. */
function assertNormalised(item: Json, schema: typeof exportSchema | typeof projectSchema): void {
  const spell = (value: unknown): unknown =>
    /^\d{4}-\d\d-\d\dT/.test(String(value)) ? new Date(String(value)).toISOString() : value;
  for (const [name, value] of Object.entries(schema.parse(item))) {
    if (value === undefined || (typeof value === 'object' && value)) continue;
    assert.equal(spell(item[name]), spell(value), name);
  }
}

/** What holds for every answer. */
function checkAnswer({ status, headers, text, json }: Answer, secrets: readonly string[]): void {
  assert.match(headers.get('Cache-Control') ?? '', /\bno-store\b/);
  assert.notEqual(headers.get('Access-Control-Allow-Origin'), '*');
  const all = text + JSON.stringify([...headers]);
  for (const secret of secrets) assert.ok(!all.includes(secret), 'it contains a secret');
  const type = headers.get('Content-Type') ?? '';
  if (status === 200 || status === 201) assert.match(type, /^(application\/json|video\/)/);
  if (status < 400 || !text) return;
  assert.match(type, /^application\/problem\+json\b/);
  assert.equal((problemStatuses as Record<string, number>)[json.code], status, json.code);
  assert.equal(json.status, status);
  assert.ok(json.title);
  if (status === 429) assert.match(headers.get('Retry-After') ?? '', /^\d+$/);
}

for (const [name, open] of Object.entries(hosts)) {
  describe(name, () => {
    let host: Host;
    let sessions: Readonly<Record<string, string>>;
    before(async () => {
      host = await open();
      const { secret } = host;
      const other = `conformance-${none}`;
      sessions = {
        user: await sessionOf(host.user, { secret }),
        other: await sessionOf(other, { secret }),
        ended: await sessionOf(host.user, { secret, endedMs: 86_400_000 }),
        forged: await sessionOf(host.user, { secret: `not ${secret}` }),
      };
    });

    /** Sends a request as a page of the host's own origin, and checks what every answer keeps. */
    async function ask(call: string, { as = 'user', headers = {}, body }: Sent = {}) {
      const [method = '', path = ''] = call.split(' ');
      const all = new Headers({ 'Sec-Fetch-Site': 'same-origin' });
      if (method !== 'GET') all.set('Origin', new URL(host.endpoint).origin);
      if (body !== undefined) all.set('Content-Type', 'application/json');
      if (as !== 'nobody') all.set('Authorization', `Bearer ${sessions[as]}`);
      if (call === 'POST exports') all.set('Idempotency-Key', newKey());
      for (const [header, value] of Object.entries(headers)) {
        if (value === null) all.delete(header);
        else all.set(header, value);
      }
      for (;;) {
        const response = await host.send(
          new Request(`${host.endpoint}/${path}`, {
            method,
            headers: all,
            redirect: 'manual',
            ...(body !== undefined && {
              body: typeof body === 'string' ? body : JSON.stringify(body),
            }),
          }),
        );
        const text = await response.text();
        const isJson = /json/.test(response.headers.get('Content-Type') ?? '') && text;
        const json: Json = isJson ? JSON.parse(text) : undefined;
        const answer = { status: response.status, headers: response.headers, text, json };
        if (method !== 'OPTIONS') checkAnswer(answer, Object.values(sessions));
        if (answer.status !== 429) return answer;
        const seconds = Number(answer.headers.get('Retry-After'));
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      }
    }

    /** Asserts the status of an answer, and its code if there are several of the status. */
    async function expect(wanted: string, call: string, sent?: Sent): Promise<Answer> {
      const answer = await ask(call, sent);
      const found = `${answer.status} ${wanted.includes(' ') ? answer.json?.code : ''}`.trim();
      assert.equal(found, wanted, `${call.slice(0, 200)}: ${answer.text.slice(0, 300)}`);
      return answer;
    }

    it('knows a user by the session alone', async () => {
      for (const [call, body] of [
        ['GET exports'],
        ['GET account'],
        [`GET exports/${none}?project_id=${none}`],
        [`GET exports/${none}/download?project_id=${none}`],
        [`GET projects/${none}`],
        ['GET tasks'],
        [`DELETE tasks/${none}`],
        [`GET uploads/${none}`],
        [`DELETE uploads/${none}`],
        ['POST token', {}],
        ['POST exports', { project_id: none }],
        ['POST uploads', {}],
      ] as const) {
        await expect('401 unauthenticated', call, { as: 'nobody', body });
      }
      await expect('401', 'GET exports', { as: 'ended' });
      await expect('401', 'GET exports', { as: 'forged' });
      const names = 'X-User-Id X-User X-Remote-User X-Forwarded-User X-On-Behalf-Of'.split(' ');
      const headers = Object.fromEntries(names.map((one) => [one, host.user]));
      await expect('401', 'GET exports', { as: 'nobody', headers });
      assert.deepEqual((await expect('200', 'GET exports', { as: 'other', headers })).json, []);
      for (const query of ['user', 'user_id', 'on_behalf_of']) {
        await expect('400', `GET exports?${query}=${host.user}`, { as: 'other' });
      }
    });

    it('gives each user a token, and one who has signed in meanwhile pays for nothing', async () => {
      const { json } = await expect('200', 'POST token', { body: { project_id: none } });
      assert.ok(json.expires_at == null || Date.parse(json.expires_at) > Date.now());
      const { json: other } = await expect('200', 'POST token', { as: 'other', body: {} });
      assert.ok(other.external_access_token && json.external_access_token);
      assert.notEqual(other.external_access_token, json.external_access_token);
      const sent = { headers: { 'Clip-Account': 'of-nobody' }, body: { project_id: none } };
      const { headers } = await expect('409 account-changed', 'POST exports', sent);
      assert.ok(headers.get('Clip-Account'));
    });

    it('refuses pages of other sites', async () => {
      const { protocol, host: own } = new URL(host.endpoint);
      const foreign = 'https://conformance.example';
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: foreign };
      for (const page of [
        headers,
        ...[foreign, 'null', `${protocol}//${own}.conformance.example`].map((Origin) => ({
          'Sec-Fetch-Site': null,
          Origin,
        })),
      ]) {
        for (const path of ['token', 'exports', 'tasks/video-to-shorts', 'uploads']) {
          await expect('403', `POST ${path}`, { headers: page, body: { project_id: none } });
        }
        await expect('403', `DELETE tasks/${none}`, { headers: page });
        await expect('403', `DELETE uploads/${none}`, { headers: page });
      }
      const asks = { ...headers, 'Access-Control-Request-Method': 'POST' };
      const answers = [
        await ask('GET exports', { headers }),
        await ask('OPTIONS exports', { as: 'nobody', headers: asks }),
      ];
      for (const answer of answers) {
        assert.notEqual(answer.headers.get('Access-Control-Allow-Origin'), foreign);
      }
    });

    it('names the fields that do not fit', async () => {
      const mark = { src_url: 'https://clip.example/w.png' };
      for (const [path, ...bodies] of [
        ['token', { user_id: '1' }, { project_id: 1 }],
        ['exports', {}, { project_id: '' }, { project_id: ['a'] }],
        ['exports', { project_id: none, folder_id: 7 }, { project_id: none, unknown: true }],
        ['exports', { project_id: none, watermark: mark.src_url }],
        ['exports', { project_id: none, watermark: { src_url: 'javascript:alert(1)' } }],
        ['exports', { project_id: none, watermark: { ...mark, pos_x: 2 } }],
        ['exports', { project_id: none, watermark: { ...mark, unknown: 1 } }],
        ['exports', { project_id: none, watermark: mark, preset_id: 'p' }],
      ] as const) {
        for (const body of bodies) {
          const { json } = await expect('400 invalid-request', `POST ${path}`, { body });
          assert.ok(json.errors[0].message && 'path' in json.errors[0]);
        }
      }
    });

    it('refuses queries, bodies, types, paths, methods and keys that do not fit', async () => {
      for (const query of ['?unknown=1', `/${none}`, `?id=${none}&project_id=${none}`, '?id=']) {
        await expect('400', `GET exports${query}`);
      }
      for (const call of ['POST token', 'POST exports']) {
        for (const body of ['{"project_id": ', '["project_id"]', 'null', '"text"']) {
          await expect('400', call, { body });
        }
        for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
          await expect('415', call, { headers: { 'Content-Type': type }, body: {} });
        }
        await expect('413', call, { body: { project_id: 'a'.repeat(80 * 1024) } });
      }
      const tricks = ['..%2Fexports', '..%5cexports', '.%2fdownload', '%00', '%ff', '%', '..'];
      for (const id of tricks) {
        const first = await ask(`GET exports/${id}?project_id=${none}`);
        const second = await ask(`GET exports/${none}?project_id=${id}%2Fexports%3Fx%3D`);
        for (const { status } of [first, second]) assert.equal(Math.floor(status / 100), 4, id);
      }
      await expect('404 endpoint-not-found', 'GET conformance');
      await expect('404 endpoint-not-found', 'GET exports/a/b/c');
      for (const call of ['PUT exports', `DELETE exports/${none}`, 'GET token']) {
        assert.ok((await expect('405', call)).headers.get('Allow'));
      }
      assert.ok((await ask('OPTIONS exports', { as: 'nobody' })).status < 500);
      for (const key of [null, 'short', 'k'.repeat(129), 'with a blank', 'per%20cent']) {
        const headers = { 'Idempotency-Key': key };
        await expect('400', 'POST exports', { headers, body: { project_id: none } });
      }
    });

    it('says 404 of what does not exist, lists without it, and keeps its attempt free', async () => {
      for (const path of [
        `projects/${none}`,
        `tasks/${none}`,
        `exports/${none}?project_id=${none}`,
      ]) {
        await expect('404', `GET ${path}`);
      }
      await expect('404', `GET exports/${none}/download?project_id=${none}`);
      const many = `id=${none}${`&id=${none}`.repeat(199)}`;
      for (const query of [`project_id=${none}`, many]) {
        assert.deepEqual((await expect('200', `GET exports?${query}`)).json, []);
      }
      for (const Prefer of ['wait=soon', 'respond-async', 'wait=-1', 'wait']) {
        await expect('200', `GET exports?id=${none}`, { headers: { Prefer } });
      }
      const key = newKey();
      const sent = { headers: { 'Idempotency-Key': key }, body: { project_id: none } };
      for (let turn = 0; turn < 2; turn++) {
        await expect('404 clip-not-found', 'POST exports', sent);
      }
      const confirmed = { ...sent, body: { ...sent.body, confirmed_start: 'yes' } };
      await expect('400', 'POST exports', confirmed);
    });

    it('keeps tasks and uploads to their user', async (t) => {
      const other = { as: 'other' } as const;
      for (const type of ['video-to-shorts', 'video-to-video']) {
        const headers = { 'Idempotency-Key': newKey() };
        await expect('400', `POST tasks/${type}`, { headers, body: {} });
      }
      for (const query of ['limit=0', 'cursor=%3F']) await expect('400', `GET tasks?${query}`);
      assert.deepEqual((await expect('200', 'GET tasks', other)).json, []);
      for (const { id } of (await expect('200', 'GET tasks')).json.slice(0, 1)) {
        for (const method of ['GET', 'DELETE']) await expect('404', `${method} tasks/${id}`, other);
        await expect('200', `GET tasks/${id}`);
      }
      const file = { name: 'conformance.mp4', size: 1 };
      const { status, json } = await ask('POST uploads', { body: file });
      if ([403, 501].includes(status)) return t.skip('no uploads for this user');
      await expect('400', 'POST uploads', { body: { ...file, size: 0 } });
      const upload = `uploads/${json.id}`;
      for (const method of ['GET', 'DELETE']) await expect('404', `${method} ${upload}`, other);
      await expect('200', `GET ${upload}`);
      assert.ok((await ask(`DELETE ${upload}`)).status < 300);
    });

    it('exports a clip once, and keeps it to its user', async (t: TestContext) => {
      const { project, folder } = host;
      if (!project) return t.skip('CLIP_HOST_CLIP is not set');
      const inFolder = folder ? `folder_id=${encodeURIComponent(folder)}` : '';
      const place = `project_id=${project}&${inFolder}`;
      const other = { as: 'other' } as const;

      await t.test('the clip, its addresses and its edit', async () => {
        const clip = `projects/${project}`;
        assertNormalised((await expect('200', `GET ${clip}?${inFolder}`)).json, projectSchema);
        await expect('404', `GET ${clip}?${inFolder}`, other);
        assert.ok(idsOf(await expect('200', `GET projects?${inFolder}`)).includes(project));
        const links = await ask(`POST ${clip}/links?${inFolder}`, { body: {} });
        if (links.status !== 501) {
          assert.match(links.json.player_url, /^https?:/);
          await expect('404', `POST ${clip}/links?${inFolder}`, { ...other, body: {} });
        }
        const edit = await ask(`GET ${clip}/edit`);
        if (edit.status !== 200) return;
        assert.equal(edit.headers.get('ETag')?.replace('W/', ''), `"${edit.json.revision}"`);
        const body = { changes: {} };
        await expect('428', `PATCH ${clip}/edit`, { body });
        await expect('412', `PATCH ${clip}/edit`, { body, headers: { 'If-Match': '"999999999"' } });
      });

      const key = newKey();
      const start = {
        headers: { 'Idempotency-Key': key },
        body: { project_id: project, ...(folder && { folder_id: folder }) },
      };
      const { json: started } = await expect('201', 'POST exports', start);
      const { id } = started;

      await t.test('a start that comes again', async () => {
        assertNormalised(started, exportSchema);
        assert.equal((await expect('200', 'POST exports', start)).json.id, id);
        const mismatch = { ...start, body: { project_id: none } };
        await expect('409 attempt-mismatch', 'POST exports', mismatch);
        const named = await expect('200', `GET exports?id=${none}&id=${id}&id=${id}`);
        assert.deepEqual(idsOf(named), [id]);
        const listed = await expect('200', `GET exports?project_id=${project}`);
        assert.ok(idsOf(listed).includes(id));
        for (const one of listed.json) assert.equal(one.project_id, project);
        assert.equal((await expect('200', `GET exports/${id}?${place}`)).json.id, id);
        await expect('404', `GET exports/${id}?project_id=${none}`);
      });

      await t.test('another user', async () => {
        await expect('404', `GET exports/${id}?${place}`, other);
        await expect('404', `GET exports/${id}/download?${place}`, other);
        await expect('404 clip-not-found', 'POST exports', { ...start, ...other });
        for (const query of ['', `?id=${id}`, `?project_id=${project}`]) {
          assert.deepEqual((await expect('200', `GET exports${query}`, other)).json, []);
        }
      });

      await t.test('the end, for which a page waits, and the file', async () => {
        const watch = async (seconds: number): Promise<Json> => {
          const headers = { Prefer: `wait=${seconds}` };
          const began = performance.now();
          const answer = await expect('200', `GET exports?id=${id}`, { headers });
          const applied = answer.headers.get('Preference-Applied');
          if (answer.json[0].status !== 'processing') return answer.json[0];
          assert.equal(applied, `wait=${seconds}`);
          assert.ok(performance.now() - began > 900 * seconds, 'the answer was not held');
          return answer.json[0];
        };
        let now = await watch(1);
        for (const { service } of ours) service.world.finishAll();
        while (now.status === 'processing') now = await watch(25);
        assert.deepEqual([now.status, typeof now.finished_at], ['ready', 'string']);
        const download = `GET exports/${id}/download?${place}`;
        const { headers } = await expect('200', `${download}&name=check-name.mp4`);
        assert.match(headers.get('Content-Type') ?? '', /^video\/mp4/);
        const attached = /^attachment; filename=.*check-name\.mp4/;
        assert.match(headers.get('Content-Disposition') ?? '', attached);
        const part = await ask(download, { headers: { Range: 'bytes=0-0' } });
        assert.deepEqual([part.status, part.text.length], [206, 1]);
      });
    });
  });
}
