import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import { getClientAddress } from '../../src/api/client-address.ts';

describe('the address of who sends a request', () => {
  const proxies = new BlockList();
  proxies.addAddress('10.1.2.3');
  proxies.addSubnet('172.18.0.0', 16);
  proxies.addSubnet('2001:db8::', 32, 'ipv6');

  it('is that of the connection, whatever a stranger says in a header', () => {
    for (const stranger of ['203.0.113.1', '10.1.2.4', '127.0.0.1', '2001:db9::1', '::1']) {
      assert.equal(getClientAddress(stranger, undefined, proxies), stranger);
      assert.equal(getClientAddress(stranger, '198.51.100.7', proxies), stranger);
    }
    assert.equal(getClientAddress('127.0.0.1', '198.51.100.7', new BlockList()), '127.0.0.1');
  });

  it('is what a trusted proxy says last, whatever the client has written before', () => {
    for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', '172.18.4.5', '2001:db8::9']) {
      assert.equal(getClientAddress(proxy, '198.51.100.7, 203.0.113.1', proxies), '203.0.113.1');
    }
    assert.equal(getClientAddress('10.1.2.3', '2001:db9::1', proxies), '2001:db9::1');
  });

  it('is what the outermost of several trusted proxies says', () => {
    const hops = '10.1.2.3, 198.51.100.7, 203.0.113.1, 172.18.0.2, 2001:db8::9';
    assert.equal(getClientAddress('10.1.2.3', hops, proxies), '203.0.113.1');
  });

  it('is that of the proxy if it says no address', () => {
    for (const header of [undefined, '', '203.0.113.1, unknown', '203.0.113.1,']) {
      assert.equal(getClientAddress('10.1.2.3', header, proxies), '10.1.2.3');
    }
  });

  it('is not known without a connection', () => {
    assert.equal(getClientAddress(undefined, '203.0.113.1', proxies), undefined);
  });
});
