import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Export } from '../../src/contract/export.ts';
import type { Problem } from '../../src/contract/problem.ts';
import type { Task } from '../../src/contract/task.ts';
import { FakeService } from 'clip-testkit/fake-service';
import { send, type Answered, type Sent } from 'clip-testkit/mounted-host';
import type { Program } from './program.ts';

/**
 * What a host answers over HTTP, in any runtime. `user=ID` in its cookie is the logged-in user.
 * `seesLeaving`: whether the runtime reports that a client has disconnected.
 */
export function describeConformance(
  name: string,
  start: (env: { CLIP_API_URL: string; CLIP_API_KEY: string }) => Promise<Program>,
  seesLeaving = true,
): void {
  describe(`the host in ${name}`, () => {
    let service: FakeService;
    let host: Program;
    let users = 0;

    before(async () => {
      service = await FakeService.open();
      host = await start({
        CLIP_API_URL: service.baseUrl,
        CLIP_API_KEY: service.apiKey,
      });
    });
    after(async () => {
      await host?.stop();
      await service.close();
      assert.ok(!host?.said().includes(service.apiKey), 'the key was printed');
    });

    /** A new person and a clip of theirs. */
    const person = async () => {
      const Cookie = `user=person-${users++}`;
      const ask = (method: string, path: string, sent: Sent = {}): Promise<Answered> =>
        send(host.url, method, `/clips${path}`, {
          ...sent,
          headers: { Cookie, 'Sec-Fetch-Site': 'same-origin', ...sent.headers },
        });
      const known = new Set(service.world.users.keys());
      assert.equal((await ask('GET', '/exports')).status, 200, host.said());
      const managed = [...service.world.users.keys()].find((id) => !known.has(id))!;
      const project = service.world.addProject(managed);
      return {
        ask,
        clip: project.id,
        add: () => service.world.addExport(managed, project),
        task: () => service.world.addTask(managed, 'video-to-shorts'),
      };
    };
    const refused = (answered: Answered): unknown[] => [
      answered.status,
      answered.headers['content-type'],
      answered.json<Problem>().code,
    ];
    const problem = 'application/problem+json';

    it('gives a token to who is logged in, and none to others', async () => {
      const { ask } = await person();
      const answered = await ask('POST', '/token', { body: {} });
      assert.equal(answered.status, 200);
      const { external_access_token, expires_at } = answered.json<Record<string, string>>();
      assert.match(external_access_token!, /^ey/);
      assert.ok(Date.parse(expires_at!) > Date.now());
      const nobody = await send(host.url, 'GET', '/clips/exports');
      assert.deepEqual(refused(nobody), [401, problem, 'unauthenticated']);
    });

    it('starts an export once for an attempt key', async () => {
      const { ask, clip } = await person();
      const sent = { body: { project_id: clip }, headers: { 'Idempotency-Key': 'attempt-1' } };
      const [first, second] = await Promise.all([
        ask('POST', '/exports', sent),
        ask('POST', '/exports', sent),
      ]);
      assert.deepEqual([first.status, second.status].toSorted(), [200, 201]);
      assert.equal(first.json<Export>().id, second.json<Export>().id);
      assert.deepEqual(service.sent('POST', new RegExp(`${clip}/exports$`)).length, 1);
      const other = { ...sent, body: { project_id: clip, folder_id: 'f' } };
      const mismatch = await ask('POST', '/exports', other);
      assert.deepEqual(refused(mismatch), [409, problem, 'attempt-mismatch']);
    });

    it('holds a watcher until its time is over', async () => {
      const { ask, add } = await person();
      const { id } = add();
      const began = performance.now();
      const held = await ask('GET', `/exports?id=${id}`, { headers: { Prefer: 'wait=1' } });
      assert.ok(performance.now() - began >= 990);
      assert.deepEqual([held.status, held.headers['preference-applied']], [200, 'wait=1']);
      assert.deepEqual(
        held.json<Export[]>().map((one) => one.id),
        [id],
      );
    });

    it('tells all watchers of an export that is ready, though the first of them has left', async () => {
      const { ask, add } = await person();
      const one = add();
      // Rendering for longer than estimated: polled every few seconds.
      service.world.exports.set(one.id, { ...one, estimated_ready_at: new Date().toISOString() });
      const client = new AbortController();
      const asked = () => service.received();
      const watch = (signal?: AbortSignal) =>
        ask('GET', `/exports?id=${one.id}`, {
          headers: { Prefer: 'wait=25' },
          ...(signal ? { signal } : {}),
        });
      let came = asked();
      const first = assert.rejects(watch(client.signal), { name: 'AbortError' });
      await came;
      came = asked();
      const others = [watch(), watch()];
      await came;
      client.abort();
      await first;
      const ready = service.world.finish(one.id);
      for (const answered of await Promise.all(others)) {
        assert.deepEqual(answered.json(), [ready], host.said());
      }
    });

    it('tells a watcher though another one, who came first, has its answer', async () => {
      const { ask, add } = await person();
      const one = add();
      // Rendering for longer than estimated: polled every few seconds.
      service.world.exports.set(one.id, { ...one, estimated_ready_at: new Date().toISOString() });
      const watch = (seconds: number) =>
        ask('GET', `/exports?id=${one.id}`, { headers: { Prefer: `wait=${seconds}` } });
      const received = service.received();
      const first = watch(1);
      await received;
      const second = watch(25);
      assert.equal((await first).json<Export[]>()[0]?.status, 'processing', host.said());
      const ready = service.world.finish(one.id);
      assert.deepEqual((await second).json(), [ready], host.said());
    });

    it('holds a watcher of a task until the task changes', async () => {
      const { ask, task } = await person();
      const { id } = task();
      const watch = (seconds: number) =>
        ask('GET', `/tasks/${id}`, { headers: { Prefer: `wait=${seconds}` } });
      const received = service.received();
      const first = watch(1);
      await received;
      const second = watch(25);
      assert.equal((await first).json<Task>().status, 'processing', host.said());
      service.world.tasks.set(id, { ...service.world.tasks.get(id)!, status: 'ready' });
      assert.equal((await second).json<Task>().status, 'ready', host.said());
    });

    it('has places for ten watchers of a person, and gives those of who has left to others', async () => {
      const { ask, add } = await person();
      const { id } = add();
      const watch = (seconds: number, signal?: AbortSignal) =>
        ask('GET', `/exports?id=${id}`, {
          headers: { Prefer: `wait=${seconds}` },
          ...(signal ? { signal } : {}),
        });
      const isHeld = async () => 'preference-applied' in (await watch(1)).headers;
      const tabs = new AbortController();
      // Requests may overtake each other: who is not held asks again.
      const tab = async (): Promise<never> => {
        for (;;) await watch(25, tabs.signal);
      };
      const left = Array.from({ length: 10 }, () => assert.rejects(tab(), { name: 'AbortError' }));
      const began = performance.now();
      // All slots are taken once the next one is refused.
      while (await isHeld());
      tabs.abort();
      await Promise.all(left);
      while (!(await isHeld()));
      const passed = performance.now() - began;
      if (seesLeaving) assert.ok(passed < 25_000, 'released before the requested timeout');
    });

    it('gives those who ask together one token, though the first of them has left', async () => {
      const { ask } = await person();
      const held = service.hold('POST', /\/tokens$/);
      const received = service.received();
      const client = new AbortController();
      const token = (signal?: AbortSignal) =>
        ask('POST', '/token', { body: {}, ...(signal ? { signal } : {}) });
      const first = assert.rejects(token(client.signal), { name: 'AbortError' });
      await received;
      const others = [token(), token()];
      client.abort();
      await first;
      held.release();
      const [one, two] = await Promise.all(others);
      assert.deepEqual([one!.status, two!.status], [200, 200], host.said());
    });

    it('sends a file as an attachment, from its public address or by the service’s own download', async () => {
      const { ask, clip, add } = await person();
      const ready = service.world.finish(add().id);
      const path = `/exports/${ready.id}/download?project_id=${clip}`;
      const file = `mp4 of ${ready.id}`;
      for (const src_url of [ready.src_url, 'javascript:alert(1)', `${service.origin}/v2/no.mp4`]) {
        service.world.exports.set(ready.id, { ...ready, src_url });
        const answered = await ask('GET', path);
        assert.deepEqual(
          [answered.status, answered.headers['content-type'], answered.text],
          [200, 'video/mp4', file],
          host.said(),
        );
        assert.equal(
          answered.headers['content-disposition'],
          `attachment; filename="Clip_no._1.mp4"; filename*=UTF-8''Clip%20no.%201.mp4`,
        );
        assert.equal(answered.headers['set-cookie'], undefined);
        const rest = await ask('GET', path, { headers: { Range: 'bytes=4-' } });
        assert.deepEqual(
          [rest.status, rest.headers['content-range'], rest.text],
          [206, `bytes 4-${file.length - 1}/${file.length}`, file.slice(4)],
        );
        assert.equal((await ask('GET', path, { headers: { Range: 'bytes=900-' } })).status, 416);
      }
      const named = await ask('GET', `${path}&name=${encodeURIComponent('Hafen "ö"\r\n.mp4')}`);
      assert.equal(
        named.headers['content-disposition'],
        `attachment; filename="Hafen______.mp4"; filename*=UTF-8''Hafen%20_%C3%B6___.mp4`,
      );
      assert.ok(service.fileRequests.every(({ headers }) => !headers['authorization']));
    });

    it('refuses what does not fit', async () => {
      const { ask } = await person();
      const large = { body: JSON.stringify({ project_id: 'x'.repeat(90_000) }) };
      for (const [sent, wanted] of [
        [{ body: { user: 'bob' } }, [400, problem, 'invalid-request']],
        [{ body: '{' }, [400, problem, 'invalid-request']],
        [large, [413, problem, 'body-too-large']],
        [
          { body: '{}', headers: { 'Content-Type': 'text/plain' } },
          [415, problem, 'unsupported-media-type'],
        ],
        [{ body: {}, headers: { 'Sec-Fetch-Site': 'cross-site' } }, [403, problem, 'forbidden']],
      ] as const) {
        // Servers may end a connection whose body nobody has read, so none is used again.
        const answered = await ask('POST', '/token', { ...sent, agent: false });
        assert.deepEqual(refused(answered), wanted);
      }
      assert.deepEqual(refused(await ask('GET', '/tasks/none')), [404, problem, 'not-found']);
    });

    it('says that the service is not there', async () => {
      const { ask } = await person();
      service.order({ method: 'GET', path: /^\/exports$/, how: { status: 503 } });
      const answered = await ask('GET', '/exports');
      assert.deepEqual(refused(answered), [503, problem, 'service-unavailable']);
    });

    it('sends a start once, though the connection is lost, and finds what it started', async () => {
      const { ask, clip } = await person();
      service.order({ method: 'POST', path: /\/exports$/, acts: true, how: 'drop' });
      const sent = { body: { project_id: clip }, headers: { 'Idempotency-Key': 'attempt-1' } };
      const lost = await ask('POST', '/exports', sent);
      assert.deepEqual(refused(lost), [503, problem, 'service-unavailable']);
      assert.equal(lost.json<Problem>().unknown_outcome, true);
      const found = await ask('POST', '/exports', sent);
      assert.deepEqual([found.status, found.json<Export>().project_id], [200, clip]);
      assert.equal(service.sent('POST', new RegExp(`${clip}/exports$`)).length, 1);
    });
  });
}
