import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchAttempt } from '../../src/client/attempt-search.ts';
import { HostClient } from '../../src/client/host-client.ts';
import type { Export } from '../../src/contract/export.ts';

const hour = 3_600_000;
const key = 'attempt-key-1';
const intent = { project: 'p', folder: null, options: {}, exportId: null };

const exportAt = (createdMs: number): Export => ({
  id: 'e',
  status: 'ready',
  src_url: 'https://h.test/e.mp4',
  estimated_ready_at: null,
  project_id: 'p',
  created_at: new Date(createdMs).toISOString(),
  finished_at: new Date(createdMs).toISOString(),
  name: 'Clip',
  author_id: 'u',
  folder_id: null,
  descriptions: null,
  watermarked: false,
});

/** What a page finds of a start of this age, at a host that promises that nothing was started. */
async function found(ageMs: number, listed: readonly Export[]): Promise<unknown> {
  const sentAt = Date.now() - ageMs;
  const client = new HostClient({
    endpoint: 'https://h.test/clips',
    fetch: (url) => {
      const isQuestion = new URL(String(url)).searchParams.has('attempt');
      const headers = {
        Date: new Date().toUTCString(),
        ...(isQuestion && { 'Idempotency-Key': key }),
      };
      return Promise.resolve(Response.json(isQuestion ? [] : listed, { headers }));
    },
  });
  const attempt = { key, at: sentAt, sentAt, id: null, settledAt: null };
  const result = await searchAttempt(client, intent, attempt, new AbortController().signal);
  return typeof result === 'object' && 'value' in result ? result.value.id : result;
}

describe('"nothing was started", of a start that hosts and services may have forgotten', () => {
  const cases = [
    ['22 hours: it is believed', 22 * hour, false, 'not-started'],
    ['23 hours: not without the list', 23 * hour, false, 'unknown'],
    ['26 hours: what the list has is found', 26 * hour, true, 'e'],
  ] as const;
  for (const [name, ageMs, isListed, expected] of cases) {
    it(name, async () => {
      const listed = isListed ? [exportAt(Date.now() - ageMs)] : [];
      assert.equal(await found(ageMs, listed), expected);
    });
  }
});
