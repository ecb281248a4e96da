import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveAddress } from '../../src/adapters/node-request.ts';

const host = { host: 'site.example' };

describe('the address of a request of Node', () => {
  for (const [target, headers, address] of [
    ['/clips/a?b=c', host, 'http://site.example/clips/a?b=c'],
    ['/', { host: 'site.example:8080' }, 'http://site.example:8080/'],
    ['/', { host: '[::1]:80' }, 'http://[::1]:80/'],
    ['/', { ':authority': 'h2.example' }, 'http://h2.example/'],
    ['//evil.example/a', host, 'http://site.example//evil.example/a'],
    ['http://evil.example/a?b', host, 'http://site.example/a?b'],
    ['/a', {}, 'http://host.invalid/a'],
    ['*', host, null],
    ['', host, null],
    ['evil.example:443', host, null],
    ['file:///etc/passwd', host, null],
  ] as const) {
    it(`of ${JSON.stringify(target)} with ${JSON.stringify(headers)} is ${address}`, () => {
      assert.equal(resolveAddress(target, headers, false, {}), address);
    });
  }

  for (const wrong of [
    'a b',
    'user@site.example',
    'user:secret@site.example',
    'site.example/clips/exports?x=',
    'site.example#',
    'site.example?',
    'evil.example\\@site.example',
    'site.example:999999',
    'site.example:80:80',
    '[::1',
    '%',
    '999.999.999.999',
    'ünïcode.example',
  ]) {
    it(`is null where the Host is ${JSON.stringify(wrong)}`, () => {
      assert.equal(resolveAddress('/clips/token', { host: wrong }, false, {}), null);
    });
  }

  it('is of https on a connection of TLS', () => {
    assert.equal(resolveAddress('/', host, true, {}), 'https://site.example/');
  });

  const proxied = {
    host: '10.0.0.1:3000',
    'x-forwarded-host': 'sent-by-anybody.example, www.example.com',
    'x-forwarded-proto': 'http,https',
  };
  it('is not what X-Forwarded headers say', () => {
    assert.equal(resolveAddress('/', proxied, false, {}), 'http://10.0.0.1:3000/');
  });
  it('is what the nearest proxy says in them, where it is trusted', () => {
    assert.equal(
      resolveAddress('/', proxied, false, { trustProxy: true }),
      'https://www.example.com/',
    );
  });
  it('is the connection’s own where a trusted proxy says nothing', () => {
    assert.equal(resolveAddress('/', host, true, { trustProxy: true }), 'https://site.example/');
  });
  it('has no scheme but http and https', () => {
    const headers = { ...host, 'x-forwarded-proto': 'javascript' };
    assert.equal(resolveAddress('/', headers, false, { trustProxy: true }), 'http://site.example/');
  });
  it('is null where a trusted proxy passes an invalid host on', () => {
    const headers = { ...host, 'x-forwarded-host': 'a/b' };
    assert.equal(resolveAddress('/', headers, false, { trustProxy: true }), null);
  });
  it('has the origin that the site gives, whatever the headers say', () => {
    const options = { origin: 'https://www.example.com', trustProxy: true };
    for (const headers of [{ host: 'a b' }, {}, proxied]) {
      assert.equal(resolveAddress('/a', headers, false, options), 'https://www.example.com/a');
    }
  });
});
