import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { exportSchema } from 'clip-kit/contract';
import { createClipHost, memoryStore } from 'clip-host';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, fieldsOf, type Answer } from 'clip-testkit/world';

/** An extension of the specification, in which no creating call is idempotent. */
export function idempotencySuite(world: () => QuietWorld): void {
  describe('Idempotency-Key', () => {
    let clip: string;
    let organization: string;
    let key: string;
    let as: string;
    before(async () => {
      const made = await world().createOrganization('With keys');
      organization = made.id;
      key = made.apiKey;
      as = (await world().post('/users', {}, { key })).body.id;
      clip = (await world().addClip({ userId: as })).projectId;
    });
    const newKey = (): string => `test-${crypto.randomUUID()}`;
    const send = (attempt: string, path: string, body: unknown = {}): Promise<Answer> =>
      world().post(path, body, { key, as, headers: { 'Idempotency-Key': attempt } });
    const start = (attempt: string, body?: unknown): Promise<Answer> =>
      send(attempt, `/projects/${clip}/exports`, body);
    const count = async (): Promise<number> =>
      (await world().get('/exports', { key, as })).body.length;

    it('starts one export, however many calls with it come at once', async () => {
      const before = await count();
      const attempt = newKey();
      const answers = await Promise.all(Array.from({ length: 6 }, () => start(attempt)));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
      assert.equal(await count(), before + 1);
      assert.notEqual((await start(newKey())).body.id, answers[0]!.body.id);
    });

    it('gives the export as it is by now', async () => {
      const attempt = newKey();
      const { body } = await start(attempt);
      await world().setPlan({ state: 'paused' }, organization);
      assert.equal((await start(attempt)).body.id, body.id, 'though nothing new may be started');
      await world().setPlan({ state: 'active' }, organization);
      await world().finish(body.id);
      assert.equal((await start(attempt)).body.status, 'ready');
    });

    it('is refused for another request', async () => {
      const attempt = newKey();
      await start(attempt);
      const watermark = { src_url: world().sources.at('never-asked-for-a-key.png') };
      assertProblem(await start(attempt, { watermark }), 409, 'attempt-mismatch');
      assertProblem(
        await send(attempt, '/tasks/video-to-video', world().whole()),
        409,
        'attempt-mismatch',
      );
      assert.ok(!world().sources.requests.includes('never-asked-for-a-key.png'));
    });

    it('is free again after a refusal', async () => {
      const attempt = newKey();
      await world().setPlan({ state: 'paused' }, organization);
      assertProblem(await start(attempt), 402, 'export-limit');
      await world().setPlan({ state: 'active' }, organization);
      assert.equal((await start(attempt)).status, 201);
    });

    it('says that what it has made was deleted, and makes nothing', async () => {
      const attempt = newKey();
      const { body } = await start(attempt);
      const before = await count();
      await world().call('DELETE', `/projects/${clip}/exports/${body.id}`, undefined, { key, as });
      assertProblem(await start(attempt), 409, 'attempt-mismatch');
      assert.equal(await count(), before - 1);
    });

    it('makes one task, and keeps one copy of its source', async () => {
      const attempt = newKey();
      const sources = await world().kept('files/sources');
      const body = world().whole({ name: 'Once' });
      const answers = await Promise.all(
        [1, 2, 3].map(() => send(attempt, '/tasks/video-to-video', body)),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map((one) => one.body.id)).size, 1);
      // Those of deleted tasks may go meanwhile.
      const added = (await world().kept('files/sources')).filter((id) => !sources.includes(id));
      assert.deepEqual(added, [answers[0]!.body.id]);
    });

    it('is another one for another user', async () => {
      const attempt = newKey();
      const { id } = (await world().post('/users', {}, { key })).body;
      const mine = await send(attempt, '/tasks/video-to-video', world().whole());
      const theirs = await world().post('/tasks/video-to-video', world().whole(), {
        key,
        as: id,
        headers: { 'Idempotency-Key': attempt },
      });
      assert.equal(theirs.status, 201);
      assert.notEqual(theirs.body.id, mine.body.id);
    });

    it('has 8 to 128 characters that are safe in a header', async () => {
      for (const attempt of ['short', 'with blanks', 'x'.repeat(129)]) {
        const answer = await start(attempt);
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), ['Idempotency-Key']);
      }
    });

    it('makes a start of a host one, also if it arrives after the host has looked for it', async () => {
      const before = await count();
      let arriveLate: (() => Promise<Response>) | undefined;
      const store = memoryStore();
      await store.replace({ kind: 'user', hostUser: 'ann', id: '' }, null, { at: 0, value: as });
      const host = createClipHost({
        service: {
          baseUrl: `${world().url}/v2`,
          apiKey: key,
          fetch: (input, init) => {
            const send = () => world().fetch(String(input), { ...init, signal: null });
            if (arriveLate || !String(input).endsWith('/exports')) return send();
            arriveLate = send;
            return Promise.reject(new TypeError('The connection is lost.'));
          },
        },
        store,
        authenticate: () => ({ id: 'ann' }),
        basePath: '/clips',
        log: () => {},
      });
      const attempt = newKey();
      const startHere = () =>
        host(
          new Request('https://site.example/clips/exports', {
            method: 'POST',
            headers: {
              'Sec-Fetch-Site': 'same-origin',
              'Content-Type': 'application/json',
              'Idempotency-Key': attempt,
            },
            body: JSON.stringify({ project_id: clip }),
          }),
        );
      assert.equal((await startHere()).status, 503);
      const started = exportSchema.parse(await (await startHere()).json());
      const late = exportSchema.parse(await (await arriveLate!()).json());
      assert.equal(late.id, started.id);
      assert.equal(await count(), before + 1);
      await host.close();
    });
  });
}
