import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ExampleHost, examples, sessionOf } from '../support/example-hosts.ts';
import { FakeService } from '../support/fake-service.ts';
import { runHostCheck } from '../support/host-check.ts';
import type { Export } from '../../src/contract/export.ts';

const folder = 'folder-1';

/** The whole check with two users and one start. */
const check = (host: ExampleHost, service: FakeService, clip: string, within?: string) =>
  runHostCheck(
    // prettier-ignore
    [
      host.endpoint, '--cookie', sessionOf('ann'), '--other-cookie', sessionOf('ben'),
      '--other-user', 'ben', '--project', clip,
      ...(within === undefined ? [] : ['--folder', within]),
    ],
    service,
  );

for (const [name, { sources, absentRules }] of Object.entries(examples)) {
  describe(`the example host in ${name}`, () => {
    let service: FakeService;
    let host: ExampleHost;
    let project: string;

    const call = (path: string, init: RequestInit = {}, user = 'ann'): Promise<Response> =>
      fetch(`${host.endpoint}/${path}`, {
        ...init,
        headers: {
          Cookie: sessionOf(user),
          'Sec-Fetch-Site': 'same-origin',
          ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(init.headers as Record<string, string> | undefined),
        },
      });
    const start = (key: string, clip = project): Promise<Response> =>
      call('exports', {
        method: 'POST',
        body: JSON.stringify({ project_id: clip, folder_id: folder }),
        headers: { 'Idempotency-Key': key },
      });
    const starts = () => service.sent('POST', /\/exports$/).length;
    const read = async <T>(response: Response): Promise<T> => {
      const text = await response.text();
      assert.ok(response.ok, `${response.status} ${text}`);
      return JSON.parse(text) as T;
    };

    before(async () => {
      service = await FakeService.open();
      host = await ExampleHost.open(name, service);
      assert.equal((await call('exports')).status, 200);
      const [managed] = service.world.users.keys();
      project = service.world.addProject(managed!, folder).id;
      service.world.addTask(managed!, 'video-to-shorts');
    });
    after(async () => {
      await host.close();
      await service.close();
      assert.ok(!host.said.includes(service.apiKey), 'the key is in what the host wrote');
      assert.ok(!/eyJ/.test(host.said), 'a token is in what the host wrote');
    });

    for (const source of sources) {
      const file = source.split('/').at(-1);
      it(`${file} has under 160 lines, without comments and lines that are blank or brackets alone`, () => {
        const lines = readFileSync(source, 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(#|\/\/|\*|\/\*|[\])}({[;,]*\s*$)/.test(line));
        assert.ok(lines.length < 160, `${lines.length} lines`);
        assert.deepEqual(
          lines.filter((line) => line.length > 140),
          [],
        );
      });
    }

    it('keeps the contract', async () => {
      const { code, text } = await check(host, service, project, folder);
      assert.equal(code, 0, `${text}\n${host.said}`);
      const counts = `${absentRules} optional and absent, 0 broken, 2 not checked\n`;
      assert.ok(text.endsWith(counts), text);
      assert.equal(service.world.exports.size, 1);
    });

    it('keeps it over a service with the older words, lists and start records', async () => {
      const older = await FakeService.open({
        legacy: true,
        lists: 'wrapped',
        start: 'record',
        foreignClip: 400,
      });
      const second = await ExampleHost.open(name, older);
      try {
        await fetch(`${second.endpoint}/exports`, { headers: { Cookie: sessionOf('ann') } });
        const clip = older.world.addProject([...older.world.users.keys()][0]!).id;
        const { code, text } = await check(second, older, clip);
        assert.equal(code, 0, `${text}\n${second.said}`);
      } finally {
        await second.close();
        await older.close();
      }
    });

    it('starts once for ten requests with one key', async () => {
      const before = starts();
      const answers = await Promise.all(Array.from({ length: 10 }, () => start('ten-at-once')));
      const exports = await Promise.all(answers.map((answer) => read<Export>(answer)));
      assert.equal(starts(), before + 1);
      assert.equal(new Set(exports.map(({ id }) => id)).size, 1);
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    });

    it('finds a start again whose answer was lost, and does not repeat it', async () => {
      service.order({ method: 'POST', path: /\/exports$/, acts: true, how: 'drop' });
      const before = starts();
      const lost = await start('lost-answer');
      assert.ok(lost.status >= 500, String(lost.status));
      assert.equal(((await lost.json()) as { unknown_outcome?: boolean }).unknown_outcome, true);
      const [found] = await read<Export[]>(await call('exports?attempt=lost-answer'));
      assert.ok(found);
      const again = await start('lost-answer');
      assert.equal(again.status, 200);
      assert.equal((await read<Export>(again)).id, found.id);
      assert.equal(starts(), before + 1);
    });

    it('sends nothing again while a start without an answer may still be carried out', async () => {
      const [managed] = service.world.users.keys();
      const clip = service.world.addProject(managed!, folder).id;
      service.order({ method: 'POST', path: /\/exports$/, how: { status: 503 } });
      const before = starts();
      assert.equal((await start('failed-once', clip)).status, 503);
      const asked = await call('exports?attempt=failed-once');
      assert.deepEqual([asked.status, await asked.json()], [202, []]);
      assert.equal((await start('failed-once', clip)).status, 504);
      assert.equal(starts(), before + 1);
    });

    it('finds a start again after it was killed between the answer and its own writing', async () => {
      const before = starts();
      const held = service.hold('POST', /\/exports$/, true);
      const lost = start('killed-midway').catch(() => null);
      await held.arrived;
      await host.kill();
      assert.equal(await lost, null);
      await host.start();
      const [found] = await read<Export[]>(await call('exports?attempt=killed-midway'));
      assert.ok(found);
      const again = await start('killed-midway');
      assert.equal(again.status, 200);
      assert.equal((await read<Export>(again)).id, found.id);
      assert.equal(starts(), before + 1);
    });

    it('takes no cookie whose signature does not fit', async () => {
      const forged = sessionOf('ann').replace('ann.', 'ben.');
      for (const Cookie of [forged, 'session=ann', 'session=ann.', 'session=']) {
        assert.equal((await call('exports', { headers: { Cookie } })).status, 401, Cookie);
      }
    });

    it('lets nobody in without a secret of its own', async () => {
      let open: ExampleHost;
      try {
        open = await ExampleHost.open(name, service, '');
      } catch (error) {
        assert.match(String(error), /SESSION_SECRET is not set/);
        return;
      }
      const Cookie = sessionOf('ann', '');
      const answer = await fetch(`${open.endpoint}/exports`, { headers: { Cookie } });
      await open.close();
      assert.equal(answer.status, 500);
    });

    it('says nothing of what the service said when it failed', async () => {
      const body = { message: 'internal: db-7 at 10.0.0.7' };
      service.order({ method: 'GET', path: /^\/exports$/, how: { status: 500, body } });
      const answer = await call('exports');
      assert.equal(answer.status, 502);
      assert.doesNotMatch(await answer.text(), /db-7/);
    });
  });
}
