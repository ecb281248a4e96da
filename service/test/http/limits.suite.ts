import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertProblem, World, type Answer } from '../support/world.ts';

function assertLimited(answer: Answer, reason: string): void {
  assertProblem(answer, 429, 'rate-limited');
  assert.equal(answer.body.reason, reason);
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

describe('limits of users and organizations', () => {
  let world: World;
  before(async () => {
    world = await World.start({
      limits: {
        user: { openTasks: 2, queuedExports: 1, requestsPerMinute: 1000 },
        organization: { queuedExports: 2 },
      },
    });
  });
  after(() => world.close());

  it('refuse what is too much at once, however it is asked for', async () => {
    const as = await world.user();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.post('/tasks/video-to-video', world.whole(), { as })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    // Two at most are open at a time; a quick one may be ready before the last is asked for.
    assert.ok(refused.length > 0);
    for (const answer of refused) assertLimited(answer, 'open-tasks');
    const made = answers.filter(({ status }) => status === 201);
    for (const { body } of made) await world.finishTask(body.id, as);
    assert.equal((await world.post('/tasks/video-to-video', world.whole(), { as })).status, 201);
  });

  it('count exports by user and by organization', async () => {
    const users = await Promise.all([world.user(), world.user(), world.user()]);
    const clips = await Promise.all(users.map((as) => world.makeWhole(as)));
    const start = (at: number) =>
      world.post(`/projects/${clips[at]!.id}/exports`, {}, { as: users[at]! });
    const answers = await Promise.all([start(0), start(0), start(1), start(1), start(2), start(2)]);
    const refused = answers.filter(({ status }) => status !== 201);
    assert.ok(refused.length > 0);
    for (const answer of refused) assertLimited(answer, 'queued-exports');
  });
});

describe('limits of requests and of hours', () => {
  let world: World;
  before(async () => {
    world = await World.start({
      limits: { user: { requestsPerMinute: 2, sourceHoursPerDay: 0.0005 } },
    });
  });
  after(() => world.close());

  it('count each user', async () => {
    const { as, whole } = { as: await world.user(), whole: world.whole() };
    assert.equal((await world.get('/exports', { as })).status, 200);
    assert.equal((await world.get('/exports', { as })).status, 200);
    const answer = await world.get('/exports', { as });
    assertLimited(answer, 'requests');
    assert.ok(Number(answer.headers.get('retry-after')) <= 30);
    // The footage is longer than these 1.8 seconds.
    const other = await world.user();
    assertLimited(await world.post('/tasks/video-to-video', whole, { as: other }), 'source-hours');
    assert.deepEqual(await world.kept('work'), []);
  });
});
