import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from '../../src/contract/export.ts';
import { HostWorld, type HostWorldOptions } from '../support/host-world.ts';
import type { TestContext } from 'node:test';

async function open(t: TestContext, options: HostWorldOptions = {}) {
  const world = await HostWorld.open(t, options);
  const { world: inside } = world.service;
  const project = inside.projects.get(await world.clip())!;
  const one = inside.addExport(await world.managed(), project);
  return { world, inside, one, path: `/clips/exports/${one.id}/download?project_id=${project.id}` };
}

async function streamed(response: Response, one: Export) {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('Content-Type'), 'video/mp4');
  assert.equal(
    response.headers.get('Content-Disposition'),
    'attachment; filename="Clip_no._1.mp4"',
  );
  assert.equal(response.headers.get('Content-Length'), String(`mp4 of ${one.id}`.length));
  assert.equal(response.headers.get('Set-Cookie'), null);
  assert.equal(await response.text(), `mp4 of ${one.id}`);
}

describe('GET {endpoint}/exports/{export_id}/download', () => {
  it('sends the browser to the public URL of a ready export', async (t) => {
    const { world, inside, one, path } = await open(t);
    const { src_url } = inside.finish(one.id);
    const response = await world.call('GET', path);
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('Location'), src_url);
    assert.equal(await response.text(), '');
  });

  it('hands the file through where the host is set so', async (t) => {
    const { world, inside, one, path } = await open(t, { host: { download: 'stream' } });
    inside.finish(one.id);
    await streamed(await world.call('GET', path), one);
  });

  it('waits while the export renders, then hands the file through', async (t) => {
    const { world, inside, one, path } = await open(t);
    const held = world.service.hold('GET', /download$/);
    const response = world.call('GET', path);
    await held.arrived;
    held.release();
    inside.finish(one.id);
    await streamed(await response, one);
  });

  for (const src_url of ['javascript:alert(1)', 'data:text/html,x', '/relative', 'file:///etc']) {
    it(`never sends the browser to ${src_url}`, async (t) => {
      const { world, inside, one, path } = await open(t);
      inside.finish(one.id);
      inside.exports.set(one.id, { ...inside.exports.get(one.id)!, src_url });
      await streamed(await world.call('GET', path), one);
    });
  }

  for (const type of ['application/json', 'application/problem+json; charset=utf-8', 'text/html']) {
    it(`never passes ${type} on as a video`, async (t) => {
      const { world, inside, one, path } = await open(t, { host: { download: 'stream' } });
      inside.finish(one.id);
      world.service.order({
        method: 'GET',
        path: /download$/,
        how: {
          status: 200,
          body: { url: 'https://files.example' },
          headers: { 'Content-Type': type },
        },
      });
      await world.problem(502, 'service-error', 'GET', path);
    });
  }

  it('is 504 for a failed export', async (t) => {
    const { world, inside, one, path } = await open(t);
    inside.finish(one.id, 'error');
    const problem = await world.problem(504, 'service-timeout', 'GET', path);
    assert.equal(problem.unknown_outcome, undefined);
  });

  it('is 404 for another user’s', async (t) => {
    const { world, inside, one, path } = await open(t);
    inside.finish(one.id);
    await world.problem(404, 'export-not-found', 'GET', path, { user: 'bob' });
    assert.equal(world.service.sent('GET', /download$/).length, 0);
  });

  it('ends with the page that leaves', async (t) => {
    const { world, path } = await open(t);
    const held = world.service.hold('GET', /download$/);
    const page = new AbortController();
    const call = world.call('GET', path, { signal: page.signal });
    await held.arrived;
    page.abort();
    await held.left;
    await call;
  });
});
