import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { HostStore, RecordName, RecordQuery, StoredRecord } from '../../src/index.ts';
import { keptMs } from '../../src/stores/store.ts';
import { sharedStores } from '../support/host-stores.ts';
import { hostileIds, start } from 'clip-testkit/store-attempt';

type Kind = RecordName['kind'];

/** A value as the host writes it: that of an attempt is an array. */
const valueOf = (kind: Kind, text: string): string =>
  kind === 'attempt' ? JSON.stringify([text, 'open', null]) : text;

const kinds: readonly Kind[] = ['user', 'attempt', 'task'];

const nameOf = (kind: Kind, hostUser = 'ann', id = 'one'): RecordName => ({
  ...{ kind, hostUser },
  id: kind === 'user' ? '' : id,
});

const record = (kind: Kind, text: string, at = kind === 'user' ? 0 : start): StoredRecord => ({
  ...{ at, value: valueOf(kind, text) },
});

/** A store may return more of a record. */
async function read(store: HostStore, name: RecordName): Promise<StoredRecord | null> {
  const known = await store.read(name);
  return known && { at: known.at, value: known.value };
}

for (const [storeName, share] of Object.entries(sharedStores)) {
  const open = (t: TestContext, now = () => start): HostStore => share(t, now, 1)[0]!;
  describe(storeName, () => {
    for (const kind of kinds) {
      it(`replaces the ${kind} that it has, and no other`, async (t) => {
        const store = open(t);
        const name = nameOf(kind);
        const [first, second] = [record(kind, '1'), record(kind, '2')];
        assert.equal(await read(store, name), null);
        assert.equal(await store.replace(name, first, second), false);
        assert.equal(await store.replace(name, first, null), false);
        assert.equal(await store.replace(name, null, first), true);
        assert.equal(await store.replace(name, null, second), false);
        assert.equal(await store.replace(name, second, first), false);
        assert.equal(await store.replace(name, { ...first, at: start + 1 }, second), false);
        assert.deepEqual(await read(store, name), first);
        assert.equal(await store.replace(name, first, { ...second, at: start + 0.5 }), true);
        assert.deepEqual(await read(store, name), { ...second, at: start + 0.5 });
        assert.equal(await store.replace(name, second, null), false);
        assert.equal(await store.replace(name, { ...second, at: start + 0.5 }, null), true);
        assert.equal(await read(store, name), null);
        assert.equal(await store.replace(name, null, second), true);
      });

      it(`lets one of many connections write the ${kind}, the first of all here`, async (t) => {
        const several = share(t, () => start, 10);
        const change = async (
          from: StoredRecord | null,
          to: (n: number) => StoredRecord | null,
        ) => {
          const changes = Array.from({ length: 30 }, (_, n) =>
            several[n % 10]!.replace(nameOf(kind), from, to(n)),
          );
          const done = await Promise.all(changes);
          assert.equal(done.filter(Boolean).length, 1);
          const won = to(done.indexOf(true));
          assert.deepEqual(await read(several[9]!, nameOf(kind)), won);
          return won;
        };
        const first = await change(null, (n) => record(kind, `${n}`));
        const second = await change(first, (n) => (n % 2 ? null : record(kind, `again ${n}`)));
        if (second) await change(second, () => null);
      });

      it(`tells names apart however they are spelt: ${kind}`, async (t) => {
        const store = open(t);
        const pairs = hostileIds.flatMap((id) => [nameOf(kind, id), nameOf(kind, 'ann', id)]);
        pairs.push(nameOf(kind, 'a:b', 'c'), nameOf(kind, 'a', 'b:c'));
        pairs.push(nameOf(kind, 'a","b', 'c'), nameOf(kind, 'a', 'b","c'));
        const names = new Map(pairs.map((name) => [JSON.stringify(name), name]));
        let n = 0;
        for (const [text, name] of names) {
          assert.equal(await store.replace(name, null, record(kind, `${n++}`)), true, text);
        }
        n = 0;
        for (const name of names.values()) {
          assert.deepEqual(await read(store, name), record(kind, `${n++}`));
        }
      });
    }

    it('tells the kinds apart', async (t) => {
      const store = open(t);
      for (const kind of kinds) await store.replace(nameOf(kind), null, record(kind, kind));
      for (const kind of kinds) {
        assert.deepEqual(await read(store, nameOf(kind)), record(kind, kind));
      }
    });

    it('returns a value as it was written', async (t) => {
      const store = open(t);
      const request = JSON.stringify(['p', '\0 \ud800 \' " 🎬', 'x'.repeat(10_000), null]);
      const one = { at: start + 0.5, value: JSON.stringify([request, 'settled', 'e-1']) };
      await store.replace(nameOf('attempt'), null, one);
      assert.deepEqual(await read(store, nameOf('attempt')), one);
    });

    for (const kind of ['attempt', 'task'] as const) {
      const query = (more: Partial<RecordQuery> = {}): RecordQuery => ({
        ...{ kind, hostUser: 'ann', since: 0, after: null, limit: 100 },
        ...more,
      });

      it(`lists the ${kind}s of a user newest first, page by page`, async (t) => {
        const store = open(t);
        const ids = async (more: Partial<RecordQuery> = {}) =>
          (await store.list(query(more))).map(({ id }) => id);
        for (const n of [2, 0, 4, 1, 3]) {
          await store.replace(nameOf(kind, 'ann', `${n}`), null, record(kind, `${n}`, start + n));
        }
        await store.replace(nameOf(kind, 'bob', '5'), null, record(kind, '5'));
        assert.deepEqual(await ids(), ['4', '3', '2', '1', '0']);
        assert.deepEqual(await ids({ limit: 2 }), ['4', '3']);
        assert.deepEqual(await ids({ limit: 2, after: { at: start + 3, id: '3' } }), ['2', '1']);
        assert.deepEqual(await ids({ after: { at: start, id: '0' } }), []);
        assert.deepEqual(await ids({ since: start + 3 }), ['4', '3']);
        assert.deepEqual(await ids({ hostUser: 'eve' }), []);
        const [newest] = await store.list(query({ limit: 1 }));
        assert.deepEqual([newest!.at, newest!.value], [start + 4, valueOf(kind, '4')]);
        await store.replace(
          nameOf(kind, 'ann', '0'),
          record(kind, '0'),
          record(kind, '0', start + 9),
        );
        assert.deepEqual(await ids({ limit: 2 }), ['0', '4']);
      });

      it(`lists each of the ${kind}s of one moment once`, async (t) => {
        const store = open(t);
        const ids = [...Array.from({ length: 7 }, (_, n) => `${(n * 5) % 7}`), ...hostileIds];
        for (const id of new Set(ids)) {
          const value = valueOf(kind, JSON.stringify(id));
          await store.replace(nameOf(kind, 'ann', id), null, { at: start, value });
        }
        const found: string[] = [];
        for (let after: RecordQuery['after'] = null; ;) {
          const page = await store.list(query({ after, limit: 5 }));
          if (!page.length) break;
          found.push(...page.map(({ value }) => value));
          // The host has it from the value: a store may list another form of it.
          const text = kind === 'task' ? found.at(-1)! : JSON.parse(found.at(-1)!)[0];
          after = { at: start, id: JSON.parse(text) as string };
        }
        const expected = [...new Set(ids)].map((id) => valueOf(kind, JSON.stringify(id)));
        assert.deepEqual(found.toSorted(), expected.toSorted());
      });

      it(`forgets ${kind}s that are too old, however many there are`, async (t) => {
        let now = start;
        const store = open(t, () => now);
        const names = Array.from({ length: 250 }, (_, n) => nameOf(kind, 'ann', `old-${n}`));
        for (const name of names) await store.replace(name, null, record(kind, 'old'));
        await store.replace(nameOf('user'), null, record('user', 'u-1'));
        const addNew = async (id: string) => {
          await store.replace(nameOf(kind, 'bob', id), null, record(kind, 'new', now));
          await store.list(query());
        };
        now = start + keptMs[kind];
        await addNew('a');
        for (const name of names) assert.ok(await store.read(name), name.id);
        now += 1;
        for (const id of ['b', 'c', 'd']) await addNew(id);
        for (const name of names) assert.equal(await store.read(name), null, name.id);
        assert.ok(await store.read(nameOf(kind, 'bob', 'a')));
        assert.ok(await store.read(nameOf('user')));
      });
    }
  });
}
