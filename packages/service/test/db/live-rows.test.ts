import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { LiveRows } from '../../src/db/live-rows.ts';
import { DatabaseUnavailable } from '../../src/db/connections.ts';

interface Row {
  id: string;
  status: 'processing' | 'ready';
  share: number;
}

function world(count: number) {
  const table = new Map<string, Row>();
  for (let at = 0; at < count; at += 1) {
    const id = randomUUID();
    table.set(id, { id, status: 'processing', share: 0 });
  }
  const queries: string[][] = [];
  const rows = new LiveRows<Row>(async (ids) => {
    queries.push(ids);
    return ids.flatMap((id) => (table.has(id) ? [{ ...table.get(id)! }] : []));
  });
  const ids = [...table.keys()];
  const set = (id: string, values: Partial<Row>): void =>
    void table.set(id, { ...table.get(id)!, ...values });
  return { table, queries, rows, ids, set };
}

const never = new AbortController().signal;
const anyone = (): boolean => true;
const long = { ms: 3_600_000, signal: never };
const now = { ms: 0, signal: never };

/** Until what is under way has been read. */
async function reads(queries: string[][], count: number): Promise<void> {
  while (queries.length < count) await setImmediate();
  await setImmediate();
}

describe('rows that are waited for', () => {
  it('are read together, once for all who ask at the same time', async () => {
    const { rows, queries, ids } = world(3);
    const asked = [...ids, ...ids].map((id) => rows.settled(id, anyone, now));
    assert.deepEqual(
      (await Promise.all(asked)).map((row) => row?.id),
      [...ids, ...ids],
    );
    assert.deepEqual(queries, [ids]);
  });

  it('wake only those who wait for them, with one query for all of these', async () => {
    const { rows, queries, ids, set } = world(3);
    const [first, second, third] = ids as [string, string, string];
    const held = Array.from({ length: 1000 }, () => rows.settled(first, anyone, long));
    const others = [second, third].map((id) => rows.settled(id, anyone, long));
    await reads(queries, 1);
    set(first, { status: 'ready' });
    rows.invalidateRow(first);
    const answers = await Promise.all(held);
    assert.ok(answers.every((row) => row?.status === 'ready'));
    assert.deepEqual(queries.slice(1), [[first]]);
    set(second, { status: 'ready' });
    set(third, { status: 'ready' });
    rows.invalidateRow(second);
    rows.invalidateRow(third);
    await Promise.all(others);
    assert.deepEqual(queries.slice(2), [[second, third]]);
  });

  it('miss no change between the first read and the wait', async () => {
    const { table, ids } = world(1);
    const [id] = ids as [string];
    let reading = 0;
    const rows: LiveRows<Row> = new LiveRows<Row>(async () => {
      const row = { ...table.get(id)! };
      if (reading++ === 0) {
        table.set(id, { ...row, status: 'ready' });
        rows.invalidateRow(id);
      }
      return [row];
    });
    assert.equal((await rows.settled(id, anyone, long))?.status, 'ready');
  });

  it('are as they are when the time is over, without any query in between', async (t) => {
    let time = 0;
    t.mock.method(performance, 'now', () => time);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { rows, queries, ids, set } = world(1);
    const held = rows.settled(ids[0]!, anyone, { ms: 50, signal: never });
    await reads(queries, 1);
    set(ids[0]!, { share: 0.5 });
    time = 50;
    t.mock.timers.tick(50);
    assert.equal((await held)?.share, 0.5);
    assert.equal(queries.length, 2);
  });

  it('are no longer watched when nobody waits any more', async () => {
    const { rows, queries, ids } = world(1);
    const gone = new AbortController();
    const held = rows.settled(ids[0]!, anyone, { ms: 3_600_000, signal: gone.signal });
    await reads(queries, 1);
    assert.deepEqual(rows.watched(), ids);
    gone.abort();
    assert.equal((await held)?.status, 'processing');
    assert.deepEqual(rows.watched(), []);
  });

  it('of somebody else are not waited for', async () => {
    const { rows, ids } = world(1);
    assert.equal(await rows.settled(ids[0]!, () => false, long), undefined);
    assert.equal(await rows.settled('no id', anyone, long), undefined);
  });

  it('are kept once they are settled, only while changes are heard of', async () => {
    const { rows, queries, ids, set, table } = world(1);
    const [id] = ids as [string];
    set(id, { status: 'ready' });
    const read = () => rows.settled(id, anyone, now);
    await read();
    await read();
    assert.equal(queries.length, 2, 'notices may be missed');
    rows.setTrusted(true);
    await read();
    await read();
    assert.equal(queries.length, 3);
    table.delete(id);
    rows.invalidateRow(id);
    assert.equal(await read(), undefined);
    rows.setTrusted(false);
    await read();
    assert.equal(queries.length, 5);
  });

  it('are not kept if they change while they are read', async () => {
    const { ids } = world(1);
    const [id] = ids as [string];
    let there = true;
    const rows: LiveRows<Row> = new LiveRows<Row>(async () => {
      const found: Row[] = there ? [{ id, status: 'ready', share: 1 }] : [];
      if (there) {
        there = false;
        rows.invalidateRow(id);
      }
      return found;
    });
    rows.setTrusted(true);
    await rows.settled(id, anyone, now);
    assert.equal(await rows.settled(id, anyone, now), undefined);
  });

  it('are waited for although the database is away for a moment', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { ids } = world(1);
    const [id] = ids as [string];
    let queries = 0;
    const rows = new LiveRows<Row>(async () => {
      queries += 1;
      if (queries === 2) throw new DatabaseUnavailable('no connection');
      return [{ id, status: queries === 1 ? 'processing' : 'ready', share: 1 }];
    });
    const held = rows.settled(id, anyone, long);
    while (queries < 1) await setImmediate();
    rows.invalidateRow(id);
    while (queries < 2) await setImmediate();
    await setImmediate();
    t.mock.timers.tick(1000);
    assert.equal((await held)?.status, 'ready');
    assert.equal(queries, 3);
  });

  it('tell all who wait if they cannot be read, and are read again', async () => {
    let fails = true;
    const { ids } = world(1);
    const rows = new LiveRows<Row>(async ([id = '']) => {
      if (fails) throw new Error('the database is away');
      return [{ id, status: 'ready', share: 1 }];
    });
    await assert.rejects(rows.settled(ids[0]!, anyone, long), /away/);
    fails = false;
    assert.equal((await rows.settled(ids[0]!, anyone, long))?.status, 'ready');
  });
});
