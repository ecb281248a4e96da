import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hidePath } from '../../src/api/request-log.ts';

describe('a path in the log', () => {
  const organization = '7f3c2a10-5b1d-4e6f-9a2b-3c4d5e6f7a8b';
  for (const [path, logged] of [
    ['/v2/exports', '/v2/exports'],
    ['/files/exports/e1/secret-name.mp4', '/files/exports/e1/*'],
    ['/uploads/secret-id', '/uploads/*'],
    ['/v2/uploads/secret-id', '/v2/uploads/*'],
    ['/host/uploads/secret-id', '/host/uploads/*'],
    ['/host/uploads/secret-id/complete', '/host/uploads/*/complete'],
    [`/host/${organization}/uploads/secret-id`, `/host/${organization}/uploads/*`],
    ['/host/exports/e1/download', '/host/exports/e1/download'],
  ] as const) {
    it(`${path} is ${logged}`, () => {
      assert.equal(hidePath(path), logged);
    });
  }
});
