/**
 * The rules about a service that fails, of `docs/decisions/0020`, on the plugin's own host, in real
 * time: all at the same time, because some take two minutes of waiting.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FaultService } from '../../packages/host/src/check/faults/fault-service.ts';
import { faultRules, type Rule } from '../../packages/host/src/check/rules.ts';
import type { Result } from '../../packages/host/src/check/run.ts';
import { CheckWorld } from '../../packages/host/src/check/world.ts';
import { PhpHost } from '../support/php-host.ts';

const isOfKill = ({ steps }: Rule): boolean => steps.some((step) => step.startsWith('killed '));

async function resultsOf(chosen: readonly Rule[]): Promise<Result[]> {
  const service = new FaultService(chosen);
  await service.listen(0);
  const host = await PhpHost.open(service);
  const world = new CheckWorld({
    endpoint: host.endpoint,
    always: {},
    user: { Cookie: 'user=ann' },
    other: null,
    otherUser: null,
    project: null,
    folder: null,
    start: false,
    maxWatchMs: 0,
  });
  const arrivedStarts: Promise<void>[] = [];
  const killed = Promise.withResolvers<void>();
  try {
    return await service.run(
      world,
      () => {},
      async (arrived) => {
        // One kill for all of them, when the last start is at the service.
        arrivedStarts.push(arrived);
        if (arrivedStarts.length === chosen.length) {
          await Promise.all(arrivedStarts);
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

const runs = [faultRules.filter((one) => !isOfKill(one)), faultRules.filter(isOfKill)];
const results = (await Promise.all(runs.map(resultsOf))).flat();

describe('the host in PHP, with a service that fails', () => {
  for (const { rule, verdict } of results) {
    it(rule.title, () => assert.deepEqual(verdict, { state: 'held' }));
  }
});
