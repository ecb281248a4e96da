import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { main, masker, readCommandLine, usage } from '../../src/check/main.ts';

const url = 'https://site.example/clips';
const cookie = ['--cookie', 'session=abc'];

describe('the command line of clip-host-check', () => {
  it('is read into options', () => {
    // prettier-ignore
    const line = readCommandLine([
      `${url}/`, ...cookie, '--header', 'X-CSRFToken: t:1', '--header', 'X-Two: 2',
      '--other-cookie', 'session=def', '--project', 'p', '--folder', 'f', '--start',
      '--timeout', '5', '--json', '--other-user', '7',
    ]);
    assert.deepEqual(line, {
      json: true,
      faultsPort: null,
      options: {
        endpoint: url,
        always: { 'X-CSRFToken': 't:1', 'X-Two': '2' },
        user: { 'X-CSRFToken': 't:1', 'X-Two': '2', Cookie: 'session=abc' },
        other: { Cookie: 'session=def' },
        otherUser: '7',
        project: 'p',
        folder: 'f',
        start: true,
        maxWatchMs: 5000,
      },
    });
  });

  for (const [args, message] of [
    [[], /Give one URL/],
    [[url, url, ...cookie], /Give one URL/],
    [['site.example/clips', ...cookie], /is not an http or https URL/],
    [['ftp://site.example', ...cookie], /is not an http or https URL/],
    [['https://ann:pw@site.example', ...cookie], /must not contain a user name/],
    [[`${url}?a=1`, ...cookie], /must not contain "\?"/],
    [[url], /Give the login/],
    [[url, ...cookie, '--header', 'nothing'], /--header must look like/],
    [[url, ...cookie, '--start'], /--start needs --project/],
    [[url, ...cookie, '--other-cookie', 'session=abc'], /another user/],
    [[url, '--cookie', 'session=a\nb'], /--cookie must be one line/],
    [[url, ...cookie, '--timeout', 'soon'], /--timeout must be/],
    [[url, ...cookie, '--colour'], /--colour/],
  ] as const) {
    it(`is refused with 2: ${args.join(' ') || '(nothing)'}`, async () => {
      let errors = '';
      const code = await main([...args], {
        out: () => assert.fail('nothing is printed'),
        error: (text) => (errors += text),
        colour: false,
      });
      assert.equal(code, 2);
      assert.match(errors, message);
      assert.ok(errors.includes(usage));
    });
  }

  it('asks for help', async () => {
    let out = '';
    const code = await main(['--help'], {
      out: (text) => (out += text),
      error: () => {},
      colour: false,
    });
    assert.equal(code, 0);
    assert.equal(out, `${usage}\n`);
  });
});

describe('masker', () => {
  const mask = masker({
    user: { Cookie: 'session=s3cr3t-one; theme=dark-blue' },
    other: { Authorization: 'Bearer header-secret' },
  });

  for (const [what, text] of Object.entries({
    'a cookie': 'Cookie: session=s3cr3t-one; theme=dark-blue',
    'the value of a cookie': 'user s3cr3t-one',
    'the value of a header': 'Authorization: Bearer header-secret',
    'a token in JSON': '{"external_access_token": "s3cr3t"}',
    'a csrf token in JSON': '{"csrf_token":"s3cr3t","a":1}',
    'a JWT': 'at eyJhbGciOiJub25lIn0.eyJzdWIiOiJzM2NyM3QifQ.s3cr3t',
    'a token in an address': 'https://a.example/embed/1#external_access_token=s3cr3t',
    'a bearer of any kind': 'authorization: bearer s3cr3t.x',
  })) {
    it(`takes out ${what}`, () => {
      assert.doesNotMatch(mask(text), /s3cr3t|header-secret|eyJ/);
      assert.match(mask(text), /\*\*\*/);
    });
  }

  it('leaves the rest as it is', () => {
    const text = '{"id": "1", "code": "unauthenticated", "expires_at": null}';
    assert.equal(mask(text), text);
  });
});
