import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { stallMs } from 'clip-testkit/stall-ms';
import {
  callJson,
  makeEndpoint,
  isRemoteUrl,
  makeJsonBody,
  type RemoteCall,
  RemoteError,
} from '../../src/remote/remote-call.ts';
import { type Asked, fakeServer, type Reply } from 'clip-testkit/fake-server';

const server = {
  name: 'speech server',
  settings: 'SPEECH',
  apiKey: 'sk-very-secret-key-0123456789',
};

/** Calls a server with these answers. */
async function call(
  answer: (asked: Asked, count: number) => Reply | null,
  more: Partial<RemoteCall> = {},
) {
  const { url, asked, close } = await fakeServer(answer);
  const body = makeJsonBody({ text: 'a' });
  const { signal } = new AbortController();
  try {
    const options = { url, body, bearer: true, signal, timeoutMs: stallMs, ...more };
    return { answer: await callJson(server, options), asked };
  } finally {
    await close();
  }
}

const failure = (...args: Parameters<typeof call>): Promise<RemoteError> =>
  call(...args).then(
    () => assert.fail('it was answered'),
    (error: unknown) => {
      assert.ok(error instanceof RemoteError, String(error));
      assert.doesNotMatch(error.message, /very-secret/);
      return error;
    },
  );

const busy = { status: 429, headers: { 'retry-after': '0' }, body: { error: 'too many' } };

describe('a call to a server of the operator', () => {
  it('brings the key and a body, and the answer', async () => {
    const { answer, asked } = await call(() => ({ body: { found: 1 } }));
    assert.deepEqual(answer, { found: 1 });
    assert.equal(asked[0]!.headers.authorization, `Bearer ${server.apiKey}`);
    assert.deepEqual(asked[0]!.json(), { text: 'a' });
  });

  it('is made again where the server is busy, after the time that it names', async () => {
    const { asked } = await call((_, count) => (count < 3 ? busy : { body: {} }));
    assert.equal(asked.length, 3);
    const { fault, message } = await failure(() => busy);
    assert.equal(fault, 'busy');
    assert.match(message, /busy or down \(HTTP 429\): too many/);
  });

  it('fails with a reason that helps, and without the key', async () => {
    const cases: [Reply, RemoteError['fault'], RegExp][] = [
      [
        { body: { error: { message: `bad key ${server.apiKey}` } } },
        'refused',
        /answered with an error: bad key \*\*\*/,
      ],
      [
        { status: 401, body: { error: { message: 'Incorrect key: sk-ver****6789.' } } },
        'refused',
        /status 401: Incorrect key: \*\*\*.*SPEECH_API_KEY/,
      ],
      [{ status: 403, body: { error: 'No' } }, 'refused', /403.*SPEECH_API_KEY/],
      [{ status: 404, body: 'nothing' }, 'refused', /status 404.*SPEECH_URL/],
      [{ status: 413, body: '' }, 'too-large', /a request of this size/],
      [{ status: 500, body: { detail: 'out of memory' } }, 'refused', /500: out of memory/],
      [{ body: '<!doctype html><p>Welcome' }, 'bad-answer', /did not answer in JSON/],
      [
        { status: 307, headers: { location: 'https://elsewhere.example/v1' }, body: '' },
        'redirect',
        /redirects.*SPEECH_URL/,
      ],
    ];
    for (const [reply, fault, reason] of cases) {
      const error = await failure(() => reply);
      assert.equal(error.fault, fault, error.message);
      assert.match(error.message, reason);
    }
    const large = await failure(() => ({ body: { text: 'x'.repeat(2000) } }), { maxBytes: 1000 });
    assert.match(large.message, /too large\. The limit is 1000 bytes/);
  });

  it('fails where nobody listens, or answers in time', async () => {
    const gone = await fakeServer(() => null);
    await gone.close();
    const away = await failure(() => null, { url: gone.url });
    assert.match(away.message, /cannot be reached \(ECONNREFUSED\).*SPEECH_URL/);
    const late = await failure(() => null, { timeoutMs: 50 });
    assert.equal(late.fault, 'timeout');
    assert.match(late.message, /did not answer within 0/);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const called = call(
      () => {
        stop.abort(new Error('stopped'));
        return null;
      },
      { signal: stop.signal },
    );
    await assert.rejects(called, { message: 'stopped' });
  });
});

test('a server is asked over https, or over http in the own network', () => {
  const good = [
    'https://api.example.com/v1',
    'http://localhost:8000',
    'http://whisper:8000/v1',
    'http://gpu.internal/v1',
    'http://127.0.0.1:5000',
    'http://10.1.2.3',
    'http://192.168.0.9:9000/v1',
    'http://172.16.0.1',
    'http://[::1]:80/',
    'http://[fd00::7]/',
  ];
  const bad = [
    'http://api.example.com/v1',
    'http://172.32.0.1',
    'http://8.8.8.8',
    'https://user:word@api.example.com',
    'https://api.example.com/v1?key=1',
    'ftp://api.example.com',
    'api.example.com',
    '',
  ];
  for (const url of good) assert.ok(isRemoteUrl(url), url);
  for (const url of bad) assert.ok(!isRemoteUrl(url), url);
});

test('an operation is found below the base, or is the address itself', () => {
  const cases = [
    ['https://h', 'https://h/v1/chat/completions'],
    ['https://h/v1', 'https://h/v1/chat/completions'],
    ['https://h/v1/', 'https://h/v1/chat/completions'],
    ['https://h/openai/v1', 'https://h/openai/v1/chat/completions'],
    ['https://h/x/chat/completions', 'https://h/x/chat/completions'],
  ] as const;
  for (const [base, url] of cases) assert.equal(makeEndpoint(base, '/chat/completions'), url);
});
