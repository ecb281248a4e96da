import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Export } from 'clip-kit/contract';
import type { ClipHostOptions, ExportOptions } from '../src/index.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { findPaidStart } from './support/memory-records.ts';

const starts = (world: HostWorld) =>
  world.service.sent('POST', /exports$/).map(({ path, body }) => [path.split('/').length, body]);

describe('a service that knows no folders in addresses (4.6)', () => {
  const service = { folderForm: false } as const;

  it('is found out by the first start, which is carried out once', async (t) => {
    const world = await HostWorld.open(t, { service });
    const project_id = await world.clip('ann', 'f');
    const body = { project_id, folder_id: 'f' };
    const one = await world.json<Export>(201, 'POST', '/clips/exports', { key: 'attempt-1', body });
    await world.json(201, 'POST', '/clips/exports', { key: 'attempt-2', body });
    // With the folder, without it, and from then on directly without it.
    assert.deepEqual(
      starts(world).map(([segments]) => segments),
      [5, 4, 4],
    );
    assert.equal(world.service.world.exports.size, 2);
    await world.json(200, 'GET', `/clips/exports/${one.id}?project_id=${project_id}&folder_id=f`);
  });

  it('is found out by a look as well', async (t) => {
    const world = await HostWorld.open(t, { service });
    const project_id = await world.clip('ann', 'f');
    const project = world.service.world.projects.get(project_id)!;
    const { id } = world.service.world.addExport(await world.managed(), project);
    const path = `/clips/exports/${id}?project_id=${project_id}&folder_id=f`;
    const seen = await world.json<Export>(200, 'GET', path);
    assert.equal(seen.id, id);
  });

  it('does not make a clip of nobody into another’s', async (t) => {
    const world = await HostWorld.open(t, { service });
    const foreign = await world.clip('bob', 'f');
    await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', {
      key: 'attempt-1',
      body: { project_id: foreign, folder_id: 'f' },
    });
    assert.equal(world.service.world.exports.size, 0);
  });
});

describe('a service that knows them is not asked twice once that is known', () => {
  for (const foreignClip of [404, 400] as const) {
    it(`a foreign clip is ${foreignClip} there`, async (t) => {
      const world = await HostWorld.open(t, { service: { foreignClip } });
      const mine = await world.clip('ann', 'f');
      const foreign = await world.clip('bob', 'f');
      const body = { project_id: mine, folder_id: 'f' };
      await world.json(201, 'POST', '/clips/exports', { key: 'attempt-1', body });
      await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', {
        key: 'attempt-2',
        body: { project_id: foreign, folder_id: 'f' },
      });
      assert.equal(starts(world).length, 2);
    });
  }
});

describe('a service that wants a preset inside folders (4.7, variant B)', () => {
  const service = { folderBody: 'B' } as const;
  const house = { exportOptions: (asked: ExportOptions) => ({ preset_id: 'house', ...asked }) };
  const open = async (t: TestContext, host: Partial<ClipHostOptions> = {}) => {
    const world = await HostWorld.open(t, { service, host });
    return { world, body: { project_id: await world.clip('ann', 'f'), folder_id: 'f' } };
  };

  it('gets the host’s where the page names none', async (t) => {
    const { world, body } = await open(t, house);
    await world.json(201, 'POST', '/clips/exports', { key: 'attempt-1', body });
    await world.json(201, 'POST', '/clips/exports', { key: 'attempt-2', body });
    assert.deepEqual(
      starts(world).map(([, sent]) => sent),
      [{ preset_id: 'house' }, { preset_id: 'house' }],
    );
    assert.equal(world.service.world.exports.size, 2);
  });

  it('gets the page’s where it names one', async (t) => {
    const { world, body } = await open(t, house);
    const sent = { ...body, preset_id: 'bold' };
    await world.json(201, 'POST', '/clips/exports', { key: 'attempt-1', body: sent });
    assert.deepEqual(
      starts(world).map(([, one]) => one),
      [{ preset_id: 'bold' }],
    );
  });

  it('without any: 422 that says what to do, and the key is free', async (t) => {
    const { world, body } = await open(t);
    const sent = { key: 'attempt-1', body };
    const problem = await world.problem(422, 'unprocessable', 'POST', '/clips/exports', sent);
    assert.match(problem.detail!, /preset/);
    assert.deepEqual(problem.errors![0]!.path, 'preset_id');
    assert.equal(await findPaidStart(world.records, 'ann', 'attempt-1'), null);
  });

  it('with a watermark: 422, since it takes none; found out by its refusal', async (t) => {
    const { world, body } = await open(t);
    const problem = await world.problem(422, 'unprocessable', 'POST', '/clips/exports', {
      key: 'attempt-1',
      body: { ...body, watermark: { src_url: 'https://a.example/b.png' } },
    });
    assert.deepEqual(problem.errors![0]!.path, 'watermark');
    assert.equal(world.service.world.exports.size, 0);
  });
});

describe('a user’s exports', () => {
  for (const pages of ['yes', 'ignored', 'refused'] as const) {
    it(`are found, the old ones too, if pages are ${pages === 'yes' ? 'given' : pages}`, async (t) => {
      const world = await HostWorld.open(t, { service: { pages } });
      const author = await world.managed();
      const project = world.service.world.projects.get(await world.clip())!;
      const ids = Array.from(
        { length: 250 },
        () => world.service.world.addExport(author, project).id,
      );
      const find = async (id: string): Promise<string[]> => {
        world.service.requests.length = 0;
        const found = await world.json<Export[]>(200, 'GET', `/clips/exports?id=${id}`);
        assert.deepEqual(
          found.map((one) => one.id),
          [id],
        );
        return world.service.requests.map(({ query }) => query);
      };
      const newest = '?limit=100';
      const again = pages === 'refused' ? '' : newest;
      assert.deepEqual(await find(ids.at(-1)!), pages === 'refused' ? [newest, ''] : [newest]);
      assert.deepEqual(await find(ids.at(-2)!), [again]);
      assert.deepEqual(await find(ids[0]!), pages === 'yes' ? [newest, ''] : [again]);
    });
  }
});
