import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpeechJob } from 'clip-engine';
import { AnalysisProgress } from '../../src/worker/analysis-progress.ts';
import { makeProgress } from '../../src/tasks/rules.ts';

const began = Date.parse('2026-01-31T10:00:00Z');
const row = {
  status: 'processing',
  share: 0.45,
  failure_code: null,
  failure_message: null,
} as const;

describe('the progress of an analysis', () => {
  it('has stages of their own for the download of a model and for the recognition', ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: began });
    const reports: [string, number, object | undefined][] = [];
    const progress = new AnalysisProgress({
      report: (stage, share, detail) => void reports.push([stage, share, detail]),
    });
    const job = progress.watch({} as SpeechJob);
    progress.report(0.3);
    job.onDownload!({ model: 'base', bytes: 40e6, totalBytes: 160e6 });
    progress.report(0.5);
    mock.timers.tick(60_000);
    job.onDownload!({ model: 'base', bytes: 160e6, totalBytes: 160e6 });
    mock.timers.tick(30_000);
    job.onProgress(0.2);
    progress.report(0.6);
    const endsAt = new Date(began + 60_000 + 150_000).toISOString();
    assert.deepEqual(
      reports.map(([stage, share, detail]) => [stage, Math.round(share * 1000), detail]),
      [
        ['scan', 275, undefined],
        ['speech-model', 363, { bytes: 40e6, totalBytes: 160e6 }],
        ['speech-model', 400, { bytes: 160e6, totalBytes: 160e6 }],
        ['transcript', 420, { endsAt }],
      ],
    );
    const shown = makeProgress({ ...row, stage: 'transcript', stage_detail: { endsAt } });
    assert.equal(shown?.stage_seconds_left, 120);
    const later = makeProgress({ ...row, stage: 'candidates', stage_detail: { endsAt } });
    assert.deepEqual(later, { stage: 'candidates', share: 0.45, seconds_left: null });
  });
});
