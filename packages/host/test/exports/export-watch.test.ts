import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Export } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

/** A held request and the time of its answer, in milliseconds of the virtual clock. */
interface Hold {
  readonly answer: Promise<Response>;
  answeredAt: number | null;
}

/** A host with virtual timers and a virtual clock, but real calls to the service. */
async function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T10:00:00Z') });
  const world = await HostWorld.open(t, { now: () => Date.now() });
  // Connections that close later would clear timers of this clock during the next test, and hit
  // other timers there.
  t.after(async () => {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  });
  const began = Date.now();
  const author = await world.managed();
  const project = world.service.world.projects.get(await world.clip())!;
  world.service.requests.length = 0;
  return {
    world,
    inside: world.service.world,
    add: () => world.service.world.addExport(author, project),
    polls: () => world.service.sent('GET', /^\/exports$/).length,
    elapsed: () => Date.now() - began,
    hold(ids: readonly string[], wait = 25, signal?: AbortSignal): Hold {
      const hold: Hold = {
        answer: world.call('GET', `/clips/exports?${ids.map((id) => `id=${id}`).join('&')}`, {
          headers: { Prefer: `wait=${wait}` },
          ...(signal ? { signal } : {}),
        }),
        answeredAt: null,
      };
      void hold.answer.then(() => (hold.answeredAt = Date.now() - began));
      return hold;
    },
    /** Advances the clock; calls to the service are answered whenever they are made. */
    async advance(milliseconds: number): Promise<void> {
      await world.quiet();
      for (let left = milliseconds; left > 0; left -= 100) {
        t.mock.timers.tick(Math.min(100, left));
        await world.quiet();
      }
    },
  };
}

const exportsIn = async ({ answer }: Hold) => (await (await answer).json()) as Export[];

describe('Prefer: wait', () => {
  it('holds the answer until an export has changed', async (t) => {
    const { add, hold, advance, inside, elapsed } = await open(t);
    const one = add();
    inside.exports.set(one.id, {
      ...one,
      estimated_ready_at: new Date(Date.now() + 10_000).toISOString(),
    });
    const held = hold([one.id]);
    await advance(5000);
    assert.equal(held.answeredAt, null);
    const ready = inside.finish(one.id);
    await advance(5000);
    assert.ok(held.answeredAt !== null, `no answer after ${elapsed()} ms`);
    assert.deepEqual(await exportsIn(held), [ready]);
    const { headers } = await held.answer;
    assert.equal(headers.get('Preference-Applied'), 'wait=25');
  });

  it('ends by a changed estimate too', async (t) => {
    const { add, hold, advance, inside } = await open(t);
    const one = add();
    const held = hold([one.id]);
    await advance(100);
    const estimated_ready_at = new Date(Date.now() + 90_000).toISOString();
    inside.exports.set(one.id, { ...one, estimated_ready_at });
    await advance(24_000);
    assert.equal(held.answeredAt, null, 'the first look is at 77 % of the estimate');
    await advance(8000);
    assert.equal((await exportsIn(held))[0]!.status, 'processing');
  });

  for (const [asked, applied] of [
    [25, 25],
    [7, 7],
    [600, 25],
  ] as const) {
    it(`wait=${asked} ends after ${applied} s, with what there is`, async (t) => {
      const { add, hold, advance } = await open(t);
      const one = add();
      const held = hold([one.id], asked);
      await advance(applied * 1000 - 100);
      assert.equal(held.answeredAt, null);
      await advance(100);
      assert.equal(held.answeredAt, applied * 1000);
      assert.deepEqual(await exportsIn(held), [one]);
      const { headers } = await held.answer;
      assert.equal(headers.get('Preference-Applied'), `wait=${applied}`);
    });
  }

  it('answers at once when one of the exports is settled', async (t) => {
    const { add, hold, advance, inside } = await open(t);
    const [one, two] = [add(), add()];
    inside.finish(one.id, 'error');
    const held = hold([one.id, two.id]);
    await advance(0);
    assert.equal(held.answeredAt, 0);
    assert.deepEqual(
      (await exportsIn(held)).map(({ status }) => status),
      ['error', 'processing'],
    );
    assert.equal((await held.answer).headers.get('Preference-Applied'), 'wait=25');
  });

  it('answers at once when nothing is there to wait for, and does not claim to hold', async (t) => {
    const { hold, advance } = await open(t);
    const held = hold(['none']);
    await advance(0);
    assert.equal(held.answeredAt, 0);
    assert.deepEqual(await exportsIn(held), []);
    assert.equal((await held.answer).headers.get('Preference-Applied'), null);
  });

  for (const prefer of [null, 'wait=0', 'respond-async', 'wait=soon']) {
    it(`${prefer} holds nothing`, async (t) => {
      const { world, add } = await open(t);
      const response = await world.call('GET', `/clips/exports?id=${add().id}`, {
        headers: { Prefer: prefer },
      });
      assert.equal(response.headers.get('Preference-Applied'), null);
    });
  }

  it('ends when the page leaves, and the service is asked no more', async (t) => {
    const { add, hold, advance, polls } = await open(t);
    const page = new AbortController();
    const held = hold([add().id], 25, page.signal);
    await advance(1000);
    page.abort();
    await held.answer;
    assert.equal(held.answeredAt, 1000);
    const before = polls();
    await advance(60_000);
    assert.equal(polls(), before);
  });

  it('of one user too many is answered at once, without Preference-Applied', async (t) => {
    const { add, hold, advance } = await open(t);
    const one = add();
    const gone = new AbortController();
    const held = [hold([one.id], 25, gone.signal)];
    while (held.length < 10) held.push(hold([one.id]));
    await advance(100);
    const over = hold([one.id]);
    await advance(100);
    assert.deepEqual(
      [...held, over].map(({ answeredAt }) => answeredAt !== null),
      [...Array<boolean>(10).fill(false), true],
    );
    assert.equal((await over.answer).headers.get('Preference-Applied'), null);
    // A client that disconnects frees its slot.
    gone.abort();
    await advance(100);
    const next = hold([one.id]);
    await advance(100);
    assert.equal(next.answeredAt, null);
  });

  it('ends at close() with what is known; later requests are answered, unheld', async (t) => {
    const { world, add, hold, advance, polls } = await open(t);
    const one = add();
    const holds = [hold([one.id]), hold([one.id])];
    await advance(1000);
    world.host.close();
    for (const held of holds) {
      assert.deepEqual(await exportsIn(held), [one]);
      assert.equal(held.answeredAt, 1000);
    }
    const late = hold([one.id]);
    await advance(0);
    assert.deepEqual(await exportsIn(late), [one]);
    // Otherwise the page would ask again and again, because it believes that it is held.
    assert.equal((await late.answer).headers.get('Preference-Applied'), null);
    const before = polls();
    await advance(60_000);
    assert.equal(polls(), before);
  });

  it('fails when the first look fails, with the service’s problem', async (t) => {
    const { world, add, hold, advance } = await open(t);
    world.service.order({ method: 'GET', path: /^\/exports$/, how: { status: 503 } });
    const held = hold([add().id]);
    await advance(0);
    assert.equal((await held.answer).status, 503);
  });

  it('outlives a look that fails during the hold', async (t) => {
    const { world, add, hold, advance, inside } = await open(t);
    const one = add();
    inside.exports.set(one.id, {
      ...one,
      estimated_ready_at: new Date(Date.now() + 5000).toISOString(),
    });
    const held = hold([one.id]);
    await advance(100);
    world.service.order({ method: 'GET', path: /^\/exports$/, how: { status: 500 } });
    world.service.order({ method: 'GET', path: /^\/exports$/, how: 'drop' });
    inside.finish(one.id);
    await advance(10_000);
    assert.equal((await exportsIn(held))[0]!.status, 'ready');
  });
});

describe('those who wait for one user’s exports', () => {
  it('share the looks at the service', async (t) => {
    const alone = async (count: number) => {
      const { add, hold, advance, polls, inside } = await open(t);
      const one = add();
      inside.exports.set(one.id, {
        ...one,
        estimated_ready_at: new Date(Date.now() + 5000).toISOString(),
      });
      for (let n = 0; n < count; n++) hold([one.id]);
      await advance(100);
      const first = polls();
      assert.equal(first, 1);
      // Until the last request has its answer: a request that is still held would continue on
      // another clock.
      await advance(25_000);
      t.mock.timers.reset();
      return polls() - first;
    };
    const [one, ten] = [await alone(1), await alone(10)];
    assert.ok(one > 3, `${one} looks`);
    assert.equal(ten, one);
  });

  it('look again for an export that was started since', async (t) => {
    const { add, hold, advance, polls } = await open(t);
    hold([add().id]);
    await advance(100);
    const before = polls();
    const held = hold([add().id]);
    await advance(100);
    assert.equal(polls(), before + 1);
    assert.equal(held.answeredAt, null);
  });

  it('are each answered when theirs has changed, and only then', async (t) => {
    const { add, hold, advance, inside } = await open(t);
    const soon = new Date(Date.now() + 4000).toISOString();
    const [one, two] = [add(), add()];
    for (const each of [one, two]) {
      inside.exports.set(each.id, { ...each, estimated_ready_at: soon });
    }
    const [first, second] = [hold([one.id]), hold([two.id])];
    await advance(100);
    inside.finish(one.id);
    await advance(6000);
    assert.ok(first.answeredAt !== null);
    assert.equal(second.answeredAt, null);
    inside.finish(two.id);
    await advance(6000);
    assert.ok(second.answeredAt !== null);
  });

  it('do not have to wait for the look of another’s long render', async (t) => {
    const { add, hold, advance, inside } = await open(t);
    const [long, short] = [add(), add()];
    inside.exports.set(short.id, {
      ...short,
      estimated_ready_at: new Date(Date.now() + 3000).toISOString(),
    });
    hold([long.id]);
    await advance(100);
    const held = hold([short.id]);
    await advance(100);
    inside.finish(short.id);
    await advance(4000);
    assert.ok(held.answeredAt !== null, 'held for the pace of the other');
  });

  it('are told nothing of another user’s', async (t) => {
    const { world, add, advance } = await open(t);
    const response = world.call('GET', `/clips/exports?id=${add().id}`, {
      user: 'bob',
      headers: { Prefer: 'wait=25' },
    });
    await advance(0);
    assert.deepEqual(await (await response).json(), []);
  });

  it('ask the service at the pace of the estimate, not faster than once a second', async (t) => {
    const { add, hold, advance, polls } = await open(t);
    const one = add();
    hold([one.id]);
    await advance(100);
    await advance(24_800);
    // One poll at the start; the next would be at 77 % of 40 s.
    assert.equal(polls(), 1);
    await advance(200);
    hold([one.id]);
    await advance(24_000);
    assert.ok(polls() > 2 && polls() < 20, `${polls()} looks`);
  });
});
