/** What the package offers by its published names. Needs `npm run build:kit`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

describe('package.json: exports', () => {
  for (const [name, exports] of Object.entries({
    'clip-host': ['createClipHost', 'memoryStore', 'postgresStore', 'redisStore', 'sqliteStore'],
    'clip-host/node': ['getNodeRequest', 'nodeHandler'],
    'clip-host/next': ['routeHandlers'],
    'clip-host/d1': ['d1Store'],
  })) {
    it(`${name} gives what is documented`, async () => {
      const module = (await import(name)) as Record<string, unknown>;
      assert.deepEqual(Object.keys(module).sort(), exports);
    });
  }

  it('clip-host/openapi.json is imported as JSON', async () => {
    const name = 'clip-host/openapi.json';
    const module = (await import(name, { with: { type: 'json' } })) as object;
    assert.ok('default' in module);
  });

  it('nothing else can be imported', async () => {
    for (const name of ['clip-host/dist/index.js', 'clip-host/routes/routes.js']) {
      await assert.rejects(import(name), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
    }
  });
});
