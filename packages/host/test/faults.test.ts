/**
 * The fault vectors, which every port of the host runs (`npx clip-host-check --faults`): here the
 * TypeScript host, in virtual time.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../src/check/http.ts';
import { LateService } from '../src/check/faults/late-service.ts';
import { runVector, vectors, type Vector } from '../src/check/faults/vectors.ts';
import { memoryStore } from '../src/index.ts';
import { LateHost } from '../../../test/support/late-host.ts';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';

const project = 'clip';
const apiKey = 'key-of-the-late-service';

async function verdictOn(vector: Vector): Promise<string | null> {
  const clock = new VirtualClock();
  clock.install();
  try {
    const service = new LateService({
      apiKey,
      startOf: (_, number) => vector.starts[number] ?? {},
      listOf: () => vector,
    });
    const host = new LateHost(service, apiKey, memoryStore());
    const exchange = async (path: string, init: RequestInit = {}): Promise<Exchange> => {
      const response = await host.answer('ann', path, init);
      const { status, headers } = response;
      const text = await response.text();
      const received = { status, headers: Object.fromEntries(headers), text, failure: null };
      return {
        sent: { method: '', url: path, headers: {}, body: null },
        received: { ...received, milliseconds: 0 },
      };
    };
    let verdict: string | null | undefined;
    const running = runVector(vector, {
      start: (key, more) =>
        exchange('/clips/exports', {
          method: 'POST',
          headers: { 'Idempotency-Key': key },
          body: JSON.stringify({ project_id: project, ...more }),
        }),
      ask: (key) => exchange(`/clips/exports?attempt=${key}`),
      made: () => service.madeOf(project),
      until: (milliseconds) =>
        new Promise((resolve) =>
          setTimeout(resolve, service.lastStartAt(project) + milliseconds - clock.time),
        ),
      async kill() {
        while (!service.startsOf(project)) await new Promise((resolve) => setImmediate(resolve));
        host.restart();
      },
    });
    running.then(
      (found) => (verdict = found),
      (cause: unknown) => (verdict = String(cause)),
    );
    await clock.passUntil(() => verdict !== undefined, 600_000);
    return verdict!;
  } finally {
    clock.uninstall();
  }
}

// Before the first test is declared: from then on the test runner follows every promise.
const verdicts: [string, string | null][] = [];
for (const vector of vectors) verdicts.push([vector.name, await verdictOn(vector)]);

describe('the host, with a service that fails', () => {
  for (const [name, verdict] of verdicts) {
    it(name, () => assert.equal(verdict, null));
  }
});
