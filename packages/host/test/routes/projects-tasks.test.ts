import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Task } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

const key = 'attempt-1';
const source_video_url = 'https://videos.example/talk.mp4';

describe('projects', () => {
  for (const lists of ['bare', 'wrapped'] as const) {
    it(`of a folder are a bare list (service: ${lists})`, async (t) => {
      const world = await HostWorld.open(t, { service: { lists } });
      const id = await world.clip('ann', 'f');
      await world.clip('bob', 'f');
      const found = await world.json(200, 'GET', '/clips/projects?folder_id=f');
      assert.deepEqual(found, [world.service.world.projects.get(id)]);
    });
  }

  it('one is read in its folder, or direct with its nulls', async (t) => {
    const world = await HostWorld.open(t);
    const { projects } = world.service.world;
    const inside = await world.clip('ann', 'f');
    const direct = await world.clip();
    assert.deepEqual(
      await world.json(200, 'GET', `/clips/projects/${inside}?folder_id=f`),
      projects.get(inside),
    );
    const found = await world.json<Record<string, unknown>>(
      200,
      'GET',
      `/clips/projects/${direct}`,
    );
    assert.deepEqual(
      [found['folder_id'], found['virality_score'], found['virality_score_explanation']],
      [null, null, null],
    );
  });

  it('come with poster, size and duration if the service sends them, and they fit', async (t) => {
    const world = await HostWorld.open(t);
    const author = await world.managed();
    const shown = {
      poster_url: 'https://clips.example/player/p/poster.jpg',
      width: 1080,
      height: 1920,
      duration: 20.5,
    };
    const whole = world.service.world.addProject(author, 'f', shown);
    const { poster_url: _, ...rest } = world.service.world.addProject(author, 'f', {
      ...shown,
      poster_url: 'javascript:alert(1)',
    });
    const found = await world.json(200, 'GET', '/clips/projects?folder_id=f');
    assert.deepEqual(found, [whole, rest]);
  });

  it('another user’s are not found', async (t) => {
    const world = await HostWorld.open(t);
    const bobs = await world.clip('bob');
    await world.problem(404, 'clip-not-found', 'GET', `/clips/projects/${bobs}`);
    await world.clip('bob', 'f');
    await world.problem(404, 'clip-not-found', 'GET', '/clips/projects?folder_id=f');
  });
});

describe('tasks', () => {
  for (const legacy of [false, true]) {
    it(`that make shorts are created and read${legacy ? ' (service: legacy words)' : ''}`, async (t) => {
      const world = await HostWorld.open(t, { service: { legacy } });
      const body = { source_video_url, max_clip_count: 3 };
      const task = await world.json<Task>(201, 'POST', '/clips/tasks/video-to-shorts', {
        key,
        body,
      });
      assert.deepEqual(
        [task.type, task.status, task.output_type],
        ['video-to-shorts', 'processing', 'folder'],
      );
      // Omitted fields stay omitted, so that the service can distinguish them from requested ones.
      assert.deepEqual(world.service.sent('POST', /shorts$/)[0]!.body, body);
      assert.equal(world.service.sent('POST', /shorts$/)[0]!.onBehalfOf, await world.managed());
      assert.deepEqual(await world.json(200, 'GET', `/clips/tasks/${task.id}`), task);
    });
  }

  it('that edit one video are created', async (t) => {
    const world = await HostWorld.open(t);
    const body = { source_video_url, editing_options: { captions: false } };
    const task = await world.json<Task>(201, 'POST', '/clips/tasks/video-to-video', { key, body });
    assert.equal(task.output_type, 'project');
    assert.deepEqual(world.service.sent('POST', /video$/)[0]!.body, body);
  });

  it('are created once for each key', async (t) => {
    const world = await HostWorld.open(t);
    const sent = { key, body: { source_video_url, name: 'Talk', language: 'en' } };
    const path = '/clips/tasks/video-to-shorts';
    const task = await world.json<Task>(201, 'POST', path, sent);
    const body = { language: 'en', name: 'Talk', source_video_url };
    assert.deepEqual(await world.json(200, 'POST', path, { key, body }), task);
    const other = { key, body: { ...sent.body, name: 'Other' } };
    await world.problem(409, 'attempt-mismatch', 'POST', path, other);
    await world.problem(409, 'attempt-mismatch', 'POST', '/clips/exports', {
      key,
      body: { project_id: 'p' },
    });
    assert.equal(world.service.sent('POST', /shorts$/).length, 1);
  });

  it('have fields for the site’s own server only: a page can neither set nor read them', async (t) => {
    const world = await HostWorld.open(t);
    const ann = await world.managed();
    const metadata = { customer: 'internal-7' };
    const own = { metadata, export_ids: ['e'] };
    const made = world.service.world.addTask(ann, 'video-to-shorts', own);
    const { id, ...task } = await world.json<Task>(200, 'GET', `/clips/tasks/${made.id}`);
    assert.equal(id, made.id);
    assert.ok(!('metadata' in task) && !('export_ids' in task));
    const [listed] = await world.json<Task[]>(200, 'GET', '/clips/tasks');
    assert.deepEqual(listed, { id, ...task });
    const more = `/clips/tasks/${id}/more`;
    assert.ok(!('metadata' in (await world.json<Task>(201, 'POST', more, { key, body: {} }))));
    for (const path of ['video-to-shorts', 'video-to-video']) {
      for (const [field, value] of [
        ['metadata', metadata],
        ['export_when_ready', { count: 'all' }],
      ] as const) {
        const body = { source_video_url, editing_options: {}, [field]: value };
        const sent = { key: 'attempt-2', body };
        const to = `/clips/tasks/${path}`;
        const refused = await world.problem(400, 'invalid-request', 'POST', to, sent);
        assert.deepEqual(refused.errors, [{ path: field, message: 'unknown field' }]);
      }
    }
    await world.problem(400, 'invalid-request', 'GET', '/clips/tasks?metadata[customer]=a');
  });

  it('need a key', async (t) => {
    const world = await HostWorld.open(t);
    const path = '/clips/tasks/video-to-shorts';
    await world.problem(400, 'invalid-request', 'POST', path, { body: { source_video_url } });
    assert.deepEqual(world.service.requests, []);
  });

  it('that were lost are not created twice by a service that keeps no keys', async (t) => {
    const clock = { now: Date.parse('2026-01-31T10:00:00Z') };
    const world = await HostWorld.open(t, { now: () => clock.now });
    const sent = { key, body: { source_video_url } };
    const path = '/clips/tasks/video-to-shorts';
    world.service.order({ method: 'POST', path: /shorts$/, acts: true, how: 'drop' });
    const lost = await world.problem(503, 'service-unavailable', 'POST', path, sent);
    assert.equal(lost.unknown_outcome, true);
    await world.problem(409, 'in-progress', 'POST', path, sent);
    clock.now += 120_001;
    const { started_at } = await world.problem(409, 'outcome-unknown', 'POST', path, sent);
    assert.equal(world.service.sent('POST', /shorts$/).length, 1);
    const confirmed = { ...sent.body, confirmed_start: started_at };
    await world.json<Task>(201, 'POST', path, { key, body: confirmed });
    const bodies = world.service.sent('POST', /shorts$/).map(({ body }) => body);
    assert.deepEqual(bodies, [sent.body, sent.body]);
  });

  it('are not found when they are another user’s', async (t) => {
    const world = await HostWorld.open(t);
    const { id } = world.service.world.addTask(await world.managed('bob'), 'video-to-shorts');
    await world.problem(404, 'not-found', 'GET', `/clips/tasks/${id}`);
  });

  for (const [status, code] of [
    [400, 'invalid-request'],
    [422, 'unprocessable'],
  ] as const) {
    it(`that the service refuses with ${status} are ${code}, with the fields`, async (t) => {
      const world = await HostWorld.open(t);
      const errors = [{ path: 'translate_to', message: 'Translation is not there yet.' }];
      const how = { status, body: { detail: 'not handed on', errors } };
      world.service.order({ method: 'POST', path: /shorts$/, how });
      const problem = await world.problem(status, code, 'POST', '/clips/tasks/video-to-shorts', {
        key,
        body: { source_video_url, translate_to: 'de' },
      });
      assert.deepEqual(problem.errors, errors);
      assert.equal(problem.detail, 'Translation is not there yet.');
    });
  }
});
