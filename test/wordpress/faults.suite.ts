/**
 * The fault vectors of `docs/decisions/0020` on the plugin's own host, in real time: all at the
 * same time, because some take two minutes of waiting.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FaultService,
  runFaults,
  type FaultResult,
} from '../../packages/host/src/check/faults/run-faults.ts';
import { vectors, type Vector } from '../../packages/host/src/check/faults/vectors.ts';
import { CheckWorld } from '../../packages/host/src/check/world.ts';
import { PhpHost } from '../support/php-host.ts';

const isOfKill = ({ steps }: Vector): boolean => steps.some(({ kill }) => kill);

async function resultsOf(chosen: readonly Vector[]): Promise<FaultResult[]> {
  const service = await FaultService.open(0, chosen);
  const host = await PhpHost.open(service);
  const world = new CheckWorld({
    endpoint: host.endpoint,
    cookie: 'user=ann',
    headers: {},
    other: null,
    otherUser: null,
    project: null,
    folder: null,
    start: false,
    maxWatchMs: 0,
  });
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

const runs = [vectors.filter((one) => !isOfKill(one)), vectors.filter(isOfKill)];
const results = (await Promise.all(runs.map(resultsOf))).flat();

describe('the host in PHP, with a service that fails', () => {
  for (const { vector, fault } of results) {
    it(vector.name, () => assert.equal(fault, null));
  }
});
