import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exportListSchema,
  exportSchema,
  problemSchema,
  projectListSchema,
  taskListSchema,
  tokenAnswerSchema,
  type Project,
} from 'clip-kit/contract';
import { createStateHost } from '../pages/elements/state-host.ts';

const clip: Project = {
  id: 'made',
  name: 'A clip of the sample',
  author_id: 'organization',
  folder_id: 'sample',
  created_at: new Date(0).toISOString(),
  virality_score: 0.7,
  virality_score_explanation: 'It is short.',
};

const host = createStateHost(() => Promise.resolve([clip]));

describe('the host of the state pages speaks the contract', () => {
  test('tokens', async () => {
    const token = await host.request('/frame/token', { method: 'POST' });
    assert.ok(tokenAnswerSchema.safeParse(await token.json()).success);
    const refused = await host.request('/unauthenticated/token', { method: 'POST' });
    assert.equal(refused.status, 401);
    assert.equal(problemSchema.parse(await refused.json()).code, 'unauthenticated');
  });

  test('exports', async () => {
    for (const status of ['processing', 'ready', 'error']) {
      const one = await host.request(`/watch/exports/${status}?project_id=p`);
      assert.equal(exportSchema.parse(await one.json()).status, status);
      const list = await host.request(`/watch/exports?id=${status}&id=none`);
      assert.equal(exportListSchema.parse(await list.json()).length, 1);
    }
    const limit = await host.request('/limit/exports', { method: 'POST' });
    assert.equal(limit.status, 402);
    const unresolved = await host.request('/unresolved/exports', { method: 'POST' });
    assert.equal(problemSchema.parse(await unresolved.json()).code, 'outcome-unknown');
  });

  test('clips: those of the sample', async () => {
    const made = await host.request('/ready/projects?folder_id=state');
    assert.deepEqual(projectListSchema.parse(await made.json()), [clip]);
  });

  test('forty clips, of those of the sample', async () => {
    const many = await host.request('/many/projects?folder_id=state');
    const clips = projectListSchema.parse(await many.json());
    assert.equal(new Set(clips.map(({ id }) => id)).size, 40);
  });

  test('an empty list of tasks, one in progress, a ready one, and a reached limit', async () => {
    for (const [name, status] of [
      ['empty', undefined],
      ['processing', 'processing'],
      ['many', 'ready'],
    ] as const) {
      const list = await host.request(`/${name}/tasks?limit=20`);
      assert.equal(taskListSchema.parse(await list.json())[0]?.status, status, name);
    }
    const limit = await host.request('/limit/tasks/video-to-shorts', { method: 'POST' });
    assert.equal(limit.status, 402);
  });

  test('an error where none could be made', async () => {
    const broken = createStateHost(() => Promise.reject(new Error('No ffmpeg.')));
    const failed = await broken.request('/ready/projects');
    assert.equal(problemSchema.parse(await failed.json()).code, 'service-error');
  });
});
