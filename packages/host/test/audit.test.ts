import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Export } from 'clip-kit/contract';
import type { HostAuditEntry } from '../src/index.ts';
import { HostWorld, type HostWorldOptions, site } from 'clip-testkit/host-world';

const now = Date.parse('2026-01-31T10:00:00Z');
const key = 'attempt-1';

async function open(t: TestContext, options: HostWorldOptions = {}) {
  const entries: HostAuditEntry[] = [];
  const world = await HostWorld.open(t, {
    ...options,
    now: () => now,
    host: { ...options.host, audit: (entry) => void entries.push(entry) },
  });
  return { world, entries };
}

const nothing = { projectId: null, folderId: null, exportId: null, taskId: null, code: null };
const base = { at: '2026-01-31T10:00:00.000Z', user: 'ann', ...nothing };

describe('audit', () => {
  it('tells of a start, and of the same attempt again', async (t) => {
    const { world, entries } = await open(t);
    const projectId = await world.clip('ann', 'f');
    const body = { project_id: projectId, folder_id: 'f' };
    const { id } = await world.json<Export>(201, 'POST', '/clips/exports', { key, body });
    await world.json(200, 'POST', '/clips/exports', { key, body });
    const start = { ...base, action: 'export', projectId, folderId: 'f', exportId: id };
    assert.deepEqual(entries, [
      { ...start, outcome: 'done' },
      { ...start, outcome: 'replayed' },
    ]);
  });

  it('is written before a runtime ends that ends with the answer, and before the host closes', async (t) => {
    const written: string[] = [];
    let finish = () => {};
    const world = await HostWorld.open(t, {
      host: {
        audit: async ({ action }) => {
          await new Promise<void>((resolve) => (finish = resolve));
          written.push(action);
        },
      },
    });
    const projectId = await world.clip();
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
    const request = new Request(`${site}/clips/token`, {
      method: 'POST',
      headers: { ...headers, Cookie: 'user=ann' },
      body: JSON.stringify({ project_id: projectId }),
    });
    const awaited: Promise<unknown>[] = [];
    const { status } = await world.host(request, {
      waitUntil: (work: Promise<unknown>) => void awaited.push(work),
    });
    assert.deepEqual([status, awaited.length, written], [200, 1, []]);
    const closed = world.host.close();
    finish();
    await Promise.all([...awaited, closed]);
    assert.deepEqual(written, ['token']);
  });

  it('tells of tokens, tasks and downloads, and of no look', async (t) => {
    const { world, entries } = await open(t);
    const projectId = await world.clip();
    const { id } = await world.json<Export>(201, 'POST', '/clips/exports', {
      key,
      body: { project_id: projectId },
    });
    entries.length = 0;
    await world.json(200, 'GET', '/clips/exports');
    await world.json(200, 'GET', `/clips/projects/${projectId}`);
    await world.json(200, 'POST', '/clips/token', { body: { project_id: projectId } });
    world.service.world.finish(id);
    await world.call('GET', `/clips/exports/${id}/download?project_id=${projectId}`);
    const task = await world.json<{ id: string }>(201, 'POST', '/clips/tasks/video-to-video', {
      key: 'attempt-2',
      body: { source_video_url: 'https://a.example/v.mp4', editing_options: {} },
    });
    assert.deepEqual(entries, [
      { ...base, action: 'token', outcome: 'done' },
      { ...base, action: 'download', outcome: 'done', projectId, exportId: id },
      { ...base, action: 'task', outcome: 'done', taskId: task.id },
    ]);
  });

  it('tells of refusals and failures, and of a start that may have gone through', async (t) => {
    const { world, entries } = await open(t);
    const projectId = await world.clip();
    const start = { key, body: { project_id: projectId } };
    await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', {
      key: 'attempt-0',
      body: { project_id: 'not-there' },
    });
    world.service.order({ method: 'POST', path: /exports$/, acts: true, how: 'drop' });
    await world.problem(503, 'service-unavailable', 'POST', '/clips/exports', start);
    assert.deepEqual(
      entries.map(({ action, outcome, code }) => [action, outcome, code]),
      [
        ['export', 'refused', 'clip-not-found'],
        ['export', 'unknown', 'service-unavailable'],
      ],
    );
  });

  for (const [how, audit] of Object.entries({
    throws: () => {
      throw new Error('disk full');
    },
    rejects: async () => Promise.reject(new Error('disk full')),
  })) {
    it(`that ${how} does not fail the request that is done by then`, async (t) => {
      const world = await HostWorld.open(t, { host: { audit } });
      await world.json(200, 'POST', '/clips/token', { body: {} });
      assert.match(world.log.find(({ level }) => level === 'error')!.message, /audit: disk full/);
    });
  }
});
