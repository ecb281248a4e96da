/** What watching an export survives: the client of a page, over hours of virtual time. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WatchingWorld, type Button } from '../support/watching-world.ts';

const second = 1000;
const minute = 60 * second;

let world: WatchingWorld;

beforeEach(() => {
  world = new WatchingWorld();
});

afterEach(() => {
  world.close();
});

const ready = (one: Button) => () => one.session.state.status === 'ready';
const stalled = (one: Button) => () =>
  one.session.state.status === 'processing' && one.session.state.error !== null;

describe('watching survives', () => {
  it('a hidden tab: slower there, at once on return', async () => {
    world.host.holds = false;
    world.host.estimates = false;
    world.host.renderTime = 10 * minute;
    const one = await world.started();
    await world.clock.pass(minute);
    const shown = world.host.count('poll');
    assert.ok(shown >= 15, `${shown} requests in a minute`);
    world.page.hide();
    await world.clock.pass(minute);
    const hidden = world.host.count('poll') - shown;
    assert.ok(hidden >= 3 && hidden <= 5, `${hidden} requests in a hidden minute`);
    await world.clock.pass(second);
    const before = world.host.count('poll');
    world.page.show();
    await world.clock.pass(0);
    assert.equal(world.host.count('poll'), before + 1);
    await world.clock.passUntil(ready(one), 10 * minute);
  });

  it('a hidden tab with a host that holds: ready is heard of there too', async () => {
    const one = await world.started();
    world.page.hide();
    await world.clock.passUntil(ready(one), 2 * minute);
    assert.ok(one.lag! <= 15 * second);
    assert.ok(world.host.count('poll') <= 4);
  });

  for (const [how, wakes] of [
    ['and the page is told', () => world.page.online()],
    ['and the page is told nothing', () => {}],
  ] as const) {
    it(`sleep and wake, ${how}: ready after at most 15 s`, async () => {
      world.host.renderTime = 2 * minute;
      const one = await world.started();
      await world.clock.pass(5 * second);
      world.host.breakConnections();
      world.clock.sleep(60 * minute);
      wakes();
      await world.clock.passUntil(ready(one), 15 * second);
      assert.equal(world.host.count('start'), 1);
    });
  }

  it('sleep while a request is held', async () => {
    world.host.renderTime = 10 * minute;
    const one = await world.started();
    await world.clock.passUntil(() => world.host.asked.some(({ wait }) => wait > 0), 10 * minute);
    await world.clock.pass(second);
    world.host.breakConnections();
    world.clock.sleep(60 * minute);
    await world.clock.passUntil(ready(one), 5 * second);
    assert.equal(one.session.state.error, null);
  });

  for (const hour of [-60, 60]) {
    it(`a clock that is set ${hour < 0 ? 'back' : 'forward'} by an hour while it renders`, async () => {
      const one = await world.started();
      await world.clock.pass(5 * second);
      world.clock.setWrong(hour * minute);
      await world.clock.passUntil(ready(one), 2 * minute);
      assert.ok(one.lag! <= second, `${one.lag} ms`);
      assert.ok(world.host.count('poll') <= 6, `${world.host.count('poll')} requests`);
    });
  }

  it('hours offline: few tries, and ready at once when the connection is back', async () => {
    const one = await world.started();
    await world.clock.pass(5 * second);
    world.host.condition = 'offline';
    await world.clock.passUntil(stalled(one), 5 * minute);
    assert.equal(one.session.state.error!.code, 'network');
    const before = world.host.asked.length;
    await world.clock.pass(60 * minute);
    const tries = world.host.asked.length - before;
    assert.ok(tries <= 480, `${tries} tries`);
    world.page.hide();
    const shown = world.host.asked.length;
    await world.clock.pass(60 * minute);
    const hidden = world.host.asked.length - shown;
    assert.ok(hidden <= 120, `${hidden} tries in a hidden tab`);
    world.page.show();
    world.host.condition = 'up';
    world.page.online();
    await world.clock.passUntil(ready(one), second);
    assert.equal(world.host.count('start'), 1);
  });

  it('a connection that died silently: asked again when the page returns', async () => {
    world.host.renderTime = 3 * minute;
    const one = await world.started();
    world.host.condition = 'silent';
    await world.clock.passUntil(() => world.host.asked.some(({ wait }) => wait > 0), 5 * minute);
    await world.clock.pass(10 * second);
    world.host.condition = 'up';
    const before = world.host.count('poll');
    world.page.online();
    await world.clock.pass(second);
    assert.equal(world.host.count('poll'), before + 1);
    await world.clock.passUntil(ready(one), 2 * minute);
  });

  it('a connection that went dead silently: abandoned within a minute', async () => {
    const one = await world.started();
    world.host.condition = 'silent';
    await world.clock.passUntil(() => world.host.count('poll') === 1, minute);
    world.host.condition = 'up';
    await world.clock.passUntil(ready(one), 57 * second);
  });

  for (const wait of [5, 90]) {
    it(`429 with Retry-After: ${wait}: not asked again sooner`, async () => {
      world.host.holds = false;
      world.host.retryAfter = wait;
      const one = await world.started();
      world.host.condition = 'busy';
      await world.clock.passUntil(() => world.host.count('poll') >= 4, 10 * minute);
      const times = world.host.asked.filter(({ kind }) => kind === 'poll').map(({ at }) => at);
      for (let at = 1; at < 4; at++) {
        const pause = times[at]! - times[at - 1]!;
        assert.ok(pause >= wait * second && pause <= (wait + 5) * second, `${pause} ms`);
      }
      world.host.condition = 'up';
      await world.clock.passUntil(ready(one), 2 * minute);
      assert.equal(one.session.state.error, null);
    });
  }

  it('429 with Retry-After: not asked sooner by a tab that returns either', async () => {
    world.host.holds = false;
    world.host.retryAfter = 60;
    const one = await world.started();
    world.host.condition = 'busy';
    await world.clock.passUntil(() => world.host.count('poll') >= 1, minute);
    const before = world.host.count('poll');
    world.page.hide();
    await world.clock.pass(20 * second);
    world.page.show();
    await world.clock.pass(20 * second);
    assert.equal(world.host.count('poll'), before);
    world.host.condition = 'up';
    await world.clock.pass(30 * second);
    assert.ok(ready(one)());
  });

  it('429 with a Retry-After of a day: asked again after ten minutes, and says that it waits', async () => {
    world.host.holds = false;
    world.host.retryAfter = 86_400;
    const one = await world.started();
    world.host.condition = 'busy';
    await world.clock.passUntil(stalled(one), minute);
    assert.equal(world.host.count('poll'), 1);
    assert.equal(one.session.state.error!.code, 'rate-limited');
    assert.equal(one.session.waitLeft, 10 * minute);
    world.host.condition = 'up';
    await world.clock.pass(9.9 * minute);
    assert.equal(world.host.count('poll'), 1);
    await world.clock.passUntil(ready(one), minute);
    assert.equal(one.session.waitLeft, null);
  });

  it('429 with a Retry-After of a day: asked again when the window has the focus', async () => {
    world.host.holds = false;
    world.host.retryAfter = 86_400;
    const one = await world.started();
    world.host.condition = 'busy';
    await world.clock.passUntil(stalled(one), minute);
    await world.clock.pass(minute);
    world.host.condition = 'up';
    world.page.focus();
    await world.clock.passUntil(ready(one), second);
  });

  it('a host that is down for ten minutes: shown as stalled, few requests, ready without another start', async () => {
    const one = await world.started();
    world.host.condition = 'down';
    await world.clock.passUntil(stalled(one), 2 * minute);
    assert.equal(one.session.state.error!.code, 'service-error');
    await world.clock.pass(10 * minute);
    assert.ok(stalled(one)());
    assert.ok(world.host.count('poll') <= 85, `${world.host.count('poll')} requests`);
    world.host.condition = 'up';
    await world.clock.passUntil(ready(one), 16 * second);
    assert.equal(one.session.state.error, null);
    assert.equal(world.host.count('start'), 1);
  });

  it('a host whose held requests fail: asked plainly after the first of them', async () => {
    world.host.holds = 'fails';
    world.host.renderTime = 10 * minute;
    const one = await world.started();
    await world.clock.passUntil(
      () => one.session.state.error !== null || ready(one)(),
      11 * minute,
    );
    assert.equal(one.session.state.error, null);
    assert.ok(one.lag! <= 10 * second, `${one.lag} ms`);
    assert.equal(world.host.asked.filter(({ wait }) => wait > 0).length, 1);
    // Perhaps only that host process was at fault: the next export shows.
    world.host.holds = true;
    await world.clock.pass(minute);
    const two = await world.started('another');
    await world.clock.passUntil(ready(two), 11 * minute);
    assert.ok(two.lag! <= second, `${two.lag} ms`);
  });

  it('a host that was down while a request was held: it is held again', async () => {
    world.host.renderTime = 10 * minute;
    const one = await world.started();
    await world.clock.passUntil(() => world.host.asked.some(({ wait }) => wait > 0), 10 * minute);
    world.host.condition = 'down';
    world.host.breakConnections();
    await world.clock.pass(30 * second);
    world.host.condition = 'up';
    await world.clock.passUntil(ready(one), 11 * minute);
    assert.ok(one.lag! <= second, `${one.lag} ms`);
  });

  it('a person who asks does not wait for the next try', async () => {
    const one = await world.started();
    world.host.condition = 'down';
    await world.clock.passUntil(stalled(one), 2 * minute);
    await world.clock.pass(10 * minute);
    world.host.condition = 'up';
    void one.session.retry();
    await world.clock.passUntil(ready(one), second);
  });

  it('the back/forward cache: asked at once on return, and on no other pageshow', async () => {
    world.host.holds = false;
    world.host.renderTime = 30 * minute;
    const one = await world.started();
    world.page.pageshow(false);
    await world.clock.pass(0);
    assert.equal(world.host.count('poll'), 0);
    world.host.breakConnections();
    world.clock.sleep(40 * minute);
    world.page.pageshow(true);
    await world.clock.passUntil(ready(one), second);
    assert.equal(world.host.count('start'), 1);
  });

  it('no button left: nothing is asked any more', async () => {
    await world.started();
    world.leave();
    await world.clock.pass(10 * minute);
    assert.equal(world.host.count('poll'), 0);
  });
});
