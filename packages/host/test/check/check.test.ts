import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { SignJWT } from 'jose';
import { main } from '../../src/check/main.ts';
import { rules } from '../../src/check/rules.ts';
import type { Verdict } from '../../src/check/run.ts';
import { HttpHost, type HttpHostOptions } from '../../../../test/support/http-host.ts';
import { breakers } from './broken-hosts.ts';

interface Report {
  readonly summary: Readonly<Record<Verdict['state'], number>>;
  readonly rules: readonly {
    readonly id: string;
    readonly state: Verdict['state'];
    readonly note?: string;
    readonly found?: string;
    readonly exchanges?: readonly { readonly sent: string[]; readonly received: string[] }[];
  }[];
}

async function check(
  args: readonly string[],
  watch: (text: string) => void = () => {},
  colour = false,
) {
  let text = '';
  let errors = '';
  const code = await main(args, {
    out: (more) => {
      text += more;
      watch(text);
    },
    error: (more) => {
      errors += more;
    },
    colour,
  });
  return { code, text, errors };
}

// prettier-ignore
const all = (host: HttpHost): string[] => [
  host.endpoint, '--cookie', HttpHost.ann, '--other-cookie', HttpHost.ben,
  '--other-user', 'ben', '--project', host.project, '--folder', host.folder, '--start',
];

/** Runs the whole check on a host; its export ends after the rules about holds. */
async function checkAll(t: TestContext, options: HttpHostOptions = {}) {
  const host = await HttpHost.open(t, options);
  const done = await check(all(host), (text) => {
    if (text.includes('wait-leave:')) host.finishAll();
  });
  return { host, ...done };
}

/** The rules by state, as printed. */
const printed = (text: string, word: string): string[] =>
  [...text.matchAll(new RegExp(`^${word} +([a-z-]+): `, 'gm'))].map(([, id]) => id!);

describe('clip-host-check', () => {
  it("finds every rule held by this project's host, with one start", async (t) => {
    const { host, code, text } = await checkAll(t);
    assert.deepEqual(printed(text, 'broken'), [], text);
    assert.equal(code, 0);
    // The check does not provoke these answers, so it does not see them.
    assert.deepEqual(printed(text, 'not checked'), ['attempt-in-flight', 'rate-limit']);
    assert.deepEqual(printed(text, 'optional and absent'), []);
    assert.equal(printed(text, 'held').length, rules.length - 2);
    assert.equal(host.service.world.exports.size, 1);
    assert.match(text, /\n69 held, 0 optional and absent, 0 broken, 2 not checked\n$/);
  });

  it('finds nothing broken at a host over a service with the older words and lists', async (t) => {
    const { code, text } = await checkAll(t, {
      service: { legacy: true, lists: 'wrapped', foreignClip: 400, tokenLife: null },
    });
    assert.deepEqual(printed(text, 'broken'), [], text);
    assert.equal(code, 0);
  });

  it('finds a redirect to a file that browsers play instead of saving it', async (t) => {
    const { code, text } = await checkAll(t, { host: { download: 'redirect' } });
    assert.deepEqual(printed(text, 'broken'), ['download'], text);
    assert.equal(code, 1);
  });

  it('starts nothing without --start, and says what it could not look at', async (t) => {
    const host = await HttpHost.open(t);
    const { code, text } = await check([host.endpoint, '--cookie', HttpHost.ann]);
    assert.equal(code, 0, text);
    assert.equal(host.service.world.exports.size, 0);
    assert.equal(host.service.sent('POST', /^\/tasks/).length, 0);
    for (const [id, flag] of [
      ['start', '--start'],
      ['export-shape', '--start'],
      ['other-read', '--other-cookie'],
      ['projects-read', '--project'],
      ['projects-list', '--folder'],
      ['wait', '--start'],
    ]) {
      assert.match(text, new RegExp(`^not checked +${id}: .*\\n    .*${flag}`, 'm'));
    }
  });

  it('looks at the exports that the user has, where it may not start one', async (t) => {
    const host = await HttpHost.open(t);
    const first = await check([...all(host).slice(0, -1)]);
    assert.ok(printed(first.text, 'not checked').includes('read'));
    const managed = [...host.service.world.users.keys()][0]!;
    const clip = host.service.world.clipOf(managed, host.project)!;
    host.service.world.addExport(managed, clip);
    const { code, text } = await check(all(host).slice(0, -1));
    assert.equal(code, 0, text);
    for (const id of ['read', 'export-shape', 'other-read', 'other-list', 'wait', 'wait-leave']) {
      assert.ok(printed(text, 'held').includes(id), id);
    }
    assert.equal(host.service.world.exports.size, 1);
  });

  it('logs in by a header where there is no cookie', async (t) => {
    const host = await HttpHost.open(t, {
      host: {},
      wrap: (request, next) => {
        const headers = new Headers(request.headers);
        const user = /^Bearer u-(\w+)-/.exec(headers.get('Authorization') ?? '')?.[1];
        if (user) headers.set('Cookie', `session=s-${user}-x`);
        return next(new Request(request, { headers }));
      },
    });
    // prettier-ignore
    const { code, text } = await check([
      host.endpoint, '--header', 'Authorization: Bearer u-ann-12345678',
      '--other-header', 'Authorization: Bearer u-ben-12345678',
    ]);
    assert.equal(code, 0, text);
    for (const id of ['login-required', 'token-own']) assert.ok(printed(text, 'held').includes(id));
  });

  it('finds every rule held by a host with sessions, from a page of its own origin', async (t) => {
    const secret = 'a secret of the site that has 32 bytes';
    const sign = (sub: string): Promise<string> =>
      new SignJWT({ aud: 'clip-host', sub })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime('15 minutes')
        .sign(new TextEncoder().encode(secret));
    const host = await HttpHost.open(t, {
      host: { authenticate: undefined, sessions: { secrets: [secret] }, origins: [] } as object,
    });
    // prettier-ignore
    const args = [
      host.endpoint, '--header', `Authorization: Bearer ${await sign('ann')}`,
      '--other-header', `Authorization: Bearer ${await sign('ben')}`,
      '--project', host.project, '--folder', host.folder, '--start',
    ];
    const { code, text } = await check(args, (so) => {
      if (so.includes('wait-leave:')) host.finishAll();
    });
    assert.equal(code, 0, text);
    // prettier-ignore
    assert.deepEqual(printed(text, 'not checked'), [
      'attempt-in-flight', 'cross-site-neither', 'rate-limit',
    ]);
    assert.deepEqual(printed(text, 'optional and absent'), []);
  });

  it('refuses a host that names no keys, and says why', async (t) => {
    const host = await HttpHost.open(t, { wrap: breakers['attempt-key-named']![1]! });
    const { code, text } = await check([host.endpoint, '--cookie', HttpHost.ann]);
    assert.equal(code, 1);
    assert.deepEqual(printed(text, 'broken'), ['attempt-key-named']);
    assert.match(
      text,
      /Without it, a page cannot tell, and offers a start that may be paid for twice/,
    );
  });

  it('an optional part that is missing is no fault', async (t) => {
    const { code, text } = await checkAll(t, {
      wrap: async (request, next) => {
        const missing = /\/(projects|tasks|uploads)(\/|\?|$)/.test(request.url);
        const headers = new Headers(request.headers);
        headers.delete('Prefer');
        const url = missing ? request.url.replace(/\/clips\/.*/, '/clips/no') : request.url;
        const plain = new Request(url, new Request(request, { headers }));
        return next(plain);
      },
    });
    assert.equal(code, 0, text);
    // prettier-ignore
    assert.deepEqual(printed(text, 'optional and absent'), [
      'wait', 'wait-leave', 'other-project',
      'projects-read', 'projects-list', 'allowance-read', 'links-create', 'other-links', 'edit-read', 'edit-revision', 'tasks',
      'uploads', 'other-upload', 'task-list', 'other-tasks', 'other-task',
    ]);
  });

  it('waits as a 429 says, and goes on', async (t) => {
    const seen = new Set<string>();
    const limited = (request: Request): boolean => {
      if (request.method !== 'GET' || !request.url.endsWith('/clips/exports')) return false;
      const first = !seen.size;
      seen.add(request.url);
      return first;
    };
    const { code, text } = await checkAll(t, {
      wrap: async (request, next) =>
        limited(request)
          ? new Response('{"title": "Slowly", "status": 429, "code": "rate-limited"}', {
              status: 429,
              headers: {
                'Content-Type': 'application/problem+json',
                'Cache-Control': 'no-store',
                'Retry-After': '0',
              },
            })
          : next(request),
    });
    assert.equal(code, 0, text);
    assert.ok(printed(text, 'held').includes('rate-limit'));
  });

  describe('a broken rule', () => {
    const leaky: HttpHostOptions = {
      wrap: async (request, next) => {
        const answer = await next(request.clone());
        if (!request.url.includes('/token')) return answer;
        const text = await answer.text();
        const body = JSON.stringify({ ...JSON.parse(text), cookie: request.headers.get('Cookie') });
        return new Response(body, {
          status: answer.status,
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public' },
        });
      },
    };

    it('is printed with what was sent and received, and how to fix it; the exit code is 1', async (t) => {
      const { code, text } = await checkAll(t, leaky);
      assert.equal(code, 1);
      assert.match(text, /^broken +no-store: /m);
      assert.match(
        text,
        /^    found: the header "cache-control" is "public", but should be like /m,
      );
      assert.match(text, /^    how to fix it: Set Cache-Control: no-store on all answers/m);
      assert.match(text, /^      sent:     (POST|GET) http:\/\/127\.0\.0\.1:\d+\/clips\/token$/m);
      assert.match(text, /^ {16}Cookie: \*\*\*$/m);
      assert.match(text, /^ {16}"?cache-control: public$/m);
    });

    it('shows no cookie, token or key, not even of a host that sends them back', async (t) => {
      const { text } = await checkAll(t, leaky);
      const host = await HttpHost.open(t, leaky);
      const json = await check([host.endpoint, '--cookie', HttpHost.ann, '--json']);
      for (const output of [text, json.text]) {
        assert.match(output, /no-echo/);
        assert.doesNotMatch(output, /s-ann-3f9c1d77|s-ben-81b2e0aa|eyJ|Bearer probe|test-api-key/);
      }
    });

    it('is in the JSON too', async (t) => {
      const host = await HttpHost.open(t, leaky);
      const { code, text } = await check([host.endpoint, '--cookie', HttpHost.ann, '--json']);
      assert.equal(code, 1);
      const report = JSON.parse(text) as Report;
      assert.deepEqual(
        report.rules.map(({ id }) => id),
        rules.map(({ id }) => id),
      );
      const broken = report.rules.filter(({ state }) => state === 'broken');
      assert.equal(report.summary.broken, broken.length);
      const noStore = report.rules.find(({ id }) => id === 'no-store')!;
      assert.equal(noStore.state, 'broken');
      assert.ok(noStore.exchanges?.[0]?.received.includes('cache-control: public'));
      assert.match(report.rules.find(({ id }) => id === 'start')!.note ?? '', /--start/);
    });
  });

  it('colours the states where it may', async (t) => {
    const host = await HttpHost.open(t);
    const args = [host.endpoint, '--cookie', HttpHost.ann];
    assert.match((await check(args, undefined, true)).text, /^\u001b\[32mheld/m);
    assert.doesNotMatch((await check(args)).text, /\u001b/);
  });

  describe('that cannot be made ends with 2 and a reason', () => {
    it('a host that does not answer', async (t) => {
      const host = await HttpHost.open(t);
      const gone = host.endpoint.replace(/:\d+/, ':1');
      const { code, errors } = await check([gone, '--cookie', HttpHost.ann]);
      assert.equal(code, 2);
      assert.match(errors, /cannot be reached: .*ECONNREFUSED.*Is the host running/);
    });

    it('a session that has ended, of either user', async (t) => {
      const host = await HttpHost.open(t);
      const one = await check([host.endpoint, '--cookie', 'session=old-4711abcd']);
      assert.equal(one.code, 2);
      assert.match(one.errors, /With --cookie .* nobody is logged in \(401\)/);
      assert.doesNotMatch(one.errors, /4711/);
      const args = [host.endpoint, '--cookie', HttpHost.ann, '--other-cookie', 'session=old'];
      assert.match((await check(args)).errors, /With --other-cookie/);
    });
  });
});
