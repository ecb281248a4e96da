import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DjangoSite, type DjangoLogin } from '../support/django-site.ts';
import { FakeService } from '../support/fake-service.ts';
import { runHostCheck } from '../support/host-check.ts';
import type { Export } from '../../src/contract/export.ts';

describe('the example site in Django', () => {
  let service: FakeService;
  let site: DjangoSite;
  let ann: DjangoLogin;
  let ben: DjangoLogin;
  let project: string;

  const call = (path: string, user: DjangoLogin, init: RequestInit = {}): Promise<Response> =>
    fetch(`${site.url}/clips/${path}`, {
      ...init,
      headers: {
        Cookie: user.cookie,
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  const start = (key: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    call('exports', ann, {
      method: 'POST',
      body: JSON.stringify({ project_id: project }),
      headers: { 'Idempotency-Key': key, ...headers },
    });
  const starts = () => service.sent('POST', /\/exports$/).length;

  before(async () => {
    service = await FakeService.open();
    site = await DjangoSite.open(service, ['ann', 'ben']);
    [ann, ben] = await Promise.all([site.logIn('ann'), site.logIn('ben')]);
    assert.equal((await call('exports', ann)).status, 200);
    const [managed] = service.world.users.keys();
    project = service.world.addProject(managed!).id;
    service.world.addTask(managed!, 'video-to-shorts');
  });
  after(async () => {
    await site.close();
    await service.close();
    assert.ok(!site.said.includes(service.apiKey), 'the key is in what the site wrote');
  });

  it('keeps the contract', async () => {
    const { code, text } = await runHostCheck(
      // prettier-ignore
      [
        `${site.url}/clips`,
        '--cookie', ann.cookie, '--header', `X-CSRFToken: ${ann.csrfToken}`,
        '--other-cookie', ben.cookie, '--other-header', `X-CSRFToken: ${ben.csrfToken}`,
        '--other-user', '2', '--project', project,
      ],
      service,
    );
    assert.equal(code, 0, `${text}`);
    // The clip has no folder, so its list is not checked either.
    assert.ok(text.endsWith('2 optional and absent, 0 broken, 3 not checked\n'), text);
    assert.equal(service.world.exports.size, 1);
  });

  it('pays nothing without the token of the page', async () => {
    const before = starts();
    const refused = await start('without-token', {});
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { code: string }).code, 'csrf-failed');
    assert.equal(starts(), before);
  });

  it('starts once for ten requests with one key', async () => {
    const before = starts();
    const headers = { 'X-CSRFToken': ann.csrfToken };
    const answers = await Promise.all(Array.from({ length: 10 }, () => start('ten-once', headers)));
    assert.deepEqual(
      answers
        .map(({ status }) => status)
        .sort()
        .slice(-2),
      [200, 201],
    );
    const exports = await Promise.all(answers.map((one) => one.json() as Promise<Export>));
    assert.equal(new Set(exports.map(({ id }) => id)).size, 1);
    assert.equal(starts(), before + 1);
  });
});
