import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Project } from 'clip-kit/contract';
import type { Hono } from 'hono';
import { Sessions } from '../server/session.ts';
import { createSite } from '../server/site.ts';

let directory: string;
let site: Hono;
const pagesBuild = Promise.withResolvers<void>();
let docsBuild = Promise.withResolvers<void>();
let docsBuilds = 0;

const clip: Project = {
  id: 'made',
  name: 'A clip of the sample',
  author_id: 'organization',
  folder_id: 'sample',
  created_at: new Date(0).toISOString(),
  virality_score: 0.7,
  virality_score_explanation: 'It is short.',
};

const own = { 'Sec-Fetch-Site': 'same-origin' };

const logIn = async (person: string): Promise<Response> =>
  site.request('/api/session', {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ person }),
  });

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-site-'));
  await mkdir(join(directory, 'pages/assets'), { recursive: true });
  await writeFile(join(directory, 'pages/index.html'), '<!doctype html>home');
  await writeFile(join(directory, 'pages/404.html'), '<!doctype html>nothing');
  await writeFile(join(directory, 'pages/assets/a-1.js'), 'export {}');
  await writeFile(join(directory, 'secret.js'), 'not for anybody');
  await writeFile(join(directory, 'sample.vtt'), 'WEBVTT\n');
  const sessions = new Sessions('a secret of the test');
  site = createSite({
    sessions,
    clipSession: (userId) => `session of ${userId}`,
    sampleClips: () => Promise.resolve([clip]),
    sample: directory,
    pages: join(directory, 'pages'),
    kit: join(directory, 'pages/assets'),
    built: { pages: pagesBuild.promise, kit: pagesBuild.promise },
    docs: join(directory, 'docs'),
    buildDocs: () => {
      docsBuilds += 1;
      return docsBuild.promise;
    },
    serviceUrl: 'http://localhost:4400',
    sourceUrl: 'http://127.0.0.1:4300',
  });
});

after(() => rm(directory, { recursive: true, force: true }));

test('until the pages are built, they say so and load again; the kit is waited for', async () => {
  const early = await site.request('/');
  assert.equal(early.status, 503);
  assert.match(await early.text(), /content="2"[^]*being built/);
  const kit = site.request('/kit/a-1.js');
  pagesBuild.resolve();
  assert.equal((await kit).status, 200);
  assert.match(await (await site.request('/')).text(), /home/);
});

describe('login', () => {
  test('says who may log in, and nobody at first', async () => {
    const session = await (await site.request('/api/session')).json();
    assert.equal(session.person, null);
    assert.deepEqual(
      session.people.map(({ id }: { id: string }) => id),
      ['ada', 'ben'],
    );
  });

  test('the cookie names the person, is signed, and scripts cannot read it', async () => {
    const answer = await logIn('ben');
    assert.match(answer.headers.get('Set-Cookie') ?? '', /HttpOnly; SameSite=Lax/);
    const headers = { Cookie: answer.headers.get('Set-Cookie')?.split(';')[0] ?? '' };
    const session = await (await site.request('/api/session', { headers })).json();
    assert.equal(session.person.name, 'Ben Okafor');
    const forged = { Cookie: headers.Cookie.replace('ben', 'ada') };
    const other = await (await site.request('/api/session', { headers: forged })).json();
    assert.equal(other.person, null);
  });

  test('signs a session for the host, for nobody else and never from a cache', async () => {
    const answer = await site.request('/clip-session');
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    const cookie = (await logIn('ben')).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const own = await site.request('/clip-session', { headers: { Cookie: cookie } });
    assert.deepEqual(await own.json(), { session: 'session of ben' });
  });

  test('nobody else can log in', async () => {
    assert.equal((await logIn('eve')).status, 400);
  });

  test('another site cannot log anybody in or out', async () => {
    for (const method of ['POST', 'DELETE']) {
      const answer = await site.request('/api/session', {
        method,
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
      assert.equal(answer.status, 403);
    }
  });
});

describe('pages', () => {
  test('a page comes with a policy that allows no inline script', async () => {
    const answer = await site.request('/');
    assert.equal(await answer.text(), '<!doctype html>home');
    assert.match(answer.headers.get('Content-Security-Policy') ?? '', /script-src 'self';/);
    assert.match(answer.headers.get('Content-Security-Policy') ?? '', /require-trusted-types-for/);
  });

  test('a file with its hash in its name may be kept for ever, a page may not', async () => {
    const cache = async (path: string) =>
      (await site.request(path)).headers.get('Cache-Control') ?? '';
    assert.match(await cache('/assets/a-1.js'), /immutable/);
    assert.equal(await cache('/'), 'no-cache');
  });

  test('what is not there is a page too, with the status 404', async () => {
    const answer = await site.request('/nowhere');
    assert.equal(answer.status, 404);
    assert.equal(await answer.text(), '<!doctype html>nothing');
  });

  test('no path leads out of the pages', async () => {
    for (const path of ['/..%2Fsecret.js', '/%2e%2e/secret.js', '/assets/..%2f..%2fsecret.js']) {
      assert.equal((await site.request(path)).status, 404);
    }
  });
});

test('the sample has its subtitles beside it', async () => {
  const subtitles = await site.request('/sample/sample.vtt');
  assert.equal(subtitles.headers.get('Content-Type'), 'text/vtt');
  assert.equal(await subtitles.text(), 'WEBVTT\n');
});

describe('the kit', () => {
  test('is a module that pages of other sites may load', async () => {
    const answer = await site.request('/kit/a-1.js');
    assert.match(answer.headers.get('Content-Type') ?? '', /^text\/javascript/);
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal((await site.request('/kit/other.js')).status, 404);
  });
});

describe('the documentation', () => {
  const policyOf = (response: Response) => response.headers.get('Content-Security-Policy') ?? '';

  test('is built when it is first asked for, and its page loads again until then', async () => {
    const first = await Promise.all([site.request('/docs/'), site.request('/docs/host')]);
    for (const response of first) {
      assert.equal(response.status, 503);
      assert.match(await response.text(), /http-equiv="refresh"[^]*is being built/);
    }
    assert.equal(docsBuilds, 1);
    docsBuild.reject(new Error('No network.'));
    await docsBuild.promise.catch(() => {});
    docsBuild = Promise.withResolvers();
    const failed = await site.request('/docs/host');
    assert.equal(failed.status, 503);
    assert.match(await failed.text(), /could not be built[^]*npm run docs:site/);
    assert.match(await (await site.request('/docs/host')).text(), /is being built/);
  });

  test('if it is built: pages without their ending, with a policy for their scripts', async () => {
    const docs = join(directory, 'docs');
    await mkdir(join(docs, 'assets'), { recursive: true });
    await writeFile(join(docs, 'index.html'), '<!doctype html>start');
    await writeFile(join(docs, 'host.html'), '<!doctype html><script>a()</script>host');
    await writeFile(join(docs, '404.html'), '<!doctype html>no such page');
    assert.equal((await site.request('/docs/')).status, 503, 'its files are still being written');
    await writeFile(join(docs, 'clip-kit.js'), '');
    docsBuild.resolve();
    await docsBuild.promise;
    assert.equal((await site.request('/docs')).headers.get('Location'), '/docs/');
    assert.match(await (await site.request('/docs/')).text(), /start/);
    const host = await site.request('/docs/host');
    assert.match(await host.text(), /host/);
    assert.match(policyOf(host), /script-src 'self' 'sha256-[\w+/]+=*';/);
    const none = await site.request('/docs/nothing');
    assert.equal(none.status, 404);
    assert.match(await none.text(), /no such page/);
    assert.equal((await site.request('/docs/%2e%2e/secret.js')).status, 404);
  });
});
