import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Export, Problem } from 'clip-kit/contract';
import { memoryStore, type HostStore } from '../../src/index.ts';
import type { PaidStart } from '../../src/stores/records.ts';
import type { Failure } from 'clip-testkit/fake-service-failures';
import type { MakeStore } from '../support/host-stores.ts';
import { HostWorld, type Sent } from 'clip-testkit/host-world';

const key = 'attempt-1';
const began = Date.parse('2026-01-31T10:00:00Z');

const inMemory: MakeStore = (_, now) => memoryStore(now);

async function open(t: TestContext, { keepsKeys = false, make = inMemory } = {}) {
  const clock = { now: began };
  const now = () => clock.now;
  const world = await HostWorld.open(t, {
    store: make(t, now),
    now,
    service: { start: 'export', keepsKeys },
  });
  const project_id = await world.clip();
  const sent: Sent = { key, body: { project_id } };
  return {
    clock,
    world,
    project_id,
    sent,
    start: (status = 201, more: Sent = {}) =>
      world.json<Export>(status, 'POST', '/clips/exports', { ...sent, ...more }),
    /** The same start again: its status, the code of a refusal, and the time that it names. */
    repeat: async (more: object = {}) => {
      const body = { project_id, ...more };
      const answer = await world.call('POST', '/clips/exports', { key, body });
      const { code, started_at, id } = (await answer.json()) as Problem & Export;
      return [answer.status, code ?? id, ...(started_at === undefined ? [] : [started_at])];
    },
    starts: () => world.service.sent('POST', /exports$/).length,
    rendered: () => world.service.world.exports.size,
    fail: (how: Failure, acts = false) =>
      world.service.order({ method: 'POST', path: /exports$/, acts, how }),
  };
}

/**
 * The first claims are answered only when all of them have been made, so none comes after the
 * effect of another.
 */
const claimingTogether =
  (make: MakeStore, count: number): MakeStore =>
  (t, now) => {
    const store = make(t, now);
    const all = Promise.withResolvers<void>();
    let made = 0;
    return {
      ...store,
      async replace(...change) {
        const isDone = await store.replace(...change);
        const [{ kind }, from] = change;
        if (kind !== 'attempt' || from) return isDone;
        if (++made === count) all.resolve();
        await all.promise;
        return isDone;
      },
    };
  };

describe('attempt keys', () => {
  it('the same key again is 200 with the same export, as it is by now', async (t) => {
    const { start, starts, world } = await open(t);
    const first = await start();
    assert.deepEqual(await start(200), first);
    world.service.world.finish(first.id);
    assert.equal((await start(200)).status, 'ready');
    assert.equal(starts(), 1);
  });

  it('a key stays with the revision that it was paid with, however the clip is edited', async (t) => {
    const { start, starts, world, project_id } = await open(t);
    const { world: service } = world.service;
    service.edit(project_id, { title: 'Dawn' });
    const first = await start();
    assert.equal(first.revision, 2);
    service.edit(project_id, { title: 'Dusk' });
    assert.deepEqual(await start(200), first);
    assert.equal(starts(), 1);
    assert.equal((await start(201, { key: 'attempt-2' })).revision, 3);
  });

  it('edited while the start is on its way: the export says which revision it shows', async (t) => {
    const { world, project_id, start, rendered } = await open(t);
    world.service.world.edit(project_id, { title: 'Dawn' });
    const held = world.service.hold('POST', /exports$/);
    const started = start();
    await held.arrived;
    world.service.world.edit(project_id, { title: 'Dusk' });
    held.release();
    const one = await started;
    assert.equal(one.revision, 3);
    assert.deepEqual(await start(200), one);
    assert.equal(rendered(), 1);
  });

  it('edited after a start whose answer was lost: the search finds what was paid for', async (t) => {
    const { world, project_id, sent, start, rendered, fail } = await open(t);
    world.service.world.edit(project_id, { title: 'Dawn' });
    fail('drop', true);
    await world.call('POST', '/clips/exports', sent);
    world.service.world.edit(project_id, { title: 'Dusk' });
    assert.equal((await start(200)).revision, 2);
    assert.equal(rendered(), 1);
  });

  it('another key is another export', async (t) => {
    const { start, starts } = await open(t);
    const first = await start();
    assert.notEqual((await start(201, { key: 'attempt-2' })).id, first.id);
    assert.equal(starts(), 2);
  });

  it('the same key of another user is theirs', async (t) => {
    const { start, world } = await open(t);
    const first = await start();
    const project_id = await world.clip('bob');
    const bobs = await start(201, { user: 'bob', body: { project_id } });
    assert.notEqual(bobs.id, first.id);
    assert.deepEqual(await start(200), first);
  });

  describe('a lost start with rivals', () => {
    /** Two lost starts, of which only the second reaches the service. */
    const lostTwice = async (t: TestContext, watermarked: boolean | null, second: object) => {
      const opened = await open(t);
      const { world, clock, sent, fail } = opened;
      fail('drop');
      await world.call('POST', '/clips/exports', sent);
      clock.now += 1000;
      fail('drop', true);
      const other = { key: 'attempt-2', body: { ...(sent.body as object), ...second } };
      await world.call('POST', '/clips/exports', other);
      const [id, one] = [...world.service.world.exports][0]!;
      world.service.world.exports.set(id, { ...one, watermarked });
      return { ...opened, id, other };
    };
    const watermark = { src_url: 'https://a.example/b.png' };

    it('an export with a watermark is not taken for a plain start', async (t) => {
      const { repeat, start, id, other } = await lostTwice(t, true, { watermark });
      assert.deepEqual(await repeat(), [409, 'in-progress']);
      assert.equal((await start(200, other)).id, id);
    });

    it('an export that either may have started is nobody’s, also later', async (t) => {
      for (const second of [{ watermark }, {}]) {
        const { world, clock, repeat, sent, other, starts } = await lostTwice(t, null, second);
        assert.deepEqual(await repeat(), [409, 'in-progress']);
        clock.now += 120_001;
        for (const again of [sent, other]) {
          await world.problem(409, 'outcome-unknown', 'POST', '/clips/exports', again);
        }
        assert.equal(starts(), 2);
      }
    });
  });

  it('a start whose user could not be created is no lost start', async (t) => {
    const { world, sent, starts } = await open(t);
    const carls = { ...sent, user: 'carl' };
    world.service.order({ method: 'POST', path: /^\/users$/, how: { status: 504 } });
    const problem = await world.problem(504, 'service-timeout', 'POST', '/clips/exports', carls);
    assert.equal(problem.unknown_outcome, false);
    assert.equal(starts(), 0);
    // The key is free: the next request is a new start, which the service refuses.
    await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', carls);
    assert.equal(starts(), 1);
  });

  it('a list that is cut short proves nothing', async (t) => {
    const { world, clock, sent, fail, starts } = await open(t);
    fail('drop');
    await world.call('POST', '/clips/exports', sent);
    clock.now += 120_001;
    const cut = { status: 200, body: [], headers: { Link: '</v2/exports?after=x>; rel="next"' } };
    world.service.order({ method: 'GET', path: /^\/exports$/, how: cut });
    await world.problem(409, 'outcome-unknown', 'POST', '/clips/exports', sent);
    assert.equal(starts(), 1);
  });

  it('the same key with another body is 409', async (t) => {
    const { start, starts, world, project_id } = await open(t);
    await start();
    const watermark = { src_url: 'https://a.example/b.png' };
    for (const body of [
      { project_id, folder_id: 'f' },
      { project_id, watermark },
      { project_id, preset_id: 'bold' },
      { project_id: 'other' },
    ]) {
      await world.problem(409, 'attempt-mismatch', 'POST', '/clips/exports', { key, body });
    }
    assert.equal(starts(), 1);
  });

  it('the order of the fields and defaults that are written out make no other body', async (t) => {
    const { start, starts, project_id } = await open(t);
    const src_url = 'https://a.example/b.png';
    await start(201, { body: { project_id, watermark: { src_url, pos_x: 0.25 } } });
    await start(200, {
      body: { watermark: { scale: 1, pos_y: 0.5, pos_x: 0.25, src_url }, project_id },
    });
    assert.equal(starts(), 1);
  });

  it('of five requests with one key at once, one starts and all have its export', async (t) => {
    const { world, sent, starts } = await open(t);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.call('POST', '/clips/exports', sent)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
    const ids = await Promise.all(answers.map(async (one) => ((await one.json()) as Export).id));
    assert.equal(new Set(ids).size, 1);
    assert.equal(starts(), 1);
  });

  it('five requests share one refusal, and the key is free then', async (t) => {
    const { world, sent, start, fail, starts } = await open(t, {
      make: claimingTogether(inMemory, 5),
    });
    fail({ status: 402 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.call('POST', '/clips/exports', sent)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [402, 402, 402, 402, 402],
    );
    assert.equal(starts(), 1);
    await start();
  });

  const lost: [name: string, how: Failure, status: number][] = [
    ['500', { status: 500 }, 502],
    ['502', { status: 502 }, 502],
    ['503', { status: 503 }, 503],
    ['504', { status: 504 }, 504],
    ['408', { status: 408 }, 502],
    ['409', { status: 409 }, 502],
    ['a lost connection', 'drop', 503],
    ['half an answer', 'truncate', 503],
    ['an answer that is no JSON', 'malformed', 502],
    ['an answer with an unknown state', 'unknown-status', 502],
  ];
  for (const [what, how, status] of lost) {
    it(`${what} after the render was started: unknown, then found by the same start`, async (t) => {
      const { world, sent, start, fail, starts } = await open(t);
      fail(how, true);
      const response = await world.call('POST', '/clips/exports', sent);
      const problem = (await response.json()) as { unknown_outcome?: boolean };
      assert.deepEqual([response.status, problem.unknown_outcome], [status, true]);
      const found = await start(200);
      assert.ok(world.service.world.exports.has(found.id));
      assert.deepEqual(await start(200), found);
      assert.equal(starts(), 1);
    });
  }

  it('502: in progress for as long as a start may take, then a person decides', async (t) => {
    const { world, clock, sent, start, repeat, fail, starts, rendered } = await open(t);
    fail({ status: 502 });
    assert.equal((await world.call('POST', '/clips/exports', sent)).status, 502);
    const answer = await world.call('POST', '/clips/exports', sent);
    assert.deepEqual([answer.status, answer.headers.get('Retry-After')], [409, '3']);
    clock.now += 120_000;
    // Not even if the page says so.
    const confirmed_start = new Date(began).toISOString();
    assert.deepEqual(await repeat({ confirmed_start }), [409, 'in-progress']);
    clock.now += 1;
    assert.deepEqual(await repeat(), [409, 'outcome-unknown', confirmed_start]);
    const other = new Date(began - 1).toISOString();
    assert.deepEqual((await repeat({ confirmed_start: other }))[1], 'outcome-unknown');
    assert.equal(starts(), 1);
    assert.equal((await repeat({ confirmed_start }))[0], 201);
    await start(200);
    assert.equal(rendered(), 1);
  });

  it('a decision counts for one loss, in however many requests', async (t) => {
    const { world, clock, sent, fail, starts, repeat, rendered } = await open(t);
    fail('drop');
    await world.call('POST', '/clips/exports', sent);
    clock.now += 120_001;
    fail('drop');
    const confirmed_start = new Date(began).toISOString();
    const answers = await Promise.all(Array.from({ length: 5 }, () => repeat({ confirmed_start })));
    assert.equal(starts(), 2);
    assert.ok(answers.every(([status]) => status === 409 || status === 503));
    clock.now += 120_001;
    const [, code, again] = await repeat({ confirmed_start });
    assert.deepEqual([code, starts()], ['outcome-unknown', 2]);
    assert.equal((await repeat({ confirmed_start: again }))[0], 201);
    assert.equal(rendered(), 1);
  });

  it('a time that is none is 400', async (t) => {
    const { repeat, starts } = await open(t);
    for (const confirmed_start of ['yes', 1, null]) {
      assert.deepEqual(await repeat({ confirmed_start }), [400, 'invalid-request']);
    }
    assert.equal(starts(), 0);
  });

  it('nothing is restarted while the exports cannot be searched', async (t) => {
    const { world, sent, start, fail, rendered } = await open(t);
    fail('drop', true);
    await world.call('POST', '/clips/exports', sent);
    world.service.order({ method: 'GET', path: /^\/exports$/, how: { status: 500 } });
    await world.problem(502, 'service-error', 'POST', '/clips/exports', sent);
    await start(200);
    assert.equal(rendered(), 1);
  });

  it('an export that another attempt has, or that is older, is not taken for the lost one', async (t) => {
    const { world, clock, sent, start, repeat, fail } = await open(t);
    const { world: inside } = world.service;
    const project = [...inside.projects.values()][0]!;
    inside.addExport(await world.managed(), project);
    clock.now += 120_000;
    await start(201, { key: 'attempt-2' });
    fail({ status: 500 });
    await world.call('POST', '/clips/exports', sent);
    assert.deepEqual(await repeat(), [409, 'in-progress']);
  });

  it('the oldest that fits is taken, in whatever order the service lists them', async (t) => {
    const { world, clock, sent, start, fail } = await open(t);
    const { world: inside } = world.service;
    fail('drop', true);
    await world.call('POST', '/clips/exports', sent);
    const [lost] = [...inside.exports.values()];
    clock.now += 10_000;
    inside.addExport(await world.managed(), [...inside.projects.values()][0]!);
    inside.exports.delete(lost!.id);
    inside.exports.set(lost!.id, lost!);
    assert.deepEqual(await start(200), lost);
  });

  it('of two lost starts of one clip each has its own export', async (t) => {
    const { world, clock, sent, start, fail } = await open(t);
    for (const lostKey of [key, 'attempt-2']) {
      fail('drop', true);
      await world.call('POST', '/clips/exports', { ...sent, key: lostKey });
      clock.now += 1;
    }
    const [one, two] = [await start(200), await start(200, { key: 'attempt-2' })];
    assert.notEqual(one.id, two.id);
  });

  describe('with a service that keeps keys for a day', () => {
    const hour = 3_600_000;

    it('what it has not started is sent again, for as long as it knows the key', async (t) => {
      for (const age of [0, 23 * hour - 1]) {
        const { clock, fail, sent, start, world, rendered } = await open(t, { keepsKeys: true });
        fail('drop');
        await world.call('POST', '/clips/exports', sent);
        clock.now += age;
        await start(201);
        assert.equal(rendered(), 1);
      }
      const { clock, fail, sent, world, repeat } = await open(t, { keepsKeys: true });
      fail('drop');
      await world.call('POST', '/clips/exports', sent);
      clock.now += 23 * hour;
      assert.equal((await repeat())[1], 'outcome-unknown');
    });

    it('what it has started and forgotten is searched in the list', async (t) => {
      const { clock, fail, sent, start, world, rendered } = await open(t, { keepsKeys: true });
      fail('drop', true);
      await world.call('POST', '/clips/exports', sent);
      clock.now += 24 * hour;
      await start(200);
      assert.equal(rendered(), 1);
    });

    it('a task that it may have forgotten is not started again', async (t) => {
      const { clock, world } = await open(t, { keepsKeys: true });
      const path = '/clips/tasks/video-to-shorts';
      const task = { key, body: { source_video_url: 'https://videos.example/a.mp4' } };
      world.service.order({ method: 'POST', path: /^\/tasks/, acts: true, how: 'drop' });
      await world.call('POST', path, task);
      clock.now += 24 * hour;
      await world.problem(409, 'outcome-unknown', 'POST', path, task);
      assert.equal(world.service.world.tasks.size, 1);
    });
  });

  describe('after a crash in the middle of a start', () => {
    const abandoned = (project_id: string): PaidStart => ({
      key,
      hostUser: 'ann',
      request: JSON.stringify([project_id, null, null, null, false]),
      startedAt: began,
      state: 'open',
      exportId: null,
    });

    it('its export is found by the key, where it was started', async (t) => {
      const { world, project_id, start } = await open(t);
      await world.records.claimPaidStart(abandoned(project_id));
      const { world: inside } = world.service;
      const project = inside.projects.get(project_id)!;
      const { id } = inside.addExport(await world.managed(), project);
      assert.equal((await start(200)).id, id);
    });

    it('it is in progress while another process may still be at it, then unknown', async (t) => {
      const { world, clock, project_id, repeat, starts } = await open(t);
      await world.records.claimPaidStart(abandoned(project_id));
      clock.now = began + 120_000;
      assert.deepEqual(await repeat(), [409, 'in-progress']);
      clock.now += 1;
      const confirmed_start = new Date(began).toISOString();
      assert.deepEqual(await repeat(), [409, 'outcome-unknown', confirmed_start]);
      assert.equal(starts(), 0);
      assert.equal((await repeat({ confirmed_start }))[0], 201);
      assert.equal(starts(), 1);
    });

    it('it is restarted once, by however many requests', async (t) => {
      const { world, clock, project_id, repeat, rendered } = await open(t);
      await world.records.claimPaidStart(abandoned(project_id));
      clock.now = began + 120_001;
      const confirmed_start = new Date(began).toISOString();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => repeat({ confirmed_start })),
      );
      assert.equal(answers.filter(([status]) => status === 201).length, 1);
      assert.equal(rendered(), 1);
    });
  });
});

describe('a store that fails', () => {
  const failing = (step: 'claim' | 'move' | 'drop'): MakeStore => {
    return (_, now): HostStore => {
      const store = memoryStore(now);
      return {
        ...store,
        async replace(name, from, to) {
          const taken = !from ? 'claim' : to ? 'move' : 'drop';
          if (name.kind === 'attempt' && taken === step) throw new Error('database is locked');
          return store.replace(name, from, to);
        },
      };
    };
  };

  it('before the start: 500, and nothing is started', async (t) => {
    const { world, sent, starts } = await open(t, { make: failing('claim') });
    await world.problem(500, 'internal-error', 'POST', '/clips/exports', sent);
    assert.equal(starts(), 0);
  });

  it('after the start: the export is told all the same, and found by its key', async (t) => {
    const { start } = await open(t, { make: failing('move') });
    const one = await start(201);
    assert.deepEqual(await start(200), one);
  });

  it('after a refusal: the refusal is told', async (t) => {
    const { world, sent, fail } = await open(t, { make: failing('drop') });
    fail({ status: 402 });
    await world.problem(402, 'export-limit', 'POST', '/clips/exports', sent);
  });

  it('after a lost start: the unknown outcome is told', async (t) => {
    const { world, sent, fail } = await open(t, { make: failing('move') });
    fail('drop', true);
    const problem = await world.problem(503, 'service-unavailable', 'POST', '/clips/exports', sent);
    assert.equal(problem.unknown_outcome, true);
  });
});
