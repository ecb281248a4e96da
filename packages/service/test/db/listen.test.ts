import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { it } from 'node:test';
import type { Client } from 'pg';
import { listenOnServer } from '../../src/db/listen.ts';

/** Lets what is pending go on, without real time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

it('a listener whose first proof is late listens a second later, and a deaf one less and less often', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const states: boolean[] = [];
  const opened: EventEmitter[] = [];
  let isDeaf = true;
  const stop = listenOnServer(
    async () => {
      const client = Object.assign(new EventEmitter(), {
        query: async () => {},
        end: async () => {},
      });
      opened.push(client);
      return client as unknown as Client;
    },
    async (channel, payload) => {
      if (!isDeaf) opened.at(-1)!.emit('notification', { channel, payload });
    },
    { notify() {}, listening: (state) => states.push(state) },
  );
  const pass = async (ms: number): Promise<void> => {
    await settle();
    t.mock.timers.tick(ms);
    await settle();
  };
  // Each waits ten seconds for its proof.
  for (const [connections, pauseMs] of [
    [1, 1000],
    [2, 4000],
    [3, 16_000],
  ] as const) {
    await settle();
    assert.equal(opened.length, connections);
    await pass(10_000);
    await pass(pauseMs - 1);
    assert.equal(opened.length, connections);
    isDeaf = connections < 3;
    await pass(1);
  }
  assert.equal(states.at(-1), true);
  void stop();
  await settle();
});
