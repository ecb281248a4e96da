import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayConnect } from '../../src/source/guarded-agent.ts';

// prettier-ignore
const addresses = {
  // Public, mapped or not.
  always: ['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1'],
  // Loopback and private ranges.
  'where it is allowed': [
    '127.0.0.1', '127.9.9.9', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1', 'fd00::1', 'fd20:ce::1',
    '::127.0.0.1', '::ffff:10.0.0.1', '::ffff:127.0.0.1',
  ],
  // Metadata, unspecified, shared, multicast, translated, tunnelled and reserved ones.
  never: [
    '169.254.169.254', '0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1', 'x',
    '::', 'fe80::1', 'ff02::1', '2002:7f00:1::', '2002:a00:1::', '2001:0:7f00:1::', 'fec0::1',
    '100::1', '2001:db8::1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1',
    '::ffff:169.254.169.254', '::ffff:0:7f00:1',
    // Metadata of Amazon, Google, Oracle, Akamai, Alibaba, Scaleway and Azure, and by NAT64.
    'fd00:ec2::254', 'fd00:ec2::23', 'FD00:0EC2:0::254', 'fd00:ec2::254%eth0', 'fd20:ce::254',
    'fd00:c1::a9fe:a9fe', 'fd00:a9fe:a9fe::1', 'fd00:100::100:200', 'fd00:42::42',
    '168.63.129.16', '::ffff:168.63.129.16', '192.0.0.192', '100.100.100.200',
    'fd12:64:ff9b::a9fe:a9fe', 'fe80::a9fe:a9fe', '::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ],
};

for (const [when, list] of Object.entries(addresses)) {
  test(`may be connected to ${when}`, () => {
    for (const address of list) {
      const may = [mayConnect(address, false), mayConnect(address, true)];
      assert.deepEqual(may, [when === 'always', when !== 'never'], address);
    }
  });
}

test('an address with a zone is no public one', () => {
  for (const address of ['fe80::1%eth0', 'fe80::1%25eth0', '::1%lo', '127.0.0.1%lo']) {
    assert.equal(mayConnect(address, false), false, address);
  }
});
