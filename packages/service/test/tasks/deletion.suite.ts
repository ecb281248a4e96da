import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Project } from 'clip-kit/contract';
import type { Orphan } from '../../src/operations/garbage-collection.ts';
import { sweepStorage } from '../../src/operations/maintenance.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { assertProblem, World } from 'clip-testkit/world';
import { join } from 'node:path';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';

describe('DELETE, an extension of the specification', () => {
  let world: World;
  let user: string;
  before(async () => {
    world = await World.start({ plan: { plan: 'free', exportAllowance: 4 } });
    user = await world.user();
  });
  after(() => world.close());

  const as = () => ({ as: user });
  const gone = (path: string) => world.call('DELETE', path, undefined, as());
  const stored = async (kind: string): Promise<string[]> =>
    readdir(join(world.directory, 'data', 'files', kind)).catch(() => []);
  const exportOf = async ({ id, folder_id }: Project): Promise<{ path: string; src: string }> => {
    const exports = `${folder_id ? `/projects/${folder_id}/${id}` : `/projects/${id}`}/exports`;
    const { body } = await world.post(exports, {}, as());
    const path = `${exports}/${body.id}`;
    const src = await waitFor('the export', async () => {
      const { body: now } = await world.get(path, as());
      return now.status === 'ready' ? (now.src_url as string) : null;
    });
    return { path, src };
  };

  it('of an export removes its file, and refunds nothing', async () => {
    const [clip] = await world.makeShorts(user, { target_clip_count: 1 });
    const { path, src } = await exportOf(clip!);
    assert.equal((await fetch(src)).status, 200);
    assert.equal((await gone(path)).status, 204);
    assert.equal((await fetch(src)).status, 404);
    assertProblem(await world.get(path, as()), 404, 'export-not-found');
    assertProblem(await gone(path), 404, 'export-not-found');
    // Two of four are used up by now; without the deleted one it would be one.
    for (let left = 3; left > 0; left -= 1) await exportOf(clip!);
    const exports = `/projects/${clip!.folder_id}/${clip!.id}/exports`;
    assertProblem(await world.post(exports, {}, as()), 402, 'export-limit');
  });

  it('of a clip removes it with its exports and files; its siblings stay', async () => {
    const [one, other] = await world.makeShorts(user, { target_clip_count: 2 });
    const path = `/projects/${one!.folder_id}/${one!.id}`;
    assertProblem(await gone(`/projects/${one!.id}`), 404, 'clip-not-found');
    assert.equal((await gone(path)).status, 204);
    assertProblem(await world.get(path, as()), 404, 'clip-not-found');
    assert.equal((await fetch(`${world.service.url}/player/${one!.id}/poster.jpg`)).status, 404);
    assert.equal((await fetch(`${world.service.url}/player/${other!.id}/poster.jpg`)).status, 200);
    await waitFor('its files are gone', async () => !(await stored('previews')).includes(one!.id));
  });

  it('of a task removes everything that came of it', async () => {
    const clip = await world.makeWhole(user);
    const tasks = new Set(await stored('sources'));
    const { body } = await world.post('/tasks/video-to-video', world.whole({}), as());
    const [task] = (await stored('sources')).filter((id) => !tasks.has(id));
    assert.equal(task, body.id);
    assert.equal((await gone(`/tasks/${body.id}`)).status, 204);
    assertProblem(await world.get(`/tasks/${body.id}`, as()), 404, 'not-found');
    assertProblem(await gone(`/tasks/${body.id}`), 404, 'not-found');
    await waitFor('its files are gone', async () => !(await stored('sources')).includes(body.id));
    assert.equal((await world.get(`/projects/${clip.id}`, as())).status, 200);
  });

  it('is not for another user', async () => {
    const [clip] = await world.makeShorts(user, { target_clip_count: 1 });
    const other = { as: await world.user() };
    const path = `/projects/${clip!.folder_id}/${clip!.id}`;
    assertProblem(await world.call('DELETE', path, undefined, other), 404, 'clip-not-found');
    assert.equal((await world.get(path, as())).status, 200);
  });

  it('of a managed user erases all that the user has, and only the organization may', async () => {
    const path = `/users/${user}`;
    assertProblem(await gone(path), 403, 'forbidden');
    assert.equal((await world.call('DELETE', path)).status, 204);
    assertProblem(await world.call('DELETE', path), 404, 'not-found');
    assertProblem(await world.get('/exports', as()), 403, 'forbidden');
    for (const kind of ['sources', 'posters', 'previews', 'exports']) {
      await waitFor(
        `no ${kind}`,
        async () => (await stored(kind)).length === 0,
        () => stored(kind),
      );
    }
  });

  it('that was cut off leaves files for the sweep, which tells them first', async () => {
    await world.service.close();
    const dataDir = join(world.directory, 'data');
    const path = join(dataDir, 'files', 'exports', 'lost');
    const old = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    await mkdir(path, { recursive: true });
    for (const name of ['1-old.mp4', '1-new.mp4']) await writeFile(join(path, name), 'video');
    await utimes(join(path, '1-old.mp4'), old, old);
    const config = { port: 0, dataDir, allowPrivateSources: false };
    const sweep = async (dryRun: boolean): Promise<Orphan[]> => {
      const found: Orphan[] = [];
      await sweepStorage(config, { dryRun, onOrphan: (orphan) => found.push(orphan) });
      return found;
    };
    const orphan = { key: 'exports/lost/1-old.mp4', bytes: 5 };
    assert.deepEqual(await sweep(true), [orphan]);
    assert.deepEqual(await sweep(false), [orphan]);
    assert.deepEqual(await sweep(false), []);
    assert.deepEqual(await readdir(path), ['1-new.mp4']);
  });
});
