import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readDemoEnv } from '../server/env.ts';

test('without settings: the site on 4300, the service on 4400, everything kept in .data', () => {
  assert.deepEqual(readDemoEnv({}), { port: 4300, servicePort: 4400, dataDir: resolve('.data') });
});

test('PORT, SERVICE_PORT and DATA_DIR are taken; empty ones count as left out', () => {
  assert.deepEqual(readDemoEnv({ PORT: '0', SERVICE_PORT: '65535', DATA_DIR: '/srv/demo' }), {
    port: 0,
    servicePort: 65_535,
    dataDir: '/srv/demo',
  });
  assert.equal(readDemoEnv({ PORT: '' }).port, 4300);
});

for (const text of ['-1', '65536', '80a', '4.5']) {
  test(`PORT=${text} is refused by name`, () => {
    assert.throws(() => readDemoEnv({ PORT: text }), /^TypeError: PORT must be a port number/);
  });
}
