/** The plugin's own host without WordPress: its tests in PHP, the contract, and lost answers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { FakeService } from '../support/fake-service.ts';
import { runHostCheck } from '../support/host-check.ts';
import { PhpHost } from '../support/php-host.ts';
import type { Export } from '../../src/contract/export.ts';

const folder = 'folder-1';

/** The whole check with two users and one start. */
const check = (host: PhpHost, service: FakeService, clip: string, within?: string) =>
  runHostCheck(
    // prettier-ignore
    [
      host.endpoint, '--cookie', 'user=ann', '--other-cookie', 'user=ben',
      '--other-user', 'ben', '--project', clip,
      ...(within === undefined ? [] : ['--folder', within]),
    ],
    service,
  );

describe('the host in PHP', () => {
  let service: FakeService;
  let host: PhpHost;
  let project: string;

  const call = (path: string, init: RequestInit = {}, user = 'ann'): Promise<Response> =>
    fetch(`${host.endpoint}/${path}`, {
      ...init,
      headers: {
        Cookie: `user=${user}`,
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
    host = await PhpHost.open(service);
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

  it('passes its tests in PHP', () => {
    const ended = spawnSync('php', ['test/wordpress/host/run.php'], { encoding: 'utf8' });
    assert.equal(ended.status, 0, `${ended.stdout}${ended.stderr}`);
    assert.match(ended.stdout, /^ok nothing is promised of a start/m);
  });

  it('keeps the contract', async () => {
    const { code, text } = await check(host, service, project, folder);
    assert.equal(code, 0, `${text}\n${host.said}`);
    // Those for held requests.
    assert.ok(text.endsWith('2 optional and absent, 0 broken, 2 not checked\n'), text);
    assert.equal(service.world.exports.size, 1);
  });

  it('keeps it over a service with the older words, lists and start records', async () => {
    const older = await FakeService.open({
      legacy: true,
      lists: 'wrapped',
      start: 'record',
      foreignClip: 400,
    });
    const second = await PhpHost.open(older);
    try {
      await fetch(`${second.endpoint}/exports`, { headers: { Cookie: 'user=ann' } });
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

  it('says nothing of what the service said when it failed', async () => {
    const body = { message: 'internal: db-7 at 10.0.0.7' };
    service.order({ method: 'GET', path: /^\/exports$/, how: { status: 500, body } });
    const answer = await call('exports');
    assert.equal(answer.status, 502);
    assert.doesNotMatch(await answer.text(), /db-7/);
  });
});
