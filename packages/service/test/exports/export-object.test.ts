import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Edit } from 'clip-engine';
import { exportObject } from '../../src/exports/rules.ts';
import { type ExportRow } from '../../src/db/schema.ts';

const row = (more: Partial<ExportRow>): ExportRow => ({
  id: 'e',
  organization_id: 'o',
  author_id: 'a',
  project_id: 'p',
  folder_id: null,
  name: 'n',
  duration: 1,
  watermark: null,
  style: null,
  edit: {} as Edit,
  revision: 1,
  file_key: null,
  cover_key: null,
  description: null,
  tags: null,
  work: 1,
  copied: false,
  started_at: null,
  share_at: null,
  status: 'processing' as const,
  attempts: 1,
  uncounted_attempts: 0,
  releases: 0,
  turn: 0,
  stage: 'render',
  share: 0.9,
  failure_code: null,
  failure_message: null,
  notes: null,
  created_at: new Date(0),
  finished_at: null,
  estimated_ready_at: new Date(0),
  ...more,
});

it('an export that is read as being processed is not said to have been ready before, also where the queue no longer has it', () => {
  const began = Date.now();
  for (const estimate of [undefined, new Date(began - 60_000)]) {
    const { estimated_ready_at: at, progress } = exportObject(row({}), { file: String }, estimate);
    assert.ok(Date.parse(at ?? '') >= began + 1000, String(at));
    assert.ok((progress?.seconds_left ?? 0) >= 0.9);
  }
  const finished_at = new Date(began - 5000);
  const ready = exportObject(row({ status: 'ready', finished_at }), { file: String });
  assert.equal(ready.estimated_ready_at, finished_at.toISOString(), 'the truth is no estimate');
});
