import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { listFieldErrors, problemSchema, problemStatuses } from '../../src/contract/index.ts';

it('every code of the host contract has its status', () => {
  assert.deepEqual(problemStatuses, {
    'invalid-request': 400,
    unauthenticated: 401,
    'session-expired': 401,
    'session-refused': 401,
    'export-limit': 402,
    forbidden: 403,
    'clip-not-found': 404,
    'export-not-found': 404,
    'upload-not-found': 404,
    'endpoint-not-found': 404,
    'not-found': 404,
    'method-not-allowed': 405,
    'account-changed': 409,
    'attempt-mismatch': 409,
    'in-progress': 409,
    'outcome-unknown': 409,
    'body-too-large': 413,
    'upload-too-large': 413,
    'unsupported-media-type': 415,
    unprocessable: 422,
    'rate-limited': 429,
    'revision-changed': 412,
    'revision-missing': 428,
    'internal-error': 500,
    'not-supported': 501,
    'service-error': 502,
    'service-unavailable': 503,
    'service-timeout': 504,
    'storage-full': 507,
  });
});

describe('problem (RFC 9457)', () => {
  it('keeps code, errors and unknown_outcome, and drops what is unknown', () => {
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 502,
      code: 'service-error',
      detail: 'y',
      errors: [{ path: 'a', message: 'b' }],
      unknown_outcome: true,
    };
    assert.deepEqual(problemSchema.parse({ ...problem, instance: '/7' }), problem);
  });
  it('may have none of the fields, and a code of another site', () => {
    assert.deepEqual(problemSchema.parse({}), { type: 'about:blank', title: '' });
    assert.equal(problemSchema.parse({ code: 'rest_forbidden' }).code, 'rest_forbidden');
  });
});

describe('fieldErrors', () => {
  const schema = z.strictObject({
    list: z.array(z.strictObject({ n: z.number() })),
    kind: z.enum(['a', 'b']),
  });
  const errorsOf = (value: unknown) => listFieldErrors(schema.safeParse(value).error!);

  it('gives dotted paths, through lists too', () => {
    assert.deepEqual(errorsOf({ list: [{ n: 1 }, { n: 'x' }], kind: 'a' }), [
      { path: 'list.1.n', message: 'expected number' },
    ]);
  });
  it('names each unknown field separately', () => {
    assert.deepEqual(errorsOf({ list: [{ n: 1, x: 2, y: 3 }], kind: 'a' }), [
      { path: 'list.0.x', message: 'unknown field' },
      { path: 'list.0.y', message: 'unknown field' },
    ]);
  });
  it('names what would have been allowed', () => {
    assert.deepEqual(errorsOf({ list: [], kind: 'c' }), [
      { path: 'kind', message: 'expected one of a, b' },
    ]);
  });
  it('gives an empty path for the whole', () => {
    assert.deepEqual(errorsOf('text'), [{ path: '', message: 'expected object' }]);
  });
});
