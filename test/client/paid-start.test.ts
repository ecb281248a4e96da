import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClipError } from '../../src/client/clip-error.ts';
import { HttpError, SchemaError, TransportError } from '../../src/client/errors.ts';
import { readQuestion, sendStart, type StartErrors } from '../../src/client/paid-start.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const call = { method: 'POST', path: '/exports' };
const answer = { value: 'export-1', skew: 0, held: false, next: null };
const refuse = (
  status: number,
  code?: string,
  more: object = {},
  retryAfter: number | null = null,
) =>
  new HttpError(
    call,
    status,
    { type: 'about:blank', title: '', ...(code !== undefined && { code }), ...more },
    retryAfter,
  );
const lost = new TransportError(call, false, {});
const errors: StartErrors = {
  lost: (cause) => new ClipError('export-outcome-unknown', '', { cause }),
  unresolved: (cause) => new ClipError('export-outcome-unresolved', '', { cause }),
  refused: (cause) => new ClipError('service-error', '', { cause }),
};

describe('a paid start', () => {
  let page: VirtualPage;
  beforeEach(() => (page = new VirtualPage()));
  afterEach(() => page.close());

  /** Sends a start for ten minutes. It gets these answers, and then the last of them. */
  async function send(answers: readonly (Error | typeof answer)[], isRepeated = false) {
    let sent = 0;
    const losses: unknown[] = [];
    let result: object | null = null;
    const life = new AbortController();
    sendStart(
      () => {
        const next = answers[Math.min(sent++, answers.length - 1)]!;
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      {
        isRepeated,
        signal: life.signal,
        errors,
        onLost: (error) => losses.push(error.cause),
      },
    ).then(
      (end) => {
        result =
          'answer' in end
            ? end
            : { cause: end.error.cause, isRefused: end.isRefused, asks: readQuestion(end.error) };
      },
      () => {},
    );
    await page.clock.pass(600_000);
    life.abort();
    return { sent, losses: losses.length, result };
  }

  const inProgress = refuse(409, 'in-progress', {}, 3000);
  for (const [what, cause] of [
    ['no answer', lost],
    ['a 502', refuse(502)],
    ['a 408 of a proxy', refuse(408)],
    ['in-progress', inProgress],
    ['in-progress without a time', refuse(409, 'in-progress')],
    ['a 409 of a host that says only when to try again', refuse(409, undefined, {}, 3000)],
    ['an answer that cannot be read', new SchemaError(call, [])],
  ] as const) {
    it(`is sent again after ${what}`, async () => {
      const { sent, losses, result } = await send([cause, cause, answer]);
      assert.deepEqual([sent, losses, result], [3, 2, { answer }]);
    });
  }

  it('waits as long as the host says', async () => {
    const { sent } = await send([refuse(503, undefined, {}, 300_000)]);
    assert.equal(sent, 3);
  });

  for (const [what, cause] of [
    ['402', refuse(402, 'export-limit')],
    ['404', refuse(404, 'clip-not-found')],
    ['another account', refuse(409, 'account-changed')],
    ['another request', refuse(409, 'attempt-mismatch')],
    [
      'a 5xx that says that nothing was started',
      refuse(502, 'service-error', { unknown_outcome: false }),
    ],
  ] as const) {
    it(`is refused by ${what}`, async () => {
      for (const isRepeated of [false, true]) {
        const { sent, result } = await send([cause], isRepeated);
        assert.deepEqual([sent, result], [1, { cause, isRefused: true, asks: null }]);
      }
    });
  }

  for (const [what, cause] of [
    ['401', refuse(401)],
    ['403', refuse(403)],
    ['nobody who is signed in', new ClipError('signed-out', 'No.')],
  ] as const) {
    it(`is refused by ${what} only if it was not sent before`, async () => {
      const first = await send([cause]);
      assert.deepEqual(first.result, { cause, isRefused: true, asks: null });
      for (const { sent, result } of [await send([lost, cause]), await send([cause], true)]) {
        assert.ok(sent <= 2);
        assert.deepEqual(result, { cause, isRefused: false, asks: null });
      }
    });
  }

  it('is refused by a 429, and waits for it if it was sent before', async () => {
    const busy = refuse(429, 'rate-limited', {}, 1000);
    assert.deepEqual((await send([busy])).result, {
      cause: busy,
      isRefused: true,
      asks: null,
    });
    assert.deepEqual((await send([lost, busy, answer])).result, { answer });
  });

  it('is a question to a person if the host cannot tell', async () => {
    const cause = refuse(409, 'outcome-unknown', { started_at: '2026-01-31T10:00:00.000Z' });
    const asks = '2026-01-31T10:00:00.000Z';
    assert.deepEqual(await send([lost, cause]), {
      sent: 2,
      losses: 1,
      result: { cause, isRefused: false, asks },
    });
  });

  it('ends after six answers in a row that cannot be read', async () => {
    const unreadable = new SchemaError(call, []);
    const mixed = [...Array<Error>(5).fill(unreadable), inProgress, unreadable, answer];
    assert.deepEqual((await send(mixed)).result, { answer });
    const { sent, result } = await send([unreadable]);
    assert.equal(sent, 6);
    assert.deepEqual(result, { cause: unreadable, isRefused: false, asks: null });
  });

  it('is sent at once when the page is shown again', async () => {
    let sent = 0;
    const life = new AbortController();
    void sendStart(() => Promise.reject((sent++, refuse(503, undefined, {}, 3_600_000))), {
      isRepeated: false,
      signal: life.signal,
      errors,
      onLost: () => {},
    }).catch(() => {});
    await page.clock.pass(1000);
    page.focus();
    await page.clock.pass(1000);
    assert.equal(sent, 2);
    life.abort();
    await page.clock.pass(0);
  });
});
