import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { UserSlots } from '../../src/exports/start-export.ts';

describe('slots for the work of users', () => {
  /** Begins work that ends when it is told to; gives the names of what runs, in their order. */
  function open() {
    const slots = new UserSlots({ all: 3, ofUser: 2 });
    const running = new Map<string, () => void>();
    const run = (name: string, signal = new AbortController().signal) =>
      slots.run(name[0]!, signal, async () => {
        await new Promise<void>((resolve) => running.set(name, resolve));
        running.delete(name);
      });
    return {
      run,
      now: async () => (await turn(), [...running.keys()].join(' ')),
      end: async (name: string) => (running.get(name)?.(), await turn()),
    };
  }

  it('let the first begin, up to the limit of a user', async () => {
    const { run, now, end } = open();
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => run(name));
    assert.equal(await now(), 'a1 a2 b1');
    await end('b1');
    assert.equal(await now(), 'a1 a2 b2');
    await end('a1');
    assert.equal(await now(), 'a2 b2 a3');
    for (const name of ['a2', 'b2', 'a3', 'c1']) await end(name);
    await Promise.all(all);
  });

  it('are free again after work that failed', async () => {
    const slots = new UserSlots({ all: 1, ofUser: 1 });
    const { signal } = new AbortController();
    await assert.rejects(
      slots.run('a', signal, () => Promise.reject(new Error('out'))),
      /out/,
    );
    assert.equal(await slots.run('a', signal, async () => 'in'), 'in');
  });

  it('keep no place for who has gone away', async () => {
    const { run, now, end } = open();
    const gone = new AbortController();
    const first = [run('a1'), run('a2')];
    const left = run('a3', gone.signal);
    const last = run('a4');
    gone.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    await assert.rejects(run('b1', gone.signal), /gone/);
    await end('a1');
    assert.equal(await now(), 'a2 a4');
    for (const name of ['a2', 'a4']) await end(name);
    await Promise.all([...first, last]);
  });
});
