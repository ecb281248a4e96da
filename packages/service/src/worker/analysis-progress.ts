import { type SpeechJob, transcriptFrom } from 'clip-engine';
import type { StageDetail } from '../db/schema.ts';
import type { RowProgress } from './progress.ts';
import { computeTaskShare, type TaskStage } from '../tasks/rules.ts';

/**
 * Reports the progress of an analysis: picture and sound first, then speech. Once a model is
 * downloaded for it or speech is recognised, that is what a person waits for, although pictures may
 * still be looked at.
 */
export class AnalysisProgress {
  readonly #progress: Pick<RowProgress, 'report'>;
  #hasSpeech = false;

  constructor(progress: Pick<RowProgress, 'report'>) {
    this.#progress = progress;
  }

  /** `share`: of the whole analysis, as `analyse` reports it. */
  report(share: number): void {
    if (this.#hasSpeech) return;
    if (share < transcriptFrom) this.#reportStage('scan', share / transcriptFrom);
    else this.#reportStage('transcript', (share - transcriptFrom) / (1 - transcriptFrom));
  }

  /** Returns the same job, which reports its download and its recognition. */
  watch(job: SpeechJob): SpeechJob {
    let began = Date.now();
    return {
      ...job,
      onDownload: ({ bytes, totalBytes }) => {
        this.#hasSpeech = true;
        began = Date.now();
        this.#reportStage('speech-model', bytes / totalBytes, { bytes, totalBytes });
      },
      onProgress: (share) => {
        if (share <= 0) return;
        this.#hasSpeech = true;
        const now = Date.now();
        const endsAt = new Date(now + ((now - began) * (1 - share)) / share);
        this.#reportStage('transcript', share, { endsAt: endsAt.toISOString() });
      },
    };
  }

  #reportStage(stage: TaskStage, share: number, detail?: StageDetail): void {
    this.#progress.report(stage, computeTaskShare(stage, share), detail);
  }
}
