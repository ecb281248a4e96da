import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { hostOpenApi } from '../../../tools/host-openapi.ts';
import { problemStatuses } from 'clip-kit/contract';
import { HostWorld, type Sent } from '../../../test/support/host-world.ts';

interface Media {
  readonly schema?: object;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
}
interface Described {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: object }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

const openApi = JSON.parse(JSON.stringify(hostOpenApi('1.2.3'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
};
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ method: method.toUpperCase(), path, one })),
);

// Annotations are not constraints; the contract's own test covers the format of dates.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(openApi, 'document');

/** Fails unless the value matches; `$ref`s point into the document. */
function assertFits(schema: object, value: unknown, what: string): void {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'),
  ) as object;
  const fits = ajv.compile(absolute);
  assert.ok(fits(value), `${what}: ${JSON.stringify(value)}\n${ajv.errorsText(fits.errors)}`);
}

function operationOf(method: string, path: string) {
  const found = operations.filter(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  // A path without a parameter comes before one with a parameter: `/tasks/video-to-shorts` is not a
  // task's id.
  return found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]!;
}

/** Sends a request, and compares the answer with the document. */
async function check(
  world: HostWorld,
  status: number,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<unknown> {
  const url = new URL(`http://site${path}`);
  const { one } = operationOf(method, url.pathname);
  const response = await world.call(method, `/clips${path}`, sent);
  const what = `${method} ${path} ${response.status}`;
  const text = await response.text();
  assert.equal(response.status, status, text);
  const answer = one.responses[status];
  const described =
    answer && '$ref' in answer
      ? openApi.components.responses[answer.$ref.split('/').at(-1)!]
      : answer;
  assert.ok(described, `${what} is not described`);
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    const value = response.headers.get(name);
    if (header.required) assert.ok(value, `${what}: ${name} is missing`);
    if (value !== null) assertFits(header.schema, value, `${what}: ${name}`);
  }
  const type = response.headers.get('Content-Type');
  if (type === null) {
    assert.equal(described.content, undefined, what);
    return null;
  }
  const media = described.content?.[type];
  assert.ok(media, `${what}: ${type} is not described`);
  if (!media.schema) return null;
  const body = JSON.parse(text) as unknown;
  assertFits(media.schema, body, what);
  if (status < 400) {
    for (const { name, in: place, required, schema } of one.parameters) {
      if (place !== 'query') continue;
      const values = url.searchParams.getAll(name);
      if (required) assert.ok(values.length, `${what}: ${name} is required`);
      const list = (schema as { type?: string }).type === 'array';
      if (values.length) assertFits(schema, list ? values : values[0], `${what}: ${name}`);
    }
    const content = one.requestBody?.content['application/json']?.schema;
    if (content) assertFits(content, sent.body, `${what}: request`);
  }
  return body;
}

const shorts = { source_video_url: 'https://videos.example/talk.mp4' };

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(
      structuredClone(openApi) as unknown as Record<string, unknown>,
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
    assert.equal(operations.length, 26);
  });

  it('has every code of the contract that a described call can end with', () => {
    const described = new Set(JSON.stringify(openApi).match(/(?<=`)[a-z-]+(?=`: )/g));
    const missing = Object.keys(problemStatuses).filter((code) => !described.has(code));
    assert.deepEqual(missing, ['endpoint-not-found', 'method-not-allowed']);
  });
});

describe('answers of the host are those of openapi.json', () => {
  const open = (t: TestContext) => HostWorld.open(t);

  it('for a token', async (t) => {
    const world = await open(t);
    await check(world, 200, 'POST', '/token', { body: {} });
    const renewing = { 'Cache-Control': 'no-cache' };
    await check(world, 200, 'POST', '/token', { body: {}, headers: renewing });
    await check(world, 400, 'POST', '/token', { body: { user: 'bob' } });
    await check(world, 401, 'POST', '/token', { body: {}, user: null });
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    await check(world, 403, 'POST', '/token', { body: {}, headers });
    await check(world, 413, 'POST', '/token', { body: `"${'x'.repeat(70_000)}"` });
    await check(world, 415, 'POST', '/token', {
      body: '',
      headers: { 'Content-Type': 'text/csv' },
    });
  });

  it('for exports', async (t) => {
    const world = await open(t);
    const body = { project_id: await world.clip(), watermark: { src_url: 'https://a.example/b' } };
    const key = 'attempt-1';
    const { id } = (await check(world, 201, 'POST', '/exports', { body, key })) as { id: string };
    await check(world, 200, 'POST', '/exports', { body, key });
    const other = { project_id: body.project_id };
    await check(world, 409, 'POST', '/exports', { body: other, key });
    await check(world, 400, 'POST', '/exports', { body });
    await check(world, 404, 'POST', '/exports', { body: { project_id: 'none' }, key: 'attempt-2' });
    const clip = `project_id=${body.project_id}`;
    await check(world, 200, 'GET', `/exports?attempt=${key}`);
    await check(world, 200, 'GET', `/exports?${clip}`);
    await check(world, 400, 'GET', '/exports?page=2');
    await check(world, 200, 'GET', `/exports/${id}?${clip}`);
    await check(world, 400, 'GET', `/exports/${id}`);
    await check(world, 404, 'GET', `/exports/none?${clip}`);
    world.service.world.finish(id);
    const headers = { Prefer: 'wait=25' };
    await check(world, 200, 'GET', `/exports?id=${id}&id=none`, { headers });
    const download = `/exports/${id}/download?${clip}`;
    await check(world, 200, 'HEAD', download);
    await check(world, 200, 'GET', `${download}&name=My video.mp4`);
    await check(world, 206, 'GET', download, { headers: { Range: 'bytes=0-3' } });
    await check(world, 416, 'GET', download, { headers: { Range: 'bytes=999-' } });
    await check(world, 404, 'GET', `/exports/none/download?${clip}`);
    await check(world, 501, 'POST', `/exports/${id}/download`, {
      body: { project_id: body.project_id },
    });
  });

  it('for clips and tasks', async (t) => {
    const world = await open(t);
    const clip = await world.clip('ann', 'folder-1');
    await check(world, 200, 'GET', '/projects?folder_id=folder-1');
    await check(world, 400, 'GET', '/projects');
    await check(world, 404, 'GET', '/projects?folder_id=none');
    await check(world, 200, 'GET', `/projects/${clip}?folder_id=folder-1`);
    await check(world, 404, 'GET', '/projects/none');
    const made = await check(world, 201, 'POST', '/tasks/video-to-shorts', {
      key: 'attempt-1',
      body: shorts,
    });
    const video = { ...shorts, editing_options: { captions: false } };
    const key = 'attempt-2';
    await check(world, 201, 'POST', '/tasks/video-to-video', { key, body: video });
    await check(world, 200, 'POST', '/tasks/video-to-video', { key, body: video });
    await check(world, 200, 'GET', `/tasks?attempt=${key}`);
    await check(world, 400, 'POST', '/tasks/video-to-video', { key, body: shorts });
    await check(world, 200, 'GET', `/tasks/${(made as { id: string }).id}`);
    await check(world, 404, 'GET', '/tasks/none');
    await check(world, 200, 'GET', '/tasks', { headers: { Prefer: 'wait=1' } });
    await check(world, 400, 'GET', '/tasks?cursor=%20');
    const list = await world.call('GET', '/clips/tasks?limit=1');
    await check(
      world,
      200,
      'GET',
      `/tasks${list.headers.get('Link')!.split(/[<>]/)[1]!.replace('limit=1&', '')}`,
    );
    await check(world, 204, 'DELETE', `/tasks/${(made as { id: string }).id}`);
    await check(world, 404, 'DELETE', '/tasks/none');
  });

  it('for uploads', async (t) => {
    const world = await HostWorld.open(t, { service: { maxUploadBytes: 4 } });
    const body = { name: 'talk.mp4', size: 4 };
    const { id } = (await check(world, 201, 'POST', '/uploads', { body })) as { id: string };
    await check(world, 413, 'POST', '/uploads', { body: { ...body, size: 5 } });
    const key = 'attempt-1';
    await check(world, 201, 'POST', '/uploads', { key, body });
    await check(world, 409, 'POST', '/uploads', { key, body: { ...body, size: 3 } });
    await check(world, 400, 'POST', '/uploads', { body: { ...body, size: 0 } });
    await check(world, 200, 'GET', `/uploads/${id}`);
    await check(world, 204, 'DELETE', `/uploads/${id}`);
    await check(world, 404, 'GET', `/uploads/${id}`);
  });

  it('for edits', async (t) => {
    const world = await open(t);
    const clip = await world.clip('ann', 'folder-1');
    const path = `/projects/${clip}/edit`;
    const headers = { 'If-Match': '"1"' };
    await check(world, 200, 'GET', path);
    await check(world, 404, 'GET', '/projects/none/edit');
    const body = { changes: { title: 'Dawn' } };
    await check(world, 428, 'PATCH', path, { body });
    await check(world, 200, 'PATCH', path, { body, headers });
    await check(world, 412, 'PATCH', path, { body, headers });
    const wrong = { changes: { start: -1 } };
    await check(world, 422, 'PATCH', path, { body: wrong, headers: { 'If-Match': '"2"' } });
    const key = 'attempt-1';
    await check(world, 201, 'POST', `/projects/${clip}/copy`, { key, body: {} });
    await check(world, 201, 'POST', '/projects/folder-1', { key, body: { start: 1, end: 9 } });
    await check(world, 400, 'POST', '/projects/folder-1', { body: { start: 1, end: 9 } });
    await check(world, 404, 'POST', '/projects/none/copy', { key, body: {} });
  });

  for (const [from, status] of [
    [402, 402],
    [422, 422],
    [429, 429],
    [500, 502],
    [503, 503],
    [504, 504],
  ] as const) {
    it(`for a start that the service answers ${from}`, async (t) => {
      const world = await open(t);
      const body = { project_id: await world.clip() };
      const how = { status: from, headers: { 'Retry-After': '3' }, body: {} };
      world.service.order({ method: 'POST', path: /exports$/, how });
      await check(world, status, 'POST', '/exports', { body, key: 'attempt-1' });
    });
  }

  it('for a failure of the host itself', async (t) => {
    const down = () => Promise.reject(new Error('down'));
    const world = await HostWorld.open(t, { host: { authenticate: down, onViews: down } });
    const view = { project_id: 'a', begins: true, marks: [0], muted: false };
    for (const { method, path } of operations) {
      const body = path === '/views' ? { views: [view] } : {};
      await check(world, 500, method, path.replaceAll(/[{}]/g, ''), {
        ...(method === 'POST' || method === 'PATCH' ? { body } : {}),
      });
    }
  });

  it('for views: taken, refused, and of a host that takes none', async (t) => {
    const view = { project_id: 'a', begins: true, marks: [0], muted: false };
    const world = await HostWorld.open(t, { host: { onViews: () => {} } });
    await check(world, 204, 'POST', '/views', { body: { views: [view] } });
    await check(world, 400, 'POST', '/views', { body: { views: [] } });
    await check(await HostWorld.open(t), 501, 'POST', '/views', { body: { views: [view] } });
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
        assertFits({ $ref: '#/components/schemas/HostStartExportRequest' }, body, ''),
      );
      const world = await HostWorld.open(t);
      await check(world, 400, 'POST', '/exports', { body, key: 'attempt-1' });
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
