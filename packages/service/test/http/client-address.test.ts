import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress } from '../../src/http/client-address.ts';

describe('the address of who sends a request', () => {
  it('is that of the connection, whatever a stranger says in a header', () => {
    assert.equal(clientAddress('203.0.113.1', undefined), '203.0.113.1');
    assert.equal(clientAddress('203.0.113.1', '198.51.100.7'), '203.0.113.1');
    assert.equal(clientAddress('2001:db8::1', '198.51.100.7'), '2001:db8::1');
  });

  it('is what a proxy on the same network says last', () => {
    for (const proxy of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:172.18.0.2', 'fd00::2']) {
      assert.equal(clientAddress(proxy, '198.51.100.7, 203.0.113.1'), '203.0.113.1', proxy);
    }
    assert.equal(clientAddress('127.0.0.1', '2001:db8::1'), '2001:db8::1');
  });

  it('is that of the proxy if it says no address', () => {
    assert.equal(clientAddress('127.0.0.1', undefined), '127.0.0.1');
    assert.equal(clientAddress('127.0.0.1', '203.0.113.1, unknown'), '127.0.0.1');
  });

  it('is not known without a connection', () => {
    assert.equal(clientAddress(undefined, '203.0.113.1'), undefined);
  });
});
