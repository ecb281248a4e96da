import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from 'clip-kit/contract';
import type { HostAsk, HostUser } from '../src/index.ts';
import { HostWorld } from 'clip-testkit/host-world';

const key = 'attempt-1';
const logo = 'https://site.example/logo.png';

describe('authorize', () => {
  it('is asked what the user wants to do, with which clip', async (t) => {
    const asked: unknown[] = [];
    const world = await HostWorld.open(t, {
      host: {
        authorize({ user, action, projectId, folderId, request }: HostAsk) {
          assert.ok(request instanceof Request);
          asked.push([user.id, action, projectId, folderId]);
          return true;
        },
      },
    });
    const project_id = await world.clip('ann', 'f');
    asked.length = 0;
    const body = { project_id, folder_id: 'f' };
    const { id } = await world.json<Export>(201, 'POST', '/clips/exports', { key, body });
    const query = `project_id=${project_id}&folder_id=f`;
    await world.json(200, 'POST', '/clips/token', { body: { project_id } });
    await world.json(200, 'GET', `/clips/exports/${id}?${query}`);
    await world.json(200, 'GET', `/clips/exports?id=${id}`);
    await world.json(200, 'GET', `/clips/projects/${project_id}?folder_id=f`);
    world.service.world.finish(id);
    await world.call('GET', `/clips/exports/${id}/download?${query}`);
    assert.deepEqual(asked, [
      ['ann', 'export', project_id, 'f'],
      ['ann', 'token', null, null],
      ['ann', 'read', project_id, 'f'],
      ['ann', 'read', null, null],
      ['ann', 'read', project_id, 'f'],
      ['ann', 'download', project_id, 'f'],
    ]);
  });

  for (const [method, path, body] of [
    ['POST', '/clips/exports', { project_id: 'p' }],
    ['POST', '/clips/token', {}],
    ['GET', '/clips/exports?id=e', undefined],
    ['GET', '/clips/account', undefined],
    ['GET', '/clips/exports/e?project_id=p', undefined],
    ['GET', '/clips/exports/e/download?project_id=p', undefined],
    ['GET', '/clips/projects?folder_id=f', undefined],
    ['GET', '/clips/projects/p', undefined],
    ['GET', '/clips/tasks/t', undefined],
    [
      'POST',
      '/clips/tasks/video-to-video',
      { source_video_url: 'https://a.example/v.mp4', editing_options: {} },
    ],
  ] as const) {
    it(`no is 403, and the service is not asked: ${method} ${path}`, async (t) => {
      const world = await HostWorld.open(t, { host: { authorize: async () => false } });
      await world.problem(403, 'forbidden', method, path, { key, body });
      assert.deepEqual(world.service.requests, []);
    });
  }

  it('knows what the site itself knows of the user', async (t) => {
    interface Member extends HostUser {
      readonly plan: 'free' | 'paid';
    }
    const world = await HostWorld.open(t, {
      host: {
        authenticate: (): Member => ({ id: 'ann', plan: 'free' }),
        authorize: ({ user, action }) => (user as Member).plan === 'paid' || action !== 'export',
      },
    });
    const project_id = await world.clip();
    await world.problem(403, 'forbidden', 'POST', '/clips/exports', { key, body: { project_id } });
  });

  it('that fails is a 500 that tells nothing of why', async (t) => {
    const world = await HostWorld.open(t, {
      host: {
        authorize() {
          throw new Error('database password wrong');
        },
      },
    });
    const problem = await world.problem(500, 'internal-error', 'POST', '/clips/token', {
      body: {},
    });
    assert.ok(!JSON.stringify(problem).includes('password'));
    assert.ok(world.log.some(({ level }) => level === 'error'));
  });
});

describe('exportOptions', () => {
  it('forces a watermark, whatever the page asked for', async (t) => {
    const world = await HostWorld.open(t, {
      host: { exportOptions: () => ({ watermark: { src_url: logo, pos_x: 0.9 } }) },
    });
    const project_id = await world.clip();
    for (const [at, watermark] of [
      undefined,
      { src_url: 'https://evil.example/x.png' },
    ].entries()) {
      await world.json(201, 'POST', '/clips/exports', {
        key: `attempt-${at}`,
        body: { project_id, ...(watermark && { watermark }) },
      });
    }
    for (const { body } of world.service.sent('POST', /exports$/)) {
      assert.deepEqual(body, { watermark: { src_url: logo, pos_x: 0.9, pos_y: 0.5, scale: 1 } });
    }
  });

  it('chooses a preset by the user, and is told what the page asked for', async (t) => {
    const asked: unknown[] = [];
    const world = await HostWorld.open(t, {
      service: { folderBody: 'B' },
      host: {
        exportOptions(options, { user, folderId }) {
          asked.push([options, folderId]);
          return { preset_id: `preset-of-${user.id}` };
        },
      },
    });
    const project_id = await world.clip('ann', 'f');
    const body = { project_id, folder_id: 'f', preset_id: 'bold' };
    await world.json(201, 'POST', '/clips/exports', { key, body });
    assert.deepEqual(asked, [[{ preset_id: 'bold' }, 'f']]);
    assert.deepEqual(world.service.sent('POST', /exports$/)[0]!.body, {
      preset_id: 'preset-of-ann',
    });
  });

  it('leaves an attempt the same: its key goes with what the page sent', async (t) => {
    let serial = 0;
    const world = await HostWorld.open(t, {
      host: { exportOptions: () => ({ watermark: { src_url: `${logo}?${serial++}` } }) },
    });
    const project_id = await world.clip();
    const first = await world.json<Export>(201, 'POST', '/clips/exports', {
      key,
      body: { project_id },
    });
    const again = await world.json<Export>(200, 'POST', '/clips/exports', {
      key,
      body: { project_id },
    });
    assert.equal(again.id, first.id);
    assert.equal(world.service.sent('POST', /exports$/).length, 1);
  });

  it('that gives what the service would refuse is a 500, logged, and nothing is sent', async (t) => {
    const world = await HostWorld.open(t, {
      host: { exportOptions: () => ({ watermark: { src_url: logo, pos_x: 3 } }) },
    });
    const project_id = await world.clip();
    await world.problem(500, 'internal-error', 'POST', '/clips/exports', {
      key,
      body: { project_id },
    });
    assert.equal(world.service.sent('POST', /exports$/).length, 0);
    assert.match(world.log.find(({ level }) => level === 'error')!.message, /watermark\.pos_x/);
  });
});
