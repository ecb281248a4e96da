import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayConnect } from '../../src/source/address-guard.ts';

test('public addresses may be connected to', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1']) {
    assert.equal(mayConnect(address, false), true, address);
  }
});

test('loopback and private ranges only where they are allowed', () => {
  const addresses = ['127.0.0.1', '127.9.9.9', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1'];
  for (const address of [
    ...addresses,
    'fd00::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
  ]) {
    assert.equal(mayConnect(address, false), false, address);
    assert.equal(mayConnect(address, true), true, address);
  }
});

test('metadata, unspecified, shared, multicast, tunnel and reserved addresses never', () => {
  const addresses = ['169.254.169.254', '0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255'];
  const six = ['::', 'fe80::1', 'ff02::1', '2002:7f00:1::', '64:ff9b::7f00:1'];
  for (const address of [...addresses, ...six, '::ffff:169.254.169.254', '240.0.0.1', 'x']) {
    assert.equal(mayConnect(address, true), false, address);
  }
});
