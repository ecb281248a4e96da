import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from '../../src/contract/export.ts';
import {
  exportNext,
  exportStart,
  type ExportEvent,
  type ExportState,
} from '../../src/flow/export-machine.ts';
import { mayStart } from '../../src/flow/export-status.ts';

const one = (status: Export['status']): Export => ({
  id: 'e',
  status,
  src_url: null,
  estimated_ready_at: null,
  project_id: 'p',
  created_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  name: 'n',
  author_id: 'u',
  folder_id: null,
  descriptions: null,
  watermarked: null,
});

const run = (...events: ExportEvent<string>[]): ExportState<string> =>
  events.reduce<ExportState<string>>((state, event) => exportNext(state, event), exportStart);

describe('the export machine', () => {
  it('walks from a start to a ready export', () => {
    assert.equal(run({ type: 'start' }).status, 'starting');
    assert.equal(run({ type: 'start' }, { type: 'adopt', export: null }).status, 'processing');
    const ready = run(
      { type: 'start' },
      { type: 'adopt', export: null },
      { type: 'updated', export: one('ready'), failure: 'failed' },
    );
    assert.deepEqual(ready, {
      status: 'ready',
      export: one('ready'),
      error: null,
    });
  });

  it('takes no second start while one is under way, open, or an export is there', () => {
    for (const event of [
      { type: 'adopt', export: null },
      { type: 'lost', failure: 'lost' },
      { type: 'start' },
    ] as const) {
      const state = run({ type: 'start' }, event);
      assert.equal(exportNext(state, { type: 'start' }), state);
      assert.equal(mayStart(state.status), false);
    }
  });

  it('starts again after a ready export only if that is asked for', () => {
    const ready = run(
      { type: 'adopt', export: null },
      { type: 'updated', export: one('ready'), failure: 'failed' },
    );
    assert.equal(exportNext(ready, { type: 'start' }), ready);
    const again = exportNext(ready, { type: 'start', again: true });
    assert.deepEqual(again, { ...exportStart, status: 'starting' });
  });

  it('allows another start after a limit', () => {
    const limit = run({ type: 'start' }, { type: 'refused', failure: 'no', status: 'limit' });
    assert.equal(limit.status, 'limit');
    assert.equal(mayStart(limit.status), true);
  });

  it('never takes a settled answer back', () => {
    const ready = run(
      { type: 'adopt', export: null },
      { type: 'updated', export: one('ready'), failure: '' },
    );
    for (const event of [
      { type: 'updated', export: one('processing'), failure: '' },
      { type: 'stalled', failure: 'gone' },
    ] as const) {
      assert.equal(exportNext(ready, event), ready);
    }
  });

  it('keeps a failed render’s export beside the failure', () => {
    const failed = run(
      { type: 'adopt', export: null },
      { type: 'updated', export: one('error'), failure: 'failed' },
    );
    assert.deepEqual(failed, {
      status: 'error',
      export: one('error'),
      error: 'failed',
    });
  });

  it('remembers why nothing is heard, and forgets it with the next answer', () => {
    const stalled = run({ type: 'adopt', export: null }, { type: 'stalled', failure: 'down' });
    assert.equal(stalled.error, 'down');
    const updated = exportNext(stalled, {
      type: 'updated',
      export: one('processing'),
      failure: '',
    });
    assert.equal(updated.error, null);
  });
});
