import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { UsageLimits } from '../../src/users/limits.ts';
import type { Limits } from '../../src/config/config.ts';
import { QuietWorld } from '../support/quiet-world.ts';
import { eventually, type Answer } from 'clip-testkit/world';

/** What an answer to a call says: its status, or the limit that it names. */
type Said = number | string;

// Sources are fetched, and nothing else is worked on: what is open stays open.
describe('limits of users and organizations', () => {
  let world: QuietWorld;
  before(async () => {
    world = await QuietWorld.start();
  });
  after(() => world?.close());

  /** Two organizations, the first with two managed users, and a service with the limits. */
  async function open(limits: { user?: Limits; organization?: Limits }, ingestWaitMs = 0) {
    const one = await world.createOrganization('One');
    const two = await world.createOrganization('Two');
    const user = async () => {
      const { body } = await world.post('/users', {}, { key: one.apiKey });
      return { key: one.apiKey, as: body.id as string };
    };
    const users = [await user(), await user(), { key: two.apiKey }] as const;
    const api = world.calls({ limits: new UsageLimits(limits), ingestWaitMs });
    const said = ({ status, headers, body }: Answer): Said => {
      if (status !== 429) return status;
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(body.code, 'rate-limited');
      return body.reason;
    };
    const post = async (path: string, who: (typeof users)[number], body = {}) =>
      said(await api.post(path, body, who));
    const task = { source_video_url: world.sources.at('scene.mp4'), editing_options: {} };
    return { api, post, task, users, ids: [one.id, two.id] as const };
  }
  const clipOf = async (whose: Parameters<QuietWorld['addClip']>[0]): Promise<string> =>
    (await world.addClip(whose)).projectId;
  const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, work));

  for (const kind of ['tasks', 'exports'] as const) {
    it(`count the open ${kind} of each, however many are asked for at once`, async () => {
      const limit = kind === 'tasks' ? 'openTasks' : 'queuedExports';
      const { post, task, users, ids } = await open({
        user: { [limit]: 2 },
        organization: { [limit]: 3 },
      });
      const clips = [
        await clipOf({ userId: users[0].as }),
        await clipOf({ userId: users[1].as }),
        await clipOf({ organizationId: ids[1] }),
      ];
      const ask = (at: 0 | 1 | 2) => () =>
        kind === 'tasks'
          ? post('/tasks/video-to-video', users[at], task)
          : post(`/projects/${clips[at]}/exports`, users[at]);
      const full = kind === 'tasks' ? 'open-tasks' : 'queued-exports';
      assert.deepEqual((await times(4, ask(0))).toSorted(), [201, 201, full, full]);
      const second = (await times(2, ask(1))).toSorted();
      assert.deepEqual(second, [201, full], 'the organization has three');
      assert.deepEqual(await times(2, ask(2)), [201, 201], 'another organization');
    });
  }

  it('count copies of clips, whose previews are work too', async () => {
    const { post, users } = await open({ user: { queuedExports: 3 } });
    const clip = await clipOf({ userId: users[0].as, folderId: randomUUID() });
    const copy = () => post(`/projects/${clip}/copy`, users[0]);
    const answers = (await times(5, copy)).toSorted();
    assert.deepEqual(answers, [201, 201, 201, 'queued-exports', 'queued-exports']);
    assert.equal(await post(`/projects/${clip}/exports`, users[0]), 'queued-exports');
    // Nothing is known of this source, so their work has no estimate.
    await sql`update projects set work = 0 where author_id = ${users[0].as}`.execute(
      world.jobs.service.db,
    );
  });

  it('download nothing for a task that is not made', async () => {
    const { post, task, users } = await open({ user: { openTasks: 1 } }, 3_600_000);
    const held = { ...task, source_video_url: world.sources.at('held/scene.mp4') };
    const answers: Said[] = [];
    const asked = times(10, async () => {
      const answer = await post('/tasks/video-to-video', users[0], held);
      answers.push(answer);
    });
    await eventually(() => assert.equal(answers.length, 9));
    assert.ok(answers.every((answer) => answer === 'open-tasks'));
    const fetched = () => world.sources.requests.filter((path) => path === 'held/scene.mp4').length;
    await eventually(() => assert.equal(fetched(), 1));
    world.sources.release('held/scene.mp4');
    await asked;
    assert.deepEqual([answers.at(-1), fetched()], [201, 1]);
  });

  it('fetch watermarks of a user in turn, and none for an export that is not made', async () => {
    const { post, users } = await open({ user: { queuedExports: 1 } });
    const clip = await clipOf({ userId: users[0].as });
    const watermark = { src_url: world.sources.at('logo.png') };
    const ask = () => post(`/projects/${clip}/exports`, users[0], { watermark });
    const answers = (await times(8, ask)).toSorted();
    assert.deepEqual(answers, [201, ...Array<Said>(7).fill('queued-exports')]);
    const fetched = world.sources.requests.filter((path) => path === 'logo.png');
    assert.equal(fetched.length, 2, 'those of the slots of a user');
  });

  it('refuse a source that is too long for the day, and keep nothing of it', async () => {
    // The footage has three seconds.
    const { post, task, users } = await open({ user: { sourceHoursPerDay: 2 / 3600 } }, 3_600_000);
    assert.equal(await post('/tasks/video-to-video', users[0], task), 'source-hours');
    const { db } = world.jobs.service;
    const kept = await db
      .selectFrom('tasks')
      .select('id')
      .where('author_id', '=', users[0].as)
      .execute();
    assert.deepEqual(kept, []);
    const { rows } = await sql`
      select from source_uses where author_id = ${users[0].as}`.execute(db);
    assert.equal(rows.length, 0, 'nothing is counted');
  });

  it('count only the range of a source that is used', async () => {
    const { post, task, users } = await open({ user: { sourceHoursPerDay: 2 / 3600 } }, 3_600_000);
    const ranged = { ...task, source_range: { start: 1, end: 2.5 } };
    assert.equal(await post('/tasks/video-to-video', users[0], ranged), 201);
    const { rows } = await sql<{ seconds: number }>`
      select seconds from source_uses where author_id = ${users[0].as}`.execute(
      world.jobs.service.db,
    );
    assert.deepEqual(rows, [{ seconds: 1.5 }]);
  });

  it('count no source again for further clips of it', async () => {
    // The footage has three seconds.
    const { api, users } = await open({ user: { sourceHoursPerDay: 4 / 3600 } }, 3_600_000);
    const asked = { source_video_url: world.sources.at('scene.mp4') };
    const { body: first } = await api.post('/tasks/video-to-shorts', asked, users[0]);
    const { db } = world.jobs.service;
    await sql`update tasks set status = 'ready' where id = ${first.id}`.execute(db);
    for (const count of [1, 2]) {
      const more = { target_clip_count: count };
      const further = await api.post(`/tasks/${first.id}/more`, more, users[0]);
      assert.equal(further.status, 201, JSON.stringify(further.body));
    }
    const { rows } = await sql<{ task_id: string }>`
      select task_id from source_uses where author_id = ${users[0].as}`.execute(db);
    assert.deepEqual(rows, [{ task_id: first.id }]);
  });

  it('count the hours of tasks that were deleted', async () => {
    const { api, post, task, users } = await open(
      { organization: { sourceHoursPerDay: 5 / 3600 } },
      3_600_000,
    );
    for (const answer of [201, 'source-hours']) {
      const made = await api.post('/tasks/video-to-video', task, users[0]);
      assert.equal(made.status === 201 ? 201 : 'source-hours', answer);
      const { id } = made.body;
      if (id) await api.call('DELETE', `/tasks/${id}`, undefined, users[0]);
    }
    assert.equal(
      await post('/tasks/video-to-video', users[1], task),
      'source-hours',
      'of all its users',
    );
    assert.equal(await post('/tasks/video-to-video', users[2], task), 201, 'another organization');
  });

  it('count calls by user', async () => {
    const { api, post, users } = await open({ user: { requestsPerMinute: 2 } });
    const list = async (at: 0 | 1) => (await api.get('/exports', users[at])).status;
    assert.deepEqual([await list(0), await list(0), await list(0)], [200, 200, 429]);
    assert.equal(await list(1), 200);
    assert.equal(await post('/tasks/video-to-video', users[0]), 'requests');
  });

  it('count requests for fonts, which take work, and no others that an editor reads by', async () => {
    const api = world.calls({ limits: new UsageLimits({ user: { requestsPerMinute: 2 } }) });
    const token = await world.jobs.service.tokens.issue(world.jobs.user.id);
    const headers = { Authorization: `Bearer ${token}` };
    const status = async (path: string) =>
      (await api.request(`/embed-api/projects/unknown/${path}`, { headers })).status;
    assert.equal(await status('edit'), 404);
    assert.deepEqual(
      [await status('fonts'), await status('fonts'), await status('fonts')],
      [404, 404, 429],
    );
    assert.equal(await status('edit'), 404);
  });
});
