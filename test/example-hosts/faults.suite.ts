/**
 * The fault vectors of `docs/decisions/0020` on the hosts in other languages, in real time: all at
 * the same time, because some take two minutes of waiting.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send } from '../../packages/host/src/check/http-edge.ts';
import { FaultService } from '../../packages/host/src/check/faults/fault-service.ts';
import { runFaults, type FaultResult } from '../../packages/host/src/check/faults/run-faults.ts';
import type { Vector } from '../../packages/host/src/check/faults/vector.ts';
import { vectors } from '../../packages/host/src/check/faults/vectors.ts';
import { CheckWorld } from '../../packages/host/src/check/world.ts';
import { ExampleHost, examples, sessionOf } from '../support/example-hosts.ts';

const isOfKill = ({ steps }: Vector): boolean => steps.some(({ kill }) => kill);

/** The example in Go starts exports without options. */
const hasWatermark = ({ steps }: Vector): boolean => steps.some(({ watermark }) => watermark);

async function resultsOf(name: string, chosen: readonly Vector[]): Promise<FaultResult[]> {
  const service = await FaultService.open(0, chosen);
  const host = await ExampleHost.open(name, service);
  const world = new CheckWorld(
    {
      endpoint: host.endpoint,
      cookie: sessionOf('ann'),
      headers: {},
      other: null,
      otherUser: null,
      project: null,
      folder: null,
      start: false,
      maxWatchMs: 0,
    },
    send,
  );
  const arrivals: Promise<void>[] = [];
  const killed = Promise.withResolvers<void>();
  try {
    return await runFaults(
      chosen,
      world,
      service,
      () => {},
      async (arrived) => {
        // One kill for all of them, when the last start is at the service.
        arrivals.push(arrived);
        if (arrivals.length === chosen.length) {
          await Promise.all(arrivals);
          await host.kill();
          await host.start();
          killed.resolve();
        }
        return killed.promise;
      },
    );
  } finally {
    await host.close();
    await service.close();
  }
}

const runs = Object.keys(examples).flatMap((name) => {
  const suitable = vectors.filter((vector) => name !== 'go' || !hasWatermark(vector));
  return [suitable.filter((one) => !isOfKill(one)), suitable.filter(isOfKill)].map(
    async (chosen) => ({ name, results: await resultsOf(name, chosen) }),
  );
});

for (const { name, results } of await Promise.all(runs)) {
  describe(`the example host in ${name}, with a service that fails`, () => {
    for (const { vector, fault } of results) {
      it(vector.name, () => assert.equal(fault, null));
    }
  });
}
