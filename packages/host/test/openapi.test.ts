import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { problemStatuses } from 'clip-kit/contract';
import { described, HostWorld } from 'clip-testkit/host-world';

const { description, operations } = described;

// HostWorld compares each answer of the host's other tests with the description.
describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(
      structuredClone(description) as unknown as Record<string, unknown>,
    );
    assert.equal(valid, true, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  it('has every call of the host, by its method', async (t) => {
    const world = await HostWorld.open(t);
    for (const { path } of operations) {
      const response = await world.call('PUT', `/clips${path.replaceAll(/[{}]/g, '')}`);
      const methods = operations.filter((one) => one.path === path).map(({ method }) => method);
      const allowed = response.headers.get('Allow')?.split(', ') ?? [];
      assert.deepEqual(allowed.toSorted(), methods.toSorted(), path);
    }
    assert.equal(operations.length, 30);
  });

  it('has every code of the contract that a described call can end with', () => {
    const codes = new Set(JSON.stringify(description).match(/(?<=`)[a-z-]+(?=`: )/g));
    const missing = Object.keys(problemStatuses).filter((code) => !codes.has(code));
    assert.deepEqual(missing, ['endpoint-not-found', 'method-not-allowed']);
  });

  it('has the failure of the host itself for every call', async (t) => {
    const down = () => Promise.reject(new Error('down'));
    const world = await HostWorld.open(t, { host: { authenticate: down, onViews: down } });
    const view = { project_id: 'a', begins: true, marks: [0], muted: false };
    for (const { method, path } of operations) {
      const body = path === '/views' ? { views: [view] } : {};
      const answer = await world.call(method, `/clips${path.replaceAll(/[{}]/g, '')}`, {
        ...(method === 'POST' || method === 'PATCH' ? { body } : {}),
      });
      assert.equal(answer.status, 500, path);
    }
  });
});

describe('requests that openapi.json does not take are refused by the host', () => {
  for (const body of [
    { project_id: 'p', more: 1 },
    { project_id: '' },
    { project_id: 'p', watermark: { src_url: 'https://a.example/b', pos_x: 2 } },
  ]) {
    it(JSON.stringify(body), async (t) => {
      assert.throws(() =>
        described.assertFits({ $ref: '#/components/schemas/HostStartExportRequest' }, body, ''),
      );
      const world = await HostWorld.open(t);
      await world.problem(400, 'invalid-request', 'POST', '/clips/exports', {
        body,
        key: 'attempt-1',
      });
    });
  }

  it('a field or a parameter that the call does not have, whatever the call', async (t) => {
    const world = await HostWorld.open(t, { host: { onViews: () => {} } });
    for (const { method, path, one } of operations) {
      const at = path.replaceAll(/\{\w+\}/g, 'p');
      const query = one.parameters
        .filter(({ in: place, required }) => place === 'query' && required)
        .map(({ name }) => `${name}=attempt-1&`)
        .join('');
      const asked = [`${at}?${query}colour=red`, ...(one.requestBody ? [at] : [])];
      for (const address of asked) {
        const response = await world.call(method, `/clips${address}`, {
          ...(one.requestBody && { body: address === at ? { colour: 'red' } : {} }),
          key: 'attempt-1',
          headers: { 'If-Match': '"1"' },
        });
        const text = await response.text();
        assert.equal(response.status, 400, `${method} ${address} ${text}`);
        assert.match(text, /colour/, `${method} ${address}`);
      }
    }
  });
});
