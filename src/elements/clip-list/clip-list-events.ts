import type { ClipError } from '../../client/clip-error.ts';
import type { Project } from '../../contract/project.ts';
import type { Task } from '../../contract/task.ts';
import type { ClipExportButton } from '../clip-export-button/clip-export-button.ts';
import type { ClipPreview } from '../clip-preview/clip-preview.ts';
import { ClipEvent } from '../events.ts';

/** A clip is about to be shown. Its elements are not connected yet, and may still get options. */
export class ClipListItemEvent extends ClipEvent {
  readonly clip: Project;
  readonly preview: ClipPreview;
  readonly exportButton: ClipExportButton;

  constructor(clip: Project, preview: ClipPreview, exportButton: ClipExportButton) {
    super('clip-list-item');
    this.clip = clip;
    this.preview = preview;
    this.exportButton = exportButton;
  }
}

/** The clips have been read for the first time, or have changed. */
export class ClipListChangeEvent extends ClipEvent {
  /** All clips, in the order of the list. */
  readonly clips: readonly Project[];

  constructor(clips: readonly Project[]) {
    super('clip-list-change');
    this.clips = clips;
  }
}

/** The task that makes the clips has progressed. */
export class ClipListProgressEvent extends ClipEvent {
  readonly task: Task;
  /** 0 to 1, or null if unknown. */
  readonly progress: number | null;

  constructor(task: Task, progress: number | null) {
    super('clip-list-progress');
    this.task = task;
    this.progress = progress;
  }
}

/** The list is complete: no task is running. */
export class ClipListReadyEvent extends ClipEvent {
  readonly clips: readonly Project[];

  constructor(clips: readonly Project[]) {
    super('clip-list-ready');
    this.clips = clips;
  }
}

/** The clips could not be read, or their task failed. */
export class ClipListErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-list-error');
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'clip-list-item': ClipListItemEvent;
    'clip-list-change': ClipListChangeEvent;
    'clip-list-progress': ClipListProgressEvent;
    'clip-list-ready': ClipListReadyEvent;
    'clip-list-error': ClipListErrorEvent;
  }
}
