/** How a page gets its session, keeps it good, and where it goes. In virtual time. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isClipError, type ClipError } from '../../src/client/clip-error.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { toClipError } from '../../src/client/errors.ts';
import { fetchSessions, SessionSource } from '../../src/client/session.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const lifeMs = 15 * minute;
const endpoint = 'https://clips.test/host';

interface Sent {
  readonly session: string;
  readonly key: string | null;
  readonly init: RequestInit;
}

let page: VirtualPage;
let sent: Sent[];
/** Answers of the host to the next calls, instead of an empty list. */
let refusals: Response[];
let source: SessionSource;
let client: HostClient;
let asked: number;
/** Who is signed in to the site; null: nobody. Undefined: the site cannot be reached. */
let user: string | null | undefined;

/** A session of the site's server, whose clock is right. */
function sessionOf(name: string): string {
  const iat = Math.floor(page.clock.time / second);
  const claims = { aud: 'clip-host', sub: name, iat, exp: iat + lifeMs / second };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(claims)}.signature-${asked}`;
}

const endOf = (session: string): number =>
  (JSON.parse(Buffer.from(session.split('.')[1]!, 'base64url').toString()) as { exp: number }).exp *
  second;

const problem = (code: string, detail?: string) =>
  Response.json({ code, detail, status: 401 }, { status: 401 });

const forVisitors = 'Your sign-in could not be checked. Try again in a moment.';
const codeOf = (cause: unknown): string => toClipError(cause).code;
const failure = (call: Promise<unknown>): Promise<ClipError> =>
  call.then(
    () => assert.fail('it did not fail'),
    (cause: unknown) => toClipError(cause),
  );

beforeEach(() => {
  page = new VirtualPage();
  sent = [];
  refusals = [];
  asked = 0;
  user = 'ann';
  source = new SessionSource(async () => {
    asked++;
    if (user === undefined) throw new TypeError('offline');
    return user && sessionOf(user);
  });
  client = new HostClient({
    endpoint,
    session: source,
    csrfToken: 'csrf',
    credentials: 'include',
    fetch: async (_, init = {}) => {
      const headers = new Headers(init.headers);
      const session = (headers.get('Authorization') ?? '').replace('Bearer ', '');
      sent.push({ session, key: headers.get('Idempotency-Key'), init });
      return refusals.shift() ?? Response.json([]);
    },
  });
});
afterEach(() => page.close());

const call = () => client.exportsById(['e']);
const start = () => client.startExport({ project_id: 'p' }, 'attempt-1');

describe('the session of a page', () => {
  it('is asked for once by all calls that need it, and goes to the host alone', async () => {
    await Promise.all([call(), call(), call()]);
    assert.equal(asked, 1);
    assert.equal(new Set(sent.map(({ session }) => session)).size, 1);
    for (const { init } of sent) {
      assert.equal(init.credentials, 'omit');
      assert.equal(new Headers(init.headers).has('X-CSRF-Token'), false);
    }
  });

  for (const wrong of [0, -hour, hour, 400 * 24 * hour]) {
    it(`is renewed in the last fifth of its life, under a clock ${wrong / hour} h off`, async () => {
      page.clock.setWrong(wrong);
      for (let at = 0; at < 120; at++) {
        await call();
        assert.ok(endOf(sent.at(-1)!.session) - page.clock.time >= 2 * minute);
        await page.clock.pass(minute);
      }
      assert.ok(asked >= 9 && asked <= 11, `${asked} sessions in two hours`);
    });
  }

  it('is renewed after a sleep, before the first call', async () => {
    await call();
    page.clock.sleep(8 * hour);
    await call();
    assert.equal(asked, 2);
    assert.ok(endOf(sent.at(-1)!.session) > page.clock.time);
  });

  for (const code of ['session-expired', 'session-refused', 'unauthenticated']) {
    it(`is renewed once after a 401 ${code}, and the start is sent again with its key`, async () => {
      await call();
      refusals.push(problem(code), Response.json(exportOf()));
      await start();
      const [, refused, again] = sent;
      assert.notEqual(refused!.session, again!.session);
      assert.deepEqual([refused!.key, again!.key], ['attempt-1', 'attempt-1']);
      assert.equal(sent.length, 3);
    });
  }

  it('is renewed once for all calls that were refused with it', async () => {
    await call();
    refusals.push(problem('session-expired'), problem('session-expired'));
    await Promise.all([call(), call()]);
    assert.equal(asked, 2);
    assert.equal(sent.length, 5);
  });

  it('that is refused twice is an error with the host’s words, and nothing is sent again', async () => {
    const why = 'iat is 400 s ahead of the host';
    refusals.push(problem('session-refused', why), problem('session-refused', why));
    const error = await failure(start());
    assert.equal(error.code, 'session-refused');
    assert.equal(error.message, forVisitors);
    assert.ok((error.cause as Error).message.includes(why));
    assert.equal(sent.length, 2);
  });

  it('is not sent again if the site has no other', async () => {
    const same = sessionOf('ann');
    source = new SessionSource(async () => same);
    client = new HostClient({
      endpoint,
      session: source,
      fetch: async () => {
        sent.push({ session: same, key: null, init: {} });
        return problem('session-refused');
      },
    });
    assert.equal((await failure(call())).code, 'session-refused');
    assert.equal(sent.length, 1);
  });

  it('stays good until its end while the site cannot be reached, and comes back with it', async () => {
    await call();
    user = undefined;
    await page.clock.pass(14 * minute);
    await call();
    await page.clock.pass(2 * minute);
    assert.equal((await failure(call())).code, 'session-failed');
    user = 'ann';
    await call();
    assert.equal(sent.length, 3);
  });

  it('is requested again when the user returns to the tab: it may be another person', async () => {
    await call();
    user = 'ben';
    page.hide();
    page.show();
    await call();
    assert.ok(Buffer.from(sent.at(-1)!.session.split('.')[1]!, 'base64url').includes('ben'));
  });
});

describe('a page of which nobody is signed in', () => {
  beforeEach(() => (user = null));

  it('sends nothing', async () => {
    assert.equal((await failure(start())).code, 'signed-out');
    assert.equal(sent.length, 0);
  });

  it('says so as soon as a renewal does, though the last session has time left', async () => {
    user = 'ann';
    await call();
    user = null;
    await page.clock.pass(13 * minute);
    assert.equal((await failure(call())).code, 'signed-out');
  });

  const returns: Record<string, () => unknown> = {
    'the window gets the focus': () => page.focus(),
    'the page is shown': () => page.show(),
    'the site says so': () => page.sessionChange(),
    'another element gets one': () => call(),
  };
  for (const [name, happens] of Object.entries(returns)) {
    it(`goes on when there is a session again: ${name}`, async () => {
      await failure(call());
      let isIn = false;
      void source.signedIn(new AbortController().signal).then(() => (isIn = true));
      await page.clock.pass(0);
      user = 'ann';
      await page.clock.pass(hour);
      assert.equal(isIn, false);
      await happens();
      await page.clock.pass(0);
      assert.equal(isIn, true);
    });
  }

  it('asks nobody any more once no element waits', async () => {
    await failure(call());
    const life = new AbortController();
    void source.signedIn(life.signal);
    life.abort();
    const before = asked;
    page.focus();
    page.show();
    await page.clock.pass(0);
    assert.equal(asked, before);
  });
});

describe('the session address', () => {
  const real = globalThis.fetch;
  let requests: RequestInit[];
  const answerWith = (answer: (signal: AbortSignal) => Response | Promise<Response>) => {
    requests = [];
    globalThis.fetch = async (_, init = {}) => {
      requests.push(init);
      return answer(init.signal!);
    };
  };
  afterEach(() => (globalThis.fetch = real));
  const get = fetchSessions('https://site.test/clip-session?secret-of-site');

  it('is asked with the site’s cookies, for JSON, past all caches', async () => {
    const session = sessionOf('ann');
    answerWith(() => Response.json({ session }));
    assert.equal(await get(), session);
    const [init] = requests;
    assert.deepEqual([init!.credentials, init!.cache], ['same-origin', 'no-store']);
    assert.equal(new Headers(init!.headers).get('Accept'), 'application/json');
  });

  it('says with 401 that nobody is signed in', async () => {
    answerWith(() => new Response('<h1>Log in</h1>', { status: 401 }));
    assert.equal(await get(), null);
  });

  const faults: [string, (signal: AbortSignal) => Response | Promise<Response>, RegExp][] = [
    ['404', () => new Response('', { status: 404 }), /\/clip-session answered 404\./],
    ['500', () => new Response('', { status: 500 }), /answered 500\./],
    ['HTML', () => new Response('\n<!doctype html>'), /answered a page of HTML\./],
    ['no JSON', () => new Response('a.b.c'), /answered no session\./],
    ['another field', () => Response.json({ token: 'a.b.c' }), /answered no session\./],
    ['no text', () => Response.json({ session: 1 }), /answered no session\./],
    [
      'a text that is not a JWT',
      () => Response.json({ session: 'x\r\ny' }),
      /answered no session\./,
    ],
    ['null', () => Response.json(null), /answered no session\./],
    ['no connection', () => Promise.reject(new TypeError('failed')), /did not answer\./],
    [
      'nothing for long',
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
      /did not answer in time\./,
    ],
  ];
  for (const [name, answer, message] of faults) {
    it(`that answers ${name} is a named error, which says what to do`, async () => {
      answerWith(answer);
      const failed = failure(get());
      await page.clock.pass(20 * second);
      const error = await failed;
      assert.ok(isClipError(error));
      assert.equal(codeOf(error), 'session-failed');
      assert.equal(error.message, forVisitors);
      const { message: why } = error.cause as Error;
      assert.match(why, message);
      assert.match(why, /must answer \{"session": "…"\} as JSON, or 401/);
      assert.ok(!inspect(error).includes('secret-of-site'));
    });
  }

  it('is asked after the session in the page, which counts once', async () => {
    const [first, second] = [sessionOf('ann'), sessionOf('ben')];
    answerWith(() => Response.json({ session: second }));
    page.sessionBlock = JSON.stringify({ session: first });
    assert.equal(await get(), first);
    assert.equal(await get(), second);
    assert.equal(requests.length, 1);
  });

  it('is asked if the block in the page is broken or empty', async () => {
    const session = sessionOf('cleo');
    answerWith(() => Response.json({ session }));
    for (const text of ['', '{', '{"session":""}', 'null', '{"session":null}']) {
      page.sessionBlock = text;
      assert.equal(await get(), session);
    }
  });
});

describe('a function of the page', () => {
  const wrong: [string, () => Promise<unknown>][] = [
    ['returns no text', async () => 7],
    ['returns no session', async () => 'Bearer abc'],
    ['returns nothing', async () => undefined],
    ['fails', () => Promise.reject(new Error('oops'))],
    ['never settles', () => new Promise(() => {})],
  ];
  for (const [name, getSession] of wrong) {
    it(`that ${name} is a named error`, async () => {
      const own = new SessionSource(getSession as () => Promise<string>);
      const failed = failure(own.get());
      await page.clock.pass(15 * second);
      assert.equal((await failed).code, 'session-failed');
    });
  }

  it('that never settles is replaced by the next call of it, for all who wait', async () => {
    const late = Promise.withResolvers<string>();
    const answers = [late.promise, Promise.resolve(sessionOf('ben'))];
    const own = new SessionSource(() => answers.shift()!);
    const waiting = [own.get(), own.get()];
    page.sessionChange();
    late.resolve(sessionOf('ann'));
    assert.equal(new Set(await Promise.all(waiting)).size, 1);
    assert.deepEqual(await own.get(), sessionOf('ben'));
  });

  it('is in no error, and neither is its session', async () => {
    refusals.push(problem('session-refused', 'no'), problem('session-refused', 'no'));
    const error = await failure(call());
    for (const { session } of sent) assert.ok(!inspect(error, { depth: 9 }).includes(session));
  });
});

const exportOf = () => ({
  id: 'e',
  status: 'processing',
  project_id: 'p',
  created_at: new Date(page.clock.time).toISOString(),
  name: 'Clip',
  author_id: 'u',
});
