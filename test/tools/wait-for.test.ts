import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from 'clip-testkit/wait-for';

describe('waitFor', () => {
  it('goes on as long as there is progress, however long that takes', async () => {
    let looks = 0;
    const found = await waitFor(
      'ten looks',
      () => (looks += 1) >= 10 && `after ${looks}`,
      () => ({ share: looks / 10 }),
      1,
    );
    assert.equal(found, 'after 10');
  });

  it('fails when progress stops, and says what it saw last', async () => {
    let share = 0;
    const never = waitFor(
      'the export',
      () => null,
      () => ({ stage: 'render', share: (share = Math.min(0.5, share + 0.1)) }),
      100,
    );
    await assert.rejects(never, {
      message:
        "the export: nothing has changed for 0.1 s; last seen: { stage: 'render', share: 0.5 }",
    });
  });

  it('gives what is found at once, a zero too', async () => {
    assert.equal(await waitFor('a number', () => 0), 0);
  });
});
