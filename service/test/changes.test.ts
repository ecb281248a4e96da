import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Changes, readUntil } from '../src/changes.ts';

describe('waiting for a change', () => {
  const never = new AbortController().signal;

  it('reads again at each change until it is settled', async () => {
    const changes = new Changes();
    let value = 0;
    const waiting = readUntil(
      changes,
      async () => {
        value += 1;
        setImmediate(() => changes.announce());
        return value;
      },
      (read) => read === 3,
      { ms: 60_000, signal: never },
    );
    assert.equal(await waiting, 3);
  });

  it('gives what there is when the time is over', async () => {
    const read = await readUntil(
      new Changes(),
      async () => 'still',
      () => false,
      {
        ms: 5,
        signal: never,
      },
    );
    assert.equal(read, 'still');
  });

  it('gives what there is once nobody waits any more', async () => {
    const gone = new AbortController();
    const waiting = readUntil(
      new Changes(),
      async () => 'still',
      () => false,
      {
        ms: 60_000,
        signal: gone.signal,
      },
    );
    setImmediate(() => gone.abort());
    assert.equal(await waiting, 'still');
  });

  it('reads once where no wait is asked for', async () => {
    let reads = 0;
    await readUntil(
      new Changes(),
      async () => (reads += 1),
      () => false,
      { ms: 0, signal: never },
    );
    assert.equal(reads, 1);
  });
});
