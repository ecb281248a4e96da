import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rules } from '../../src/check/rules.ts';
import { runRule } from '../../src/check/run.ts';
import { CheckWorld, type CheckOptions } from '../../src/check/world.ts';
import { HttpHost } from '../../../../test/support/http-host.ts';
import { stallMs } from '../../../../test/support/stall-ms.ts';
import { breakers } from './broken-hosts.ts';

const optionsOf = (host: HttpHost): CheckOptions => ({
  endpoint: host.endpoint,
  always: {},
  user: { Cookie: HttpHost.ann },
  other: { Cookie: HttpHost.ben },
  otherUser: 'ben',
  project: host.project,
  folder: host.folder,
  start: true,
  maxWatchMs: stallMs,
});

describe('the rules', () => {
  it('each has an id of its own, and says why it is there and how to fix it', () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
    for (const { id, title, why, fix } of rules) {
      assert.match(id, /^[a-z-]+$/);
      assert.doesNotMatch(title, /\.$/);
      for (const text of [why, fix]) assert.match(text, /^.{15,}\.$/s, id);
    }
  });

  it('each has a broken host here by which it is tested', () => {
    assert.deepEqual(Object.keys(breakers).sort(), rules.map(({ id }) => id).sort());
    for (const [id, hosts] of Object.entries(breakers)) assert.ok(hosts.length, id);
  });

  for (const rule of rules) {
    for (const [at, wrap] of (breakers[rule.id] ?? []).entries()) {
      it(`${rule.id}: finds broken host ${at + 1} out`, async (t) => {
        const host = await HttpHost.open(t, { wrap });
        const { verdict } = await runRule(new CheckWorld(optionsOf(host)), rule);
        assert.equal(verdict.state, 'broken', JSON.stringify(verdict));
        assert.ok(verdict.state === 'broken' && verdict.found && verdict.exchanges.length);
      });
    }
  }
});
