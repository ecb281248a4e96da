/**
 * The rules about a service that fails, which every port of the host keeps (`npx clip-host-check
 * --faults`): here the TypeScript host, in virtual time.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LateService } from '../src/check/faults/late-service.ts';
import { CheckWorld, type Send } from '../src/check/world.ts';
import { faultRules, type Rule } from '../src/check/rules.ts';
import { runRule, type Verdict } from '../src/check/run.ts';
import { memoryStore } from '../src/index.ts';
import { LateHost } from '../../../test/support/late-host.ts';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';

const project = 'clip';
const apiKey = 'key-of-the-late-service';

/** The verdict on the host, or on one that answers starts and questions in another way. */
async function verdictOn(
  rule: Rule,
  wrap: (answer: LateHost['answer']) => LateHost['answer'] = (answer) => answer,
): Promise<Verdict> {
  const clock = new VirtualClock();
  clock.install();
  try {
    const service = new LateService({
      apiKey,
      startOf: (_, number) => rule.service!.starts[number] ?? {},
      listOf: () => rule.service!,
    });
    const host = new LateHost(service, apiKey, memoryStore());
    const answer = wrap((...request) => host.answer(...request));
    const send: Send = async ({ method, url, headers, body }) => {
      const path = url.slice(url.indexOf('/clips'));
      const { 'Idempotency-Key': key } = headers;
      const init = { method, body, ...(key && { headers: { 'Idempotency-Key': key } }) };
      const response = await answer('ann', path, init);
      const text = await response.text();
      const named = Object.fromEntries(response.headers);
      return { status: response.status, headers: named, text, failure: null, milliseconds: 0 };
    };
    const options = { endpoint: 'https://site.test/clips', always: {}, user: {}, other: null };
    const given = { otherUser: null, project: null, folder: null, start: false, maxWatchMs: 0 };
    const world = new CheckWorld({ ...options, ...given }, send);
    const clip = service.clipOf(project);
    let verdict: Verdict | null = null;
    const running = runRule(world, rule, {
      id: project,
      clip,
      async kill() {
        while (!clip.starts) await new Promise((resolve) => setImmediate(resolve));
        host.restart();
      },
    });
    void running.then((result) => (verdict = result.verdict));
    await clock.passUntil(() => verdict !== null, 600_000);
    return verdict!;
  } finally {
    clock.uninstall();
  }
}

/** Asks as for another start, with a key of its own. */
const another = (init: RequestInit = {}): RequestInit =>
  init.method === 'POST' ? { ...init, headers: { 'Idempotency-Key': crypto.randomUUID() } } : init;

// Before the first test is declared: from then on the test runner follows every promise.
const verdicts: [string, Verdict][] = [];
for (const rule of faultRules) verdicts.push([rule.title, await verdictOn(rule)]);
const [answered] = faultRules;
const forgetful = await verdictOn(
  answered!,
  (answer) => (user, path, init) => answer(user, path, another(init)),
);
const wasteful = await verdictOn(answered!, (answer) => async (user, path, init) => {
  if (init?.method === 'POST') await answer(user, path, another(init));
  return answer(user, path, init);
});

describe('the host, with a service that fails', () => {
  for (const [title, verdict] of verdicts) {
    it(title, () => assert.deepEqual(verdict, { state: 'held' }));
  }
});

describe('the rules about a service that fails', () => {
  it('find a host out that keeps no keys', () => {
    assert.match(JSON.stringify(forgetful), /"found":"it is another export than /);
  });

  it('find a host out that pays for more than it shows', () => {
    assert.match(JSON.stringify(wasteful), /"found":"3 exports were paid for instead of 1"/);
  });
});
